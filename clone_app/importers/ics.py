"""Calendars (.ics): events, and the tasks and journal entries some programs keep beside them.

Cut into components here, so that one bad event never stops the rest and memory stays flat; what is
in a component is read by icalendar (RFC 5545).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from typing import Any

from clone_app.entries import (
    ImportProblem,
    Item,
    Moment,
    Precision,
    Skipped,
    clean_text,
    content_hash,
)
from clone_app.importers.addresses import Address
from clone_app.importers.claims import claim_by_sureness
from clone_app.importers.each_file import each_file
from clone_app.importers.rules import spoken
from clone_app.importers.stamps import made_key
from clone_app.importers.textfile import head_text, lines
from clone_app.importers.zones import in_zone
from clone_app.protocols import Claim, Found, Member, Reading

_ENDINGS = (".ics", ".ical", ".icalendar")
_MEDIA = {"VEVENT": "calendar", "VTODO": "task", "VJOURNAL": "diary"}
# Which property says when: never DTSTAMP, which most programs set to the moment of the export.
_WHEN = {
    "VEVENT": ("DTSTART",),
    "VTODO": ("CREATED", "DTSTART"),
    "VJOURNAL": ("DTSTART", "CREATED"),
}
_BEGIN = re.compile(r"BEGIN:([\w-]{1,40})\s*$", re.IGNORECASE)
_END = re.compile(r"END:([\w-]{1,40})\s*$", re.IGNORECASE)
_ATTACHED = re.compile(r"(?:ATTACH|X-[\w-]{1,60})[;:]", re.IGNORECASE)
_HTML = re.compile(r"<(?:html|body|br|p|div|span|a|b|i|u|ul|ol|li)\b[^<>]{0,2000}>", re.IGNORECASE)
_NAMED = re.compile(r"^TZID[^\n]*\n", re.IGNORECASE | re.MULTILINE)
_OFTEN = re.compile(r"FREQ=(?!YEARLY)", re.IGNORECASE)
_COMPONENT_LIMIT, _LINES, _PEOPLE = 1_000_000, 20_000, 200


@dataclass(frozen=True, slots=True)
class Ics:
    """Read calendars; an event that repeats is one item that says how it repeats."""

    name: str = "ics"
    title: str = "Calendar (.ics)"
    help: str = (
        "Google Calendar: Settings, Import & export, Export. Apple and Outlook: File, Export. "
        "Choose the .ics file or the zip."
    )
    endings: tuple[str, ...] = (*_ENDINGS, ".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim files that begin as a calendar, less surely those that are only called one."""
        return claim_by_sureness(members, _sureness)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each event, task and journal entry."""
        yield from each_file(members, lambda member: _calendar(member, reading))


ICS = Ics()


def _sureness(member: Member) -> float:
    if head_text(member.head()[:64]).lstrip().upper().startswith("BEGIN:VCALENDAR"):
        return 0.95
    return 0.4 if member.path.lower().endswith(_ENDINGS) else 0.0


@dataclass(slots=True)
class _Setting:
    """Know what a calendar says of itself above its events."""

    reading: Reading
    zone: str = ""
    owner: str = ""
    zones: dict[str, list[str]] = field(default_factory=dict)
    made: dict[str, tzinfo | None] = field(default_factory=dict)

    def take(self, line: str) -> None:
        """Take a line that stands outside all components."""
        name, _, value = line.rstrip("\r\n").partition(":")
        match name.partition(";")[0].upper():
            case "X-WR-TIMEZONE":
                self.zone = value.strip()
            case "X-WR-CALNAME" if "@" in value:  # Google calls a person's calendar by the address
                self.owner = value.strip().casefold()

    def is_me(self, person: Address) -> bool:
        """Tell whether a person is the user, or whose calendar it is."""
        named = self.owner and person.address.casefold() == self.owner
        return bool(named) or self.reading.is_me(person.name, person.address, str(person))

    def own_zone(self, name: str) -> tzinfo | None:
        """Return a time zone the file defines itself, made when the first event asks for it."""
        if name not in self.made:
            self.made[name] = _made_zone(self.zones.get(name, []))
        return self.made[name]


def _made_zone(block: list[str]) -> tzinfo | None:
    import icalendar

    text = "".join(block)
    if not text or _OFTEN.search(text):  # a clock that changes each second would be counted out
        return None
    # icalendar remembers zones by name, and another calendar may call another zone the same.
    text = _NAMED.sub(f"TZID:{content_hash(text)}\r\n", text, count=1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found: Any = icalendar.Timezone.from_ical(text)
            zone: tzinfo = found.to_tz()
            datetime(2020, 1, 1, tzinfo=zone).utcoffset()
    except Exception:  # whatever a made-up zone brings up: the clock then stands without one
        return None
    return zone


def _calendar(member: Member, reading: Reading) -> Iterator[Found]:
    setting = _Setting(reading)
    count, kind, block, size = 0, "", list[str](), 0
    calendar = attached = False
    for line in lines(member):
        calendar = calendar or line.lstrip("\ufeff").upper().startswith("BEGIN:VCALENDAR")
        if not kind:
            begun = _BEGIN.match(line)
            if begun and begun[1].upper() not in {"VCALENDAR", "VALARM"}:
                kind, block, size, attached = begun[1].upper(), [line], 0, False
            else:
                setting.take(line)
            continue
        attached = bool(_ATTACHED.match(line)) or (attached and line[:1] in {" ", "\t"})
        size += len(line)
        ended = _END.match(line)
        if not attached and size <= _COMPONENT_LIMIT and (ended or len(block) < _LINES):
            block.append(line)
        if not ended or ended[1].upper() != kind:
            continue
        if kind == "VTIMEZONE":
            setting.zones.setdefault(_zone_name(block), block)
        elif kind in _MEDIA:
            count += 1
            if size > _COMPONENT_LIMIT:
                yield ImportProblem(f"{member.locator}#{count}", "is larger than any event")
            else:
                yield _read(kind, block, f"{member.locator}#{count}", setting)
        kind = ""
    if not calendar:
        reason = "is no calendar, whatever its name says; export it again"
        yield (
            ImportProblem(member.locator, reason)
            if member.size
            else Skipped(member.locator, "an empty file")
        )
    elif kind in _MEDIA:
        yield ImportProblem(
            f"{member.locator}#{count + 1}", "breaks off in the middle; download or copy it again"
        )
    elif not count:
        yield Skipped(member.locator, "no events in it")


def _zone_name(block: list[str]) -> str:
    named = (line.partition(":")[2] for line in block if line.upper().startswith("TZID"))
    return next(named, "").strip()


def _read(kind: str, block: list[str], locator: str, setting: _Setting) -> Found:
    import icalendar  # late: it takes a tenth of a second, and few people import a calendar

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of zones it has to guess
            component = icalendar.Component.from_ical("".join(block))
        return _item(kind, component, locator, setting)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        return ImportProblem(locator, "is no event that can be read; export the calendar again")


def _item(kind: str, event: Any, locator: str, setting: _Setting) -> Found:
    title = _words(event, "SUMMARY")
    found = (_moment(event, name, setting) for name in _WHEN[kind])
    moment = next((one for one in found if one is not None), None) or Moment.unknown()
    rule = spoken(_raw(event, "RRULE"))
    text = _text(kind, event, setting, title=title, moment=moment, rule=rule)
    if not text:
        return Skipped(locator, "an event without words")
    organizer = next(_people(event, "ORGANIZER"), None)
    guests = tuple(_people(event, "ATTENDEE"))
    again = _raw(event, "RECURRENCE-ID")
    uid = _words(event, "UID")
    key = (f"{uid}/{again}" if again else uid) if uid else made_key("ics", moment, text)
    status = _words(event, "STATUS").casefold()
    refused = any(
        setting.is_me(guest) and str(answer).upper() == "DECLINED"
        for guest, answer in zip(guests, _answers(event), strict=False)
    )
    labels = [*_categories(event), "repeats" if rule else "", "declined" if refused else ""]
    labels.append(status if status in {"cancelled", "completed"} else "")
    return Item(
        key=key[:1000],
        medium=_MEDIA[kind],
        moment=moment,
        text=text,
        mine=organizer is None or setting.is_me(organizer),
        locator=locator,
        author=str(organizer or ""),
        title=title,
        recipients=tuple(dict.fromkeys(str(one) for one in guests if one != organizer)),
        thread=uid if again else "",
        labels=tuple(dict.fromkeys(label for label in labels if label)),
    )


def _text(
    kind: str, event: Any, setting: _Setting, *, title: str, moment: Moment, rule: str
) -> str:
    """Return what an event says, its title first and each of its fields on a line."""
    place = _words(event, "LOCATION")
    due = _moment(event, "DUE", setting) if kind == "VTODO" else None
    rows = (
        title,
        _until(moment, event, setting) if kind == "VEVENT" else "",
        f"Place: {place}" if place else "",
        f"Due: {due.iso()}" if due else "",
        f"Repeats: {rule}" if rule else "",
    )
    head = "\n".join(row for row in rows if row)
    return "\n\n".join(part for part in (head, _description(event)) if part)


def _every(event: Any, name: str) -> list[Any]:
    value = event.get(name)
    found = value[:_PEOPLE] if isinstance(value, list) else [value]
    # icalendar keeps what it can't read as a broken value, which falls when it is asked for more.
    return [one for one in found if one is not None and type(one).__name__ != "vBroken"]


def _words(event: Any, name: str) -> str:
    return next((clean_text(str(one)).strip() for one in _every(event, name)), "")


def _raw(event: Any, name: str) -> str:
    """Return a value as it stands in the file."""
    for one in _every(event, name):
        raw = one.to_ical()
        return clean_text(raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw))
    return ""


def _description(event: Any) -> str:
    text = _words(event, "DESCRIPTION")
    if not _HTML.search(text):
        return text
    from clone_app.importers.html import to_text

    # Google's fields hold line ends and tags side by side, and both are meant.
    return to_text(text.replace("\n", "<br>")).strip()


def _people(event: Any, name: str) -> Iterator[Address]:
    for one in _every(event, name):
        shown = clean_text(str(one.params.get("CN", ""))).strip().strip("'\"")
        address = re.sub(r"(?i)^mailto:", "", clean_text(str(one)).strip())
        if "@" not in address:  # `urn:uuid:…`, `invalid:nomail`
            address = ""
        if shown or address:
            yield Address("" if shown.casefold() == address.casefold() else shown, address)


def _answers(event: Any) -> list[str]:
    return [one.params.get("PARTSTAT", "") for one in _every(event, "ATTENDEE")]


def _categories(event: Any) -> list[str]:
    words = (clean_text(str(word)) for one in _every(event, "CATEGORIES") for word in one.cats)
    return [word.strip() for word in words]


def _moment(event: Any, name: str, setting: _Setting) -> Moment | None:
    """Return a property's moment: a day alone stays one, an instant is shown in its own zone."""
    for one in _every(event, name):
        when = getattr(one, "dt", None)
        if isinstance(when, datetime):
            own = str(one.params.get("TZID", ""))
            if when.tzinfo is None and own and (zone := setting.own_zone(own)):
                when = when.replace(tzinfo=zone)
            moment = Moment.of(when.replace(microsecond=0), Precision.MINUTE)
            # A time in UTC was written on a clock the calendar names elsewhere, if at all.
            utc = not own and moment.offset is not None
            return in_zone(moment, setting.zone) if utc and setting.zone else moment
        if isinstance(when, date):
            return Moment.on(when)
    return None


def _until(moment: Moment, event: Any, setting: _Setting) -> str:
    """Return the last day of an event of several days, since its moment tells the first alone."""
    end, first = _moment(event, "DTEND", setting), moment.day()
    last = end.day() if end else None
    if end and last and end.precision is Precision.DAY:
        last = date.fromordinal(max(last.toordinal() - 1, 1))  # the end names the day after
    return f"Until: {last.isoformat()}" if first and last and last > first else ""
