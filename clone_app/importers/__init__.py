"""One file a source. A source added to IMPORTERS is in the dialog, the help and the README.

`recognise` finds out what was dropped; `archive` opens files, folders and zips as streams.
"""

from __future__ import annotations

from clone_app.importers.clonemem import CLONEMEM
from clone_app.importers.diary import DIARY
from clone_app.importers.eml import EML
from clone_app.importers.maildir import MAILDIR
from clone_app.importers.mastodon import MASTODON
from clone_app.importers.mbox import MBOX
from clone_app.importers.x import X
from clone_app.protocols import Importer

IMPORTERS: tuple[Importer, ...] = (DIARY, MBOX, MAILDIR, EML, X, MASTODON, CLONEMEM)
