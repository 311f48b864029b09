"""One mail, as bytes, to one item: shared by every source that holds mail.

Conventions of a mail's item, beyond what `Item` says:
- `text` is what the author wrote, or `[encrypted message]` and `[signed message]` for what can't be
  read here; `context` holds quoted lines, the signature, forwarded messages, the text of attached
  .txt and .ics files, each under a line that names it, and the fingerprint of a sealed body.
- `labels` holds Gmail's labels, the known folders of its path (Sent, Drafts, Spam, Trash, Chats),
  `attachment:NAME` for each attachment, and where the moment is from if not from the Date header:
  `date:received`, `date:mbox`, `date:filename`, or why there is none: `undated:missing`,
  `undated:unreadable`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import Message
from itertools import islice

from clone_app.entries import ImportProblem, Item, Moment, content_hash
from clone_app.importers import decode, mailfolder, mime, reply
from clone_app.importers.addresses import addresses
from clone_app.importers.maildate import day_in_name, moment_in
from clone_app.protocols import Reading

# A message above this size is one that carries films; its first part, the text, is kept.
MESSAGE_LIMIT = 64 * 1024 * 1024
# The headers whose presence, two at a time, tells a mail from any other file.
_TELLING_LINE = re.compile(
    rb"(From|To|Subject|Date|Message-ID|MIME-Version|Received|Content-Type|Return-Path|Delivered-To"
    rb"|In-Reply-To|References|DKIM-Signature)[ \t]*:",
    re.IGNORECASE,
)
_HEADER_LINE = re.compile(rb"[!-9;-~]{1,80}[ \t]*:|[ \t]|>?From ")
_KNOWN = re.compile(
    "from|to|cc|bcc|subject|date|message-id|received|sender|reply-to|mime-version|content-type"
    "|return-path|delivered-to|in-reply-to|references"
)


@dataclass(frozen=True, slots=True)
class Origin:
    """Say where a message stood: what reopens it, its path, when its mbox says it was posted.

    `labels` are those its place gives it besides what the path says.
    """

    locator: str
    path: str = ""
    posted: Moment | None = None
    labels: tuple[str, ...] = ()


def looks_like_mail(head: bytes) -> bool:
    """Tell whether a file begins with a mail's header: two of its usual fields, nothing else.

    A line `From …` as an mbox has it may stand before them; what is no header line ends it.
    """
    found: set[bytes] = set()
    for line in head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n").split(b"\n")[:200]:
        line = line.rstrip(b"\r")
        if not line or not _HEADER_LINE.match(line):
            break
        if match := _TELLING_LINE.match(line):
            found.add(match[1].lower())
    return len(found) >= 2


def read_message(data: bytes, origin: Origin, *, reading: Reading) -> Item | ImportProblem:
    """Return the item a message holds, or what is wrong with it; never raises."""
    try:
        return _item(data, origin, reading=reading)
    except RecursionError:
        reason = "its parts are nested too deeply; open it in a mail program and export it again"
    except Exception as error:  # one message must never stop the others
        reason = f"it could not be read ({type(error).__name__}); export it again and import that"
    return ImportProblem(origin.locator, f"This message was left out: {reason}.")


def _item(data: bytes, origin: Origin, *, reading: Reading) -> Item | ImportProblem:
    data, posted = _without_from_line(data[:MESSAGE_LIMIT])
    posted = origin.posted or posted
    message = mime.parse(data)
    known = any(_KNOWN.fullmatch(name.lower()) for name, _ in message.raw_items())
    if not known and (posted is None or not data.strip()):
        return ImportProblem(
            origin.locator,
            "This is no mail: it has no From, To, Subject or Date line. Leave it out, or export it "
            "again.",
        )
    charset = mime.body_charset(message)
    content = mime.content(message)
    parts = reply.split(content.body)
    moment, dated = _moment(message, origin, posted=posted)
    title = decode.header(mime.raw(message, "subject"), charset=charset)
    authors = addresses(mime.raw(message, "from") or mime.raw(message, "sender"), charset=charset)
    author = str(authors[0]) if authors else ""
    context = "\n\n".join(part for part in (parts.quoted, *content.others) if part)
    labels = _labels(message, origin)
    key = _identity(mime.raw(message, "message-id"))
    if not key:
        day = moment.day()
        written = content_hash(author, title, parts.own, context)
        key = f"mail:{day.isoformat() if day else 'undated'}:{written}"
    return Item(
        key=key,
        medium="mail",
        moment=moment,
        text=parts.own,
        mine=mailfolder.SENT in labels
        or any(reading.is_me(one.name, one.address, str(one)) for one in authors),
        locator=origin.locator,
        author=author,
        title=title,
        recipients=mailfolder.distinct(
            str(one)
            for name in ("to", "cc", "bcc")
            for value in mime.every(message, name)
            for one in addresses(value, charset=charset)
        ),
        thread=_thread(message) or key,
        context=context,
        labels=mailfolder.distinct(
            (*labels, *(f"attachment:{name}" for name in content.attachments), dated)
        ),
    )


def _without_from_line(data: bytes) -> tuple[bytes, Moment | None]:
    """Return a message without the lines an mbox or a mail server put before it, and their date."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    posted: Moment | None = None
    while data.startswith((b"From ", b">From ")):
        line, _, rest = data.partition(b"\n")
        posted = posted or posted_in(line)
        data = rest
    return data, posted


def posted_in(line: bytes) -> Moment | None:
    """Return the moment in the line that starts a message in an mbox, None where it holds none."""
    match = re.search(rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? .{10,60}$", line[:1000].rstrip())
    return (
        moment_in(match[0].decode("ascii", "replace").split(" remote from ")[0]) if match else None
    )


def _moment(message: Message, origin: Origin, *, posted: Moment | None) -> tuple[Moment, str]:
    """Return when a mail was written and which label says so: Date, else who received it when."""
    written = list(mime.every(message, "date"))
    for value in written:
        if moment := moment_in(decode.header(value)):
            return moment, ""
    for value in islice(mime.every(message, "received"), 100):
        if moment := moment_in(value[-400:].rpartition(";")[2]):
            return moment, "date:received"
    if posted is not None:
        return posted, "date:mbox"
    if moment := day_in_name(origin.path.rpartition("/")[2]):
        return moment, "date:filename"
    unreadable = any(value.strip() for value in written)
    return Moment.unknown(), "undated:unreadable" if unreadable else "undated:missing"


def _labels(message: Message, origin: Origin) -> tuple[str, ...]:
    gmail = decode.header(mime.raw(message, "x-gmail-labels"))
    file_name = origin.path.rpartition("/")[2]
    return mailfolder.distinct(
        (
            *mailfolder.of_gmail(gmail),
            *origin.labels,
            *mailfolder.of_path(origin.path),
            *mailfolder.of_flags(file_name),
        )
    )


def _identity(value: str) -> str:
    """Return a Message-ID without its brackets and blanks, odd ones (`<[a]@x>`) as they stand."""
    value = "".join(decode.header(value).split())
    inside = re.search(r"<([^<>]+)>", value)
    identity = inside[1] if inside else value.strip("<>")
    return identity[:1000]


def _thread(message: Message) -> str:
    """Return the id of the message a conversation began with, as far as this one tells."""
    for name in ("references", "in-reply-to"):
        if inside := re.search(r"<\s*([^<>\s]+)\s*>", decode.header(mime.raw(message, name))):
            return inside[1]
    return ""
