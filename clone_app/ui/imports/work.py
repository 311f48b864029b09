"""The pieces of work of the Import page, started from there and from the first start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from clone_app.errors import CloneAppError
from clone_app.progress import Progress
from clone_app.ui.jobs import Job, Lane
from clone_app.ui.workspace import Workspace

if TYPE_CHECKING:
    from clone_app.app import ImportReport


def start_import(
    workspace: Workspace,
    path: Path,
    *,
    me: tuple[str, ...] = (),
    answers: Mapping[str, str] | None = None,
    as_source: str | None = None,
    title: str = "",
    owner: QObject | None = None,
    done: Callable[[ImportReport], None] | None = None,
    failed: Callable[[CloneAppError], None] | None = None,
    ended: Callable[[], None] | None = None,
) -> Job:
    """Import text on the writing lane; vectors follow in the background, where they make way."""
    app = workspace.app

    def work(progress: Progress) -> ImportReport:
        if me:
            app.add_me(*me)
        return app.import_(
            path, as_source=as_source, me=me, answers=answers, vectors=False, progress=progress
        )

    def over() -> None:
        # Batches are kept whatever ended the import, so there may be something new in any case.
        workspace.memory_changed.emit()
        workspace.finish_vectors()
        if ended is not None:
            ended()

    return workspace.jobs.run(
        work,
        lane=Lane.WRITING,
        title=title or f"Importing {path.name}",
        owner=owner or workspace,
        done=done,
        failed=failed,
        ended=over,
    )


def import_sample(workspace: Workspace) -> Job:
    """Import the invented life that comes with the program; its file `me.txt` says who she is."""
    folder = workspace.app.sample_life()
    try:
        me = tuple((folder / "me.txt").read_text("utf-8").split())
    except OSError:
        me = ()
    return start_import(workspace, folder, me=me, title="Importing the sample life")
