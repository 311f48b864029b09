"""Outlook's messages: numbered properties, made into a mail so that one reader reads all mail.

The numbers are those of Microsoft's [MS-OXPROPS]; .msg and .pst files keep the same ones.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from clone_app.entries import ImportProblem, Skipped, clean_text
from clone_app.importers import decode, mime
from clone_app.importers.message import Origin, read_message
from clone_app.importers.rtf import text_of_rtf
from clone_app.protocols import Found, Reading

TEXT, ANSI, BINARY, TIME, LONG = 0x001F, 0x001E, 0x0102, 0x0040, 0x0003
CLASS, SUBJECT, SUBMITTED, DELIVERED, HEADERS = 0x001A, 0x0037, 0x0039, 0x0E06, 0x007D
BODY, HTML, RTF = 0x1000, 0x1013, 0x1009
MESSAGE_ID, REFERENCES, ANSWERED = 0x1035, 0x1039, 0x1042
CODEPAGE, BODY_CODEPAGE = 0x3FFD, 0x3FDE
# A person is named and addressed by three properties, the last surely an address of the internet.
SENDER, ON_BEHALF, RECIPIENT = (
    (0x0C1A, 0x0C1F, 0x5D01),
    (0x0042, 0x0065, 0x5D02),
    (0x3001, 0x3003, 0x39FE),
)
SHOWN_NAME, RECIPIENT_KIND, ATTACHED, FILE_NAME, SHORT_NAME, FILE_KIND = (
    0x3001,
    0x0C15,
    0x3701,
    0x3707,
    0x3704,
    0x370E,
)
MISSING = (
    "Outlook's files need one more package: run pip install 'clone-app[sources]' and import again"
)
_FIELD_OF = {1: "To", 2: "Cc", 3: "Bcc"}
_KINDS = {
    "ipm.appointment": "an appointment; export the calendar as .ics to import it",
    "ipm.contact": "a contact",
    "ipm.distlist": "a list of contacts",
    "ipm.task": "a task of Outlook, which this program does not read",
    "ipm.stickynote": "a note of Outlook, which this program does not read",
    "ipm.activity": "a journal entry of Outlook, which this program does not read",
}
_TYPE = re.compile(r"[A-Za-z0-9.+-]{1,60}/[A-Za-z0-9.+-]{1,60}")
_READABLE = re.compile(r"\.(?:txt|ics|md)$", re.IGNORECASE)
_ATTACHED_LIMIT, _MANY = 200_000, 2_000
_FIRST = datetime(1601, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Properties:
    """Hold the properties of a message, a recipient or an attachment: number to kind and bytes."""

    values: dict[int, tuple[int, bytes]] = field(default_factory=dict)

    def text(self, *numbers: int) -> str:
        """Return the first of these properties that holds words, on any number of lines."""
        for number in numbers:
            kind, data = self.values.get(number, (0, b""))
            if kind == TEXT:
                words = data.decode("utf-16-le", "replace")
            elif kind == ANSI:
                words = decode.text(data, self.charset())
            else:
                continue
            if words := clean_text(words).strip():
                return words
        return ""

    def line(self, *numbers: int) -> str:
        """Return the first of these that holds words, on one line, as a header needs it."""
        return " ".join(self.text(*numbers).split())

    def data(self, number: int) -> bytes:
        """Return the bytes of a property, none where there is none."""
        return self.values.get(number, (0, b""))[1]

    def number(self, number: int) -> int:
        """Return a whole number, 0 where there is none."""
        kind, data = self.values.get(number, (0, b""))
        return int.from_bytes(data[:4], "little") if kind == LONG else 0

    def moment(self, *numbers: int) -> datetime | None:
        """Return the first of these instants, which count tenths of a millionth since 1601."""
        for number in numbers:
            kind, data = self.values.get(number, (0, b""))
            ticks = int.from_bytes(data[:8], "little") if kind == TIME else 0
            try:
                if ticks:
                    return _FIRST + timedelta(seconds=ticks // 10_000_000)
            except OverflowError:
                continue
        return None

    def charset(self) -> str:
        """Return the charset of texts that are not Unicode."""
        page = self.number(BODY_CODEPAGE) or self.number(CODEPAGE)
        return {0: "", 65001: "utf-8", 20127: "ascii", 28591: "iso-8859-1"}.get(page, f"cp{page}")


@dataclass(frozen=True, slots=True)
class OutlookMessage:
    """Hold a message with its recipients and what is attached to it."""

    about: Properties
    recipients: Sequence[Properties] = ()
    attachments: Sequence[Properties] = ()


def read_outlook(message: OutlookMessage, origin: Origin, reading: Reading) -> Found:
    """Return the item a message holds; what is no mail is skipped by name."""
    kind = message.about.line(CLASS).casefold()
    for start, reason in _KINDS.items():
        if kind.startswith(start):
            return Skipped(origin.locator, reason)
    about = message.about
    for part in (*message.recipients, *message.attachments):
        for number in (BODY_CODEPAGE, CODEPAGE):  # said once, for all of a message
            if number in about.values:
                part.values.setdefault(number, about.values[number])
    if not about.text(BODY) and not about.data(HTML) and about.data(RTF):
        try:
            text = text_of_rtf(about.data(RTF))
        except ImportError:
            return ImportProblem(origin.locator, MISSING)
        if not text:
            return ImportProblem(
                origin.locator,
                "This message keeps its text in Outlook's own form alone, which is damaged or holds "
                "no words; save it as HTML or .eml in Outlook and import that.",
            )
        about.values[BODY] = (TEXT, text.encode("utf-16-le"))
    return read_message(_mail(message), origin, reading=reading)


def _mail(message: OutlookMessage) -> bytes:
    rows = [*_headers(message), "MIME-Version: 1.0"]
    mark = "=_outlook_part"
    while any(mark.encode() in data for _, data in message.about.values.values()):
        mark += "_"
    rows += [f'Content-Type: multipart/mixed; boundary="{mark}"', ""]
    parts = [_body(message.about), *map(_attached, message.attachments[:_MANY])]
    for part in parts:
        rows += [f"--{mark}", part]
    rows += [f"--{mark}--", ""]
    return "\n".join(rows).encode("utf-8", "ignore")


def _headers(message: OutlookMessage) -> Iterator[str]:
    """Yield the headers a mail arrived with, and after them what only the properties tell."""
    about = message.about
    told = {
        "From": _person(about, ON_BEHALF) or _person(about, SENDER),
        "Subject": about.line(SUBJECT),
        "Message-ID": about.line(MESSAGE_ID),
        "In-Reply-To": about.line(ANSWERED),
        "References": about.line(REFERENCES),
        **_addressed(message.recipients),
    }
    if told["Subject"].startswith("\x01"):  # how long its “Re: ” is
        told["Subject"] = told["Subject"][2:]
    if when := about.moment(SUBMITTED, DELIVERED):
        told["Date"] = format_datetime(when)
    known = {name.lower() for name, value in told.items() if value}
    there: set[str] = set()
    received = about.text(HEADERS).encode("utf-8", "ignore")
    for name, value in mime.parse(received + b"\n\n").raw_items():
        line = " ".join(decode.raw_bytes(str(value)).decode("utf-8", "replace").split())
        if name.lower().startswith(("content-", "mime-version")):
            continue  # of the body as it came, which is not the one kept
        if name.lower() in known and not line.isascii():
            continue  # bytes of an unknown charset, which Outlook has turned into letters by then
        there.add(name.lower())
        yield f"{name}: {line}"
    for name, value in told.items():
        if value and name.lower() not in there:
            yield f"{name}: {value}"


def _addressed(recipients: Sequence[Properties]) -> dict[str, str]:
    told: dict[str, list[str]] = {}
    for one in recipients[:_MANY]:
        name = _FIELD_OF.get(one.number(RECIPIENT_KIND) & 0xF, "To")
        if person := _person(one, RECIPIENT):
            told.setdefault(name, []).append(person)
    return {name: ", ".join(people) for name, people in told.items()}


def _person(properties: Properties, numbers: tuple[int, int, int]) -> str:
    """Return `"Name" <address>`; within a company an address may be a path that says nothing."""
    name, own, internet = (properties.line(number) for number in numbers)
    address = next((one for one in (internet, own) if "@" in one and " " not in one), "")
    name = re.sub(r'["\\<>\r\n]', "", name).strip("' ")
    if not address:
        return f'"{name}"' if name else ""
    return f'"{name}" <{address}>' if name and name.casefold() != address.casefold() else address


def _body(about: Properties) -> str:
    if text := about.text(BODY):
        return f"Content-Type: text/plain; charset=utf-8\n{_packed(text.encode())}"
    html = about.data(HTML)
    if about.values.get(HTML, (0, b""))[0] in {TEXT, ANSI}:
        html = about.text(HTML).encode()
        charset = "utf-8"
    else:
        charset = about.charset()
    return f'Content-Type: text/html; charset="{charset}"\n{_packed(html)}'


def _attached(attachment: Properties) -> str:
    name = (
        re.sub(r'["\\\x00-\x1f]', "_", attachment.line(FILE_NAME, SHORT_NAME, SHOWN_NAME))[:200]
        or "attachment"
    )
    kind = attachment.line(FILE_KIND).lower()
    kind = kind if _TYPE.fullmatch(kind) and not kind.startswith(("multipart/", "message/")) else ""
    data = attachment.data(ATTACHED) if _READABLE.search(name) else b""
    return (
        f'Content-Type: {kind or "application/octet-stream"}; name="{name}"\n'
        f'Content-Disposition: attachment; filename="{name}"\n{_packed(data[:_ATTACHED_LIMIT])}'
    )


def _packed(data: bytes) -> str:
    return f"Content-Transfer-Encoding: base64\n\n{base64.encodebytes(data).decode('ascii')}"
