"""Make up a mailbox and a chat export of any size: the same bytes from the same seed.

Words follow Zipf's law over a vocabulary of each language, so that the full-text index grows as it
does from real prose. Mail comes in threads: replies quote what they answer under the line a mail
program writes in that language, deeper ones quote the quotation. Besides: the stamps of the
servers on the way (some 3 kB, as Gmail's are), HTML beside plain text as Outlook and Gmail write it,
newsletters in HTML alone, signatures, pictures and documents attached, and the charsets and transfer
encodings such text comes in.
"""

from __future__ import annotations

import base64
import itertools
import json
import quopri
import random
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

SEED = 7
_SYLLABLES = {
    "en": "ing er an the tion re st ment al en or be con de ly pre ver ous for ter ble wind ham low",
    "de": "en er ge ver be sch ung heit keit lich stein auf ein vor über zurück mög grün str ach",
    "fr": "ment tion é ré dé con eau ais ois ille que été elle ance pré voir çon gne âge œuvr",
    "es": "ción mente ado que ero ía los tra por des ñe cu gu ando ería pre con miento á",
    "ru": "ов ство при по ска ние ный пере раз ост ель ать ива лиц мен под ряд ка зна",
    "zh": "的一是了我不人在他有这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学",
}
_COMMON = {
    "en": "the to and I of a in that it is was for on you we with but not have be at this they my",
    "de": "die der und ich in das ist nicht zu den es wir mit auf ein war dass sich auch so wie",
    "fr": "de la le et je les des que il à est un en ne pas pour dans nous une ce qui avec sur",
    "es": "de que la el y en a no los se un por con una lo me es para las pero más como su ya",
    "ru": "и в не я на что с он как это но по из у мы за так же от ты было все она к",
    "zh": "的 了 我 是 在 不 有 和 就 也 我们 他们 今天 明天 觉得 一起 没有 什么 这个 那个",
}
_WROTE = {
    "en": "On {day}, {name} <{address}> wrote:",
    "de": "Am {day} schrieb {name} <{address}>:",
    "fr": "Le {day}, {name} <{address}> a écrit :",
    "es": "El {day}, {name} <{address}> escribió:",
    "ru": "{day} пользователь {name} <{address}> написал:",
    "zh": "在 {day}，{name} <{address}> 写道：",
}
_CHARSETS = {
    "en": ("us-ascii", "utf-8"),
    "de": ("iso-8859-1", "utf-8", "windows-1252"),
    "fr": ("iso-8859-15", "utf-8"),
    "es": ("utf-8", "iso-8859-1"),
    "ru": ("koi8-r", "windows-1251", "utf-8"),
    "zh": ("gb2312", "utf-8"),
}
_SHARES = {"en": 60, "de": 14, "fr": 9, "es": 9, "ru": 4, "zh": 4}
_START = datetime(2009, 1, 4, 8, tzinfo=UTC)
ME = ("Ada Merz", "ada.merz@example.org")


@dataclass(frozen=True, slots=True)
class Letter:
    """Hold a mail of a thread as far as its answer needs it."""

    identity: str
    subject: str
    body: str
    sender: tuple[str, str]
    sent: datetime


class Words:
    """Draw words of one language by Zipf's law."""

    def __init__(self, language: str, chance: random.Random) -> None:
        self.language, self._chance = language, chance
        syllables = _SYLLABLES[language]
        parts = list(syllables) if language == "zh" else syllables.split()
        common = _COMMON[language].split()
        made = {
            "".join(chance.choices(parts, k=chance.randint(2, 4)))
            for _ in range(4_000 if language == "zh" else 30_000)
        }
        self._words = common + sorted(made - set(common))
        self._weights = list(itertools.accumulate(1 / (n + 2.7) for n in range(len(self._words))))
        self._gap, self._stop = ("", "。") if language == "zh" else (" ", ". ")

    def sentences(self, words: int) -> str:
        """Return about so many words as sentences."""
        chance, out = self._chance, []
        drawn = iter(chance.choices(self._words, cum_weights=self._weights, k=words))
        while sentence := list(itertools.islice(drawn, chance.randint(6, 18))):
            text = self._gap.join(sentence)
            out.append(text[:1].upper() + text[1:])
        return self._stop.join(out) + self._stop.strip()

    def prose(self, words: int) -> str:
        """Return about so many words as paragraphs."""
        left, out = words, []
        while left > 0:
            now = min(left, self._chance.randint(30, 110))
            out.append(self.sentences(now))
            left -= now
        return "\n\n".join(out)


class Mailbox:
    """Write mail for ever; `attached` is the share of mails that carry a file."""

    def __init__(self, *, attached: float, seed: int = SEED) -> None:
        self._chance = random.Random(seed)
        self._attached = attached
        self._words = {language: Words(language, self._chance) for language in _SHARES}
        names = self._words["en"]
        self._people = [
            (name.title(), f"{name.replace(' ', '.').lower()}@example.{end}")
            for end in ("org", "com", "net")
            for name in (names.sentences(2).rstrip(".") for _ in range(80))
        ]
        self._file = base64.encodebytes(self._chance.randbytes(1_500_000))
        self._open: list[tuple[str, Letter]] = []
        self._sent, self._number = _START, 0

    def mbox(self) -> Iterator[bytes]:
        """Yield messages as an mbox holds them, each with its line `From ` and an empty line."""
        while True:
            data = self._message()
            stamp = self._sent.strftime("%a %b %d %H:%M:%S %Y")
            body = data.replace(b"\nFrom ", b"\n>From ")
            yield f"From {self._number}@example.org {stamp}\n".encode() + body + b"\n"

    def _message(self) -> bytes:
        chance = self._chance
        self._sent += timedelta(minutes=chance.randint(1, 90))
        self._number += 1
        if chance.random() < 0.15:
            return self._newsletter()
        if self._open and chance.random() < 0.6:
            language, before = self._open[chance.randrange(len(self._open))]
        else:
            language = chance.choices(list(_SHARES), weights=list(_SHARES.values()))[0]
            before = None
        words = self._words[language]
        me = chance.random() < 0.35
        sender = ME if me else chance.choice(self._people)
        own = words.prose(max(4, round(chance.lognormvariate(4.2, 0.9))))
        subject = words.sentences(chance.randint(2, 7)).rstrip(".。")
        body = own
        if before is not None:
            body = self._reply(language, before, own)
            subject = f"Re: {before.subject.removeprefix('Re: ')}"
        if chance.random() < 0.3:
            body += f"\n\n-- \n{sender[0]}\n{words.sentences(6)}\nhttps://example.org/{sender[0]}"
        elif chance.random() < 0.1:
            body += "\n\nSent from my iPhone"
        letter = Letter(
            f"{self._number}.{chance.getrandbits(48):x}@example.org",
            subject,
            body,
            sender,
            self._sent,
        )
        self._open.append((language, letter))
        if len(self._open) > 400:
            del self._open[chance.randrange(200)]
        to = chance.choice(self._people) if me else ME
        return self._headers(letter, to=to, before=before) + self._parts(language, body)

    def _reply(self, language: str, before: Letter, own: str) -> str:
        quoted = "\n".join(f"> {line}".rstrip() for line in before.body.split("\n")[:120])
        day = before.sent.strftime(
            "%d.%m.%Y, %H:%M" if language != "en" else "%a, %b %d, %Y at %H:%M"
        )
        said = _WROTE[language].format(day=day, name=before.sender[0], address=before.sender[1])
        style = self._chance.random()
        if style < 0.15:  # between the lines
            lines, half = quoted.split("\n"), len(quoted.split("\n")) // 2
            return "\n".join([said, *lines[:half], "", own, "", *lines[half:]])
        if style < 0.25:  # Outlook's way
            head = f"From: {before.sender[0]}\nSent: {day}\nTo: {ME[0]}\nSubject: {before.subject}"
            return f"{own}\n\n-----Original Message-----\n{head}\n\n{before.body[:6000]}"
        return f"{own}\n\n{said}\n{quoted}"

    def _headers(self, letter: Letter, *, to: tuple[str, str], before: Letter | None) -> bytes:
        stamp = format_datetime(letter.sent)
        lines = [
            f"Delivered-To: {to[1]}",
            *self._way(to[1], stamp),
            f"From: {_word(letter.sender[0])} <{letter.sender[1]}>",
            f"To: {_word(to[0])} <{to[1]}>",
            f"Subject: {_word(letter.subject)}",
            f"Date: {format_datetime(letter.sent)}",
            f"Message-ID: <{letter.identity}>",
        ]
        if before is not None:
            lines += [f"In-Reply-To: <{before.identity}>", f"References: <{before.identity}>"]
        return "\n".join([*lines, "MIME-Version: 1.0", ""]).encode()

    def _way(self, to: str, stamp: str) -> list[str]:
        """Return what the servers on the way wrote: received, sealed, checked."""
        chance, lines = self._chance, []
        for hop in ("mx.example.net", "out7.example.com", "mail-sor.example.com"):
            lines += [
                f"Received: from {hop} ({hop}. [192.0.2.{chance.randrange(250)}])",
                f"\tby relay{self._number % 7}.example.org with ESMTPS id {chance.getrandbits(90):x}",
                f"\tfor <{to}> (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);",
                f"\t{stamp}",
            ]
        for name in ("ARC-Seal: i=1", "ARC-Message-Signature: i=1", "DKIM-Signature: v=1"):
            seal = base64.b64encode(chance.randbytes(256)).decode()
            lines.append(
                f"{name}; a=rsa-sha256; t={chance.getrandbits(31)}; d=example.com; s=arc-2016;"
            )
            lines.append("        h=to:subject:message-id:date:from:mime-version:dkim-signature;")
            lines += [f"         {part}" for part in textwrap.wrap(f"b={seal}", 72)]
        for name in ("ARC-Authentication-Results: i=1;", "Authentication-Results:"):
            lines.append(f"{name} mx.example.org;")
            lines.append(
                "       dkim=pass header.i=@example.com header.s=20161025 header.b=dY7zRe;"
            )
            lines.append(
                f"       spf=pass (domain of {to} designates 192.0.2.41 as permitted sender)"
            )
            lines.append("       smtp.mailfrom=bounce@example.com; dmarc=pass (p=NONE dis=NONE)")
        return lines

    def _parts(self, language: str, body: str) -> bytes:
        chance = self._chance
        charset = chance.choice(_CHARSETS[language])
        plain = _part("plain", body, charset=charset, chance=chance)
        if chance.random() < 0.7:
            rich = _part("html", _html(body, chance), charset="utf-8", chance=chance)
            plain = _multipart("alternative", [plain, rich], self._number)
        if chance.random() < self._attached:
            size = min(1_400_000, round(chance.lognormvariate(11.6, 1.0)))  # some 180 kB
            kind = chance.choice(("image/jpeg", "application/pdf"))
            head = f'Content-Type: {kind}; name="IMG_{self._number}.bin"\nContent-Disposition: attachment;'
            head += f' filename="IMG_{self._number}.bin"\nContent-Transfer-Encoding: base64\n\n'
            start = chance.randrange(0, len(self._file) - size, 77)
            plain = _multipart(
                "mixed", [plain, head.encode() + self._file[start : start + size]], -self._number
            )
        return plain

    def _newsletter(self) -> bytes:
        words, chance = self._words["en"], self._chance
        sender = (words.sentences(2).rstrip("."), f"news{chance.randrange(40)}@example.com")
        letter = Letter(f"n{self._number}@example.com", words.sentences(6), "", sender, self._sent)
        cells = "".join(
            f'<tr><td style="padding:12px 24px;font:15px/22px Arial;color:#333333"><h2>{words.sentences(5)}'
            f'</h2><p style="margin:0">{words.sentences(chance.randint(20, 60))}</p>'
            f'<a href="https://example.com/c/{chance.getrandbits(160):x}">Read&nbsp;more</a>'
            f'<img src="https://example.com/i/{chance.getrandbits(160):x}.gif" width="1"></td></tr>\n'
            for _ in range(chance.randint(3, 14))
        )
        head = "<html><head><style>p { margin: 0 }</style></head><body>"
        text = f"{head}<table>{cells}</table></body></html>"
        part = _part("html", text, charset="utf-8", chance=chance)
        return self._headers(letter, to=ME, before=None) + part


def _word(text: str) -> str:
    if text.isascii():
        return text
    return f"=?utf-8?B?{base64.b64encode(text.encode()).decode()}?="


_OUTLOOK = """<html xmlns:v="urn:schemas-microsoft-com:vml"
 xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40"><head>
<meta name="Generator" content="Microsoft Word 15 (filtered medium)"><style><!--
@font-face {font-family:"Cambria Math"; panose-1:2 4 5 3 5 4 6 3 2 4;}
@font-face {font-family:Calibri; panose-1:2 15 5 2 2 2 4 3 2 4;}
p.MsoNormal, li.MsoNormal, div.MsoNormal {margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif;}
a:link, span.MsoHyperlink {mso-style-priority:99; color:#0563C1; text-decoration:underline;}
span.EmailStyle17 {mso-style-type:personal-compose; font-family:"Calibri",sans-serif; color:windowtext;}
.MsoChpDefault {mso-style-type:export-only; font-family:"Calibri",sans-serif;}
@page WordSection1 {size:612.0pt 792.0pt; margin:70.85pt 70.85pt 2.0cm 70.85pt;}
div.WordSection1 {page:WordSection1;}
--></style></head><body lang="DE" link="#0563C1" vlink="#954F72"><div class="WordSection1">
"""


def _html(body: str, chance: random.Random) -> str:
    """Return a text as Outlook writes it, or as Gmail does."""
    parts = body.replace("&", "&amp;").replace("<", "&lt;").split("\n\n")
    if chance.random() < 0.5:
        rows = "".join(
            f"<div>{part.replace(chr(10), '<br>')}</div><div><br></div>" for part in parts
        )
        return f'<div dir="ltr">{rows}</div>'
    style = "font-size:11.0pt;font-family:&quot;Calibri&quot;,sans-serif;color:#1F497D"
    rows = "".join(
        f'<p class="MsoNormal"><span lang="EN-US" style="{style}">{part.replace(chr(10), "<br>")}'
        '<o:p></o:p></span></p>\n<p class="MsoNormal"><o:p>&nbsp;</o:p></p>\n'
        for part in parts
    )
    return f"{_OUTLOOK}{rows}</div></body></html>"


def _part(kind: str, text: str, *, charset: str, chance: random.Random) -> bytes:
    if kind == "plain" and chance.random() < 0.7:
        text = (
            "\n".join(
                part for line in text.split("\n") for part in (textwrap.wrap(line, 76) or [""])
            )
            if len(text) < 20_000
            else text
        )
    data = text.encode(charset, "replace") + b"\n"
    if data.isascii() and chance.random() < 0.5 and max(map(len, data.split(b"\n"))) < 900:
        encoding = "7bit"
    elif chance.random() < 0.75 and charset not in {"koi8-r", "gb2312"}:
        encoding, data = "quoted-printable", quopri.encodestring(data)
    else:
        encoding, data = "base64", base64.encodebytes(data)
    head = (
        f'Content-Type: text/{kind}; charset="{charset}"\nContent-Transfer-Encoding: {encoding}\n\n'
    )
    return head.encode() + data


def _multipart(kind: str, parts: list[bytes], number: int) -> bytes:
    mark = f"=_part_{number:012x}_{kind}"
    head = f'Content-Type: multipart/{kind}; boundary="{mark}"\n\n'.encode()
    line = f"--{mark}\n".encode()
    return head + b"".join(line + part + b"\n" for part in parts) + f"--{mark}--\n".encode()


def write_mbox(path: Path, *, size: int, attached: float) -> None:
    """Write an mbox of about so many bytes."""
    done = 0
    with path.open("wb") as out:
        for message in Mailbox(attached=attached).mbox():
            done += out.write(message)
            if done >= size:
                return


def write_chats(path: Path, *, size: int) -> None:
    """Write a Telegram export (one JSON document, all chats) of about so many bytes."""
    chance = random.Random(SEED)
    words = {language: Words(language, chance) for language in _SHARES}
    sent, number = _START, 0
    with path.open("w", encoding="utf-8") as out:
        out.write('{"about": "Here is the data you requested.", "personal_information": ')
        out.write('{"user_id": 1, "first_name": "Ada", "last_name": "Merz"}, "chats": {"list": [')
        for chat in itertools.count():
            if out.tell() >= size:
                break
            out.write(",\n" * bool(chat) + f'{{"name": "Robin {chat}", "type": "personal_chat", ')
            out.write(f'"id": {chat + 100}, "messages": [')
            language = chance.choices(list(_SHARES), weights=list(_SHARES.values()))[0]
            for place in range(20_000):
                number += 1
                sent += timedelta(seconds=chance.randint(5, 900))
                mine = chance.random() < 0.45
                text = words[language].sentences(max(1, round(chance.lognormvariate(2.2, 0.9))))
                message = {
                    "id": number,
                    "type": "message",
                    "date": sent.strftime("%Y-%m-%dT%H:%M:%S"),
                    "date_unixtime": str(int(sent.timestamp())),
                    "from": "Ada Merz" if mine else f"Robin {chat}",
                    "from_id": "user1" if mine else f"user{chat + 100}",
                    "text": text,
                    "text_entities": [{"type": "plain", "text": text}],
                }
                out.write(",\n" * bool(place) + json.dumps(message, ensure_ascii=False))
            out.write("]}")
        out.write("]}}\n")
