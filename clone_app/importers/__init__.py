"""One file a source. A source added to IMPORTERS is in the dialog, the help and the README.

`recognise` finds out what was dropped; `archive` opens files, folders and zips as streams.
"""

from __future__ import annotations

from clone_app.importers.apple_journal import APPLE_JOURNAL
from clone_app.importers.apple_notes import APPLE_NOTES
from clone_app.importers.apple_notestore import NOTESTORE
from clone_app.importers.bear import BEAR
from clone_app.importers.bluesky import BLUESKY
from clone_app.importers.browser import BROWSER
from clone_app.importers.clonemem import CLONEMEM
from clone_app.importers.daygram import DAYGRAM
from clone_app.importers.dayone import DAYONE
from clone_app.importers.diarium import DIARIUM, MINIDIARY
from clone_app.importers.diary import DIARY
from clone_app.importers.discord import DISCORD
from clone_app.importers.eml import EML
from clone_app.importers.evernote import EVERNOTE
from clone_app.importers.facebook import FACEBOOK_EXPORT
from clone_app.importers.feed import FEED
from clone_app.importers.ics import ICS
from clone_app.importers.imessage import IMESSAGE
from clone_app.importers.instagram import INSTAGRAM_EXPORT
from clone_app.importers.joplin import JOPLIN
from clone_app.importers.journey import JOURNEY
from clone_app.importers.jrnl import JRNL
from clone_app.importers.keep import KEEP
from clone_app.importers.linkedin import LINKEDIN
from clone_app.importers.maildir import MAILDIR
from clone_app.importers.mastodon import MASTODON
from clone_app.importers.mbox import MBOX
from clone_app.importers.medium import MEDIUM
from clone_app.importers.msg import MSG
from clone_app.importers.notion import NOTION
from clone_app.importers.photos import PHOTOS
from clone_app.importers.pst import PST
from clone_app.importers.purchases import PURCHASES
from clone_app.importers.reddit import REDDIT
from clone_app.importers.roam import ROAM
from clone_app.importers.signal import SIGNAL
from clone_app.importers.slack import SLACK
from clone_app.importers.standardnotes import STANDARDNOTES
from clone_app.importers.takeout import TAKEOUT
from clone_app.importers.telegram import TELEGRAM
from clone_app.importers.todoist import TODOIST
from clone_app.importers.tomboy import TOMBOY
from clone_app.importers.tumblr import TUMBLR
from clone_app.importers.wechat import WECHAT
from clone_app.importers.whatsapp import WHATSAPP
from clone_app.importers.wordpress import WORDPRESS
from clone_app.importers.x import X
from clone_app.protocols import Importer

IMPORTERS: tuple[Importer, ...] = (
    DIARY,
    MBOX,
    MAILDIR,
    EML,
    X,
    MASTODON,
    CLONEMEM,
    BLUESKY,
    DAYONE,
    ICS,
    JRNL,
    WHATSAPP,
    WECHAT,
    TELEGRAM,
    FACEBOOK_EXPORT,
    INSTAGRAM_EXPORT,
    DISCORD,
    SLACK,
    SIGNAL,
    IMESSAGE,
    KEEP,
    EVERNOTE,
    TAKEOUT,
    BROWSER,
    REDDIT,
    NOTION,
    LINKEDIN,
    APPLE_JOURNAL,
    JOURNEY,
    WORDPRESS,
    FEED,
    MEDIUM,
    MSG,
    BEAR,
    APPLE_NOTES,
    NOTESTORE,
    PST,
    JOPLIN,
    PHOTOS,
    TODOIST,
    PURCHASES,
    DAYGRAM,
    DIARIUM,
    MINIDIARY,
    STANDARDNOTES,
    ROAM,
    TOMBOY,
    TUMBLR,
)
