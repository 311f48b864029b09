"""What the author of a mail wrote, apart from what they quote, forward or sign with.

Line by line and in linear time. Over a whole body the expressions of mail-parser-reply take time
that grows with the square of a line's length, so its tables of languages are used on single
lines and short windows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mailparser_reply.constants import MAIL_LANGUAGES

# A window of lines longer than this announces no quotation; no mail program writes such a line.
_WINDOW = 500
_GREETING = 40
# More lines that look like announcements are no correspondence; looking at all takes too long.
_LOOKS = 5_000


def _any_of(*words: str, flags: int = re.IGNORECASE, before: str = "") -> re.Pattern[str]:
    return re.compile(f"{before}(?:{'|'.join(words)})", flags)


_WROTE = (
    r"(?:wrote|writes|said|schrieb(?:en)?|a écrit|écrivait|escribió|escribio|ha scritto|scrisse"
    r"|escreveu|schreef|skrev|kirjoitti|napisał(?:\(a\)|a)?|napsal\(a\)|писал\(?а?\)?|написала?"
    r"|пишет|yazdı|写道|寫道|写到|のメール|が書きました|さんは書きました|書きました|님이 작성)"
)
_ANNOUNCED = _any_of(rf"{_WROTE}(?!\w).{{0,120}}[:：]\s*$", r"(?:写道|寫道|写到)\s*$")
_OPENER = re.compile(
    r"[\s*>\"“'(\[-]*(?:On|At|In|Am|Le|El|Em|Il|Op|Den|Dnia|Dne|Quoting|Quoth|Excerpts|Zitat"
    r"|Citando|Citat|在|于|於|Date|Datum|\d{1,4}[./年-]|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,)",
    re.IGNORECASE,
)
_DATED = _any_of(
    r"\d{1,2}[:.]\d{2}",
    r"\d{4}[-/.年]\s?\d{1,2}",
    r"\d{1,2}[-/.]\s?\d{1,2}[-/.]\s?\d{2,4}",
    r"\b\d{1,2}\.?(?: de)? \w{3,10}\.?,?(?: de)? \d{4}",
    r"\b[A-Z][a-z]{2,8} \d{1,2}, \d{4}",
    flags=0,
)
_ADDRESS = re.compile(r"[\w.+=-]{1,64}@[\w-]{1,64}|<\s*mailto:")
_JAPANESE = re.compile(r"\d{4}年\d{1,2}月\d{1,2}日.{1,160}<[^<>]{3,100}>\s*[:：]\s*$")
_LIBRARY = tuple(
    re.compile(language["wrote_header"], re.IGNORECASE)
    for language in MAIL_LANGUAGES.values()
    if language.get("wrote_header")
)
_SENT_FROM = _any_of(
    *(language["sent_from"] for language in MAIL_LANGUAGES.values() if language.get("sent_from")),
    r"Sent (?:with|via|using) ",
    r"Get (?:Outlook|BlueMail) for",
    r"Diese Nachricht wurde von mein",
    r"Von mein\w+ .{1,40} gesendet",
    r"Envoyé (?:de|avec|depuis) ",
    r"Télécharger Outlook",
    r"Enviado (?:desde|do|a partir) ",
    r"发自我的|發自我的|发送自",
    r"(?:iPhone|iPad|Android)から送信",
    r"Отправлено с",
    before=r"-{0,3}\s*",
)
_RULED = re.compile(r"[-_=*]{2,}\s*(\S[^\n]{2,60}?)\s*[-_=*]{2,}$")
_FORWARDED = _any_of(
    r"original[ -]?(?:message|appointment|nachricht|mail)",
    r"forwarded (?:message|by|mail)",
    r"copy of (?:the|your) message",
    r"(?:ursprüngliche|weitergeleitete) nachricht",
    r"message (?:d['’]origine|original|transféré|initial)",
    r"e-?mail (?:d['’]origine|transféré)",
    r"mensaje (?:original|reenviado)",
    r"messaggio (?:originale|inoltrato)",
    r"mensagem (?:original|encaminhada)",
    r"oorspronkelijk bericht|doorgestuurd bericht",
    r"исходное сообщение|пересылаемое сообщение",
    r"原始邮件|邮件原件|原始郵件|原始消息|转发的?邮件|转发的消息|轉寄的?郵件",
    r"元のメッセージ|転送(?:された)?メッセージ",
)
_BEGINS = _any_of(
    r"begin forwarded message",
    r"anfang der weitergeleiteten (?:nachricht|e-?mail)",
    r"début du (?:message|courriel|e-mail) (?:réexpédié|transféré)",
    r"inicio del mensaje reenviado",
    r"inizio (?:del )?messaggio inoltrato",
    r"开始转发的邮件|下面是被转发的邮件|轉寄的郵件",
    r"転送されたメッセージ",
)
_LABELS = {
    "from": "from|von|de|da|van|från|fra|od|от кого|от|发件人"
    "|寄件者|寄件人|差出人|送信者|보낸 사람",
    "date": "sent|date|gesendet|datum|envoyé|enviado el|enviado|fecha|data|inviato|verzonden"
    "|skickat|sendt|wysłano|дата|отправлено|发送时间|发送日期|日期|時間|寄件日期|送信日時|日時"
    "|보낸 날짜",
    "to": "to|an|à|para|a|aan|till|til|do|кому|收件人|收件者|宛先|받는 사람",
    "subject": "subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|temat|тема|主题"
    "|主旨|主題|件名|제목",
    "cc": "cc|bcc|kopie|copie|copia|kopia|копия|抄送|副本|reply-to|antwort an|organization",
}
_LABEL = re.compile(
    r"[\s*_]{0,4}(?:"
    + "|".join(f"(?P<{field}>{names})" for field, names in _LABELS.items())
    + r")[\s*_]{0,4}[:：]",
    re.IGNORECASE,
)
_FOOTER = re.compile(r"\s*(?:_{20,}|-{40,}|={40,})\s*$")


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold a body's two parts: what its author wrote, and everything else that stood in it.

    `own` has no blank lines at its ends. `quoted` holds the others' lines, the lines that announce
    them, and the signature; blank lines stay with what follows them, so no two bodies that differ
    become the same pair.
    """

    own: str
    quoted: str


def split(body: str) -> Reply:
    """Return who wrote what in the body of a mail.

    Own words are all lines that are not quoted (`>`), do not announce a quotation ("On … wrote:"),
    do not follow an Outlook header block or a line "Original message", and are no signature (`-- `,
    "Sent from my …", a mailing list's footer). Replies between quoted lines stay own.
    """
    lines = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return _joined(lines, _own_lines(lines))


def _own_lines(lines: list[str]) -> list[bool]:
    """Return for each line whether its author wrote it."""
    own = [not _is_quoted(line) for line in lines]
    looks = 0
    for index, line in enumerate(lines):
        if not line or not own[index] or len(line) > _WINDOW:
            continue
        stripped = line.strip()
        if not stripped:
            continue
        ends = stripped[-1]
        if (
            stripped[0] in "-_=*"
            or ends in ":：道"
            or ":" in stripped[:24]
            or "：" in stripped[:24]
        ):
            looks += 1
            if looks > _LOOKS and line != "-- ":
                continue
            if _ends_own_words(lines, index, stripped):
                return own[:index] + [False] * (len(lines) - index)
            start = _announcement(lines, own, index) if ends in ":：道" else None
            if start is not None:
                own[start : index + 1] = [False] * (index + 1 - start)
                if not _quote_follows(lines, own, index) and not _answers_below(
                    lines, own, start, index
                ):
                    return own[:index] + [False] * (len(lines) - index)
                continue
        if len(stripped) <= 80 and _SENT_FROM.match(stripped) and _blank_after(lines, own, index):
            own[index] = False
    return own


def _is_quoted(line: str) -> bool:
    return line.startswith(">") or line[:4].lstrip()[:1] in {">", "＞"}


def _ends_own_words(lines: list[str], index: int, line: str) -> bool:
    """Tell whether nothing from this line on is the author's: a signature, a forwarded message."""
    first = line[0]
    if line == "--":
        # Some programs lose the blank after the hyphens; then only a short rest is a signature.
        return lines[index] == "-- " or _few_follow(lines, index, most=20)
    if first in "-_=*":
        if _FOOTER.match(line):
            after = next(
                (n for n in range(index + 1, min(index + 4, len(lines))) if lines[n].strip()), 0
            )
            if after and _is_header_block(lines, after):
                return True
            return first == "_" and _few_follow(lines, index, most=12)
        ruled = _RULED.match(line)
        return bool(ruled and _FORWARDED.search(ruled[1])) or _is_header_block(lines, index)
    if line[-1] in ":：" and _BEGINS.fullmatch(line.rstrip(" \xa0:：")):
        return True
    return _is_header_block(lines, index)


def _is_header_block(lines: list[str], index: int) -> bool:
    """Tell whether lines like From:, Sent:, To:, Subject: start here, in any order and language."""
    head = lines[index][:80]
    if (":" not in head and "：" not in head) or not _LABEL.match(head):
        return False
    fields: set[str] = set()
    addressed = False
    for line in lines[index : index + 12]:
        if not line.strip():
            if len(fields) > 1:
                break
            continue
        match = _LABEL.match(line[:80])
        if match and match.lastgroup:
            fields.add(match.lastgroup)
        elif not fields:
            break
        addressed = addressed or "@" in line[:_WINDOW]
    enough = len(fields - {"cc"}) >= 3 or (len(fields - {"cc"}) == 2 and len(fields) == 3)
    return "from" in fields and enough and (addressed or "subject" in fields)


def _announcement(lines: list[str], own: list[bool], index: int) -> int | None:
    """Return where the announcement of a quotation that ends at `index` starts; None if none does.

    Where a line starting with `>` follows, a word like "wrote", or an address or a date before the
    colon, will do; where none does, it must read as a mail program's own line.
    """
    follows = _quote_follows(lines, own, index)
    window = lines[index].strip()
    start = index
    while (
        start > 0
        and index - start < 3
        and own[start - 1]
        and lines[start - 1].strip()
        and len(window) + len(lines[start - 1]) < _WINDOW
        and not _OPENER.match(window)
        and (_OPENER.match(lines[start - 1]) or _ADDRESS.search(lines[start - 1][:_WINDOW]))
    ):
        start -= 1
        window = f"{lines[start].strip()} {window}"
    named = bool(_ADDRESS.search(window))
    dated = bool(_DATED.search(window))
    wrote = bool(_ANNOUNCED.search(window))
    if follows:
        return start if wrote or ((named or dated) and len(window) <= 300) else None
    if wrote and (named or dated) and (_OPENER.match(window) or named):
        return start
    if not (named or dated) or not _OPENER.match(window) or len(window) > 300:
        return None
    known = _JAPANESE.match(window) or any(form.match(window) for form in _LIBRARY)
    return start if known else None


def _quote_follows(lines: list[str], own: list[bool], index: int) -> bool:
    for place in range(index + 1, min(index + 4, len(lines))):
        if lines[place].strip():
            return not own[place]
    return False


def _answers_below(lines: list[str], own: list[bool], start: int, index: int) -> bool:
    """Tell whether the author writes below an announcement, between what is quoted line by line.

    Then nothing but a greeting stands above it, and lines starting with `>` follow soon. Without
    either, what follows unmarked is the other's: taking it for the author's would be worse.
    """
    above = [line.strip() for line in lines[:start] if line.strip()]
    greeting = not above or (len(above) == 1 and len(above[0]) <= _GREETING)
    below = range(index + 1, min(index + 13, len(lines)))
    return greeting and any(not own[place] and lines[place].strip() for place in below)


def _blank_after(lines: list[str], own: list[bool], index: int) -> bool:
    after = index + 1
    return after >= len(lines) or not lines[after].strip() or not own[after]


def _few_follow(lines: list[str], index: int, *, most: int) -> bool:
    if len(lines) - index > 4 * most:
        return False
    return sum(1 for line in lines[index + 1 :] if line.strip()) <= most


def _joined(lines: list[str], own: list[bool]) -> Reply:
    """Return both parts as text; blank lines go with the line after them, the last ones nowhere."""
    mine: list[str] = []
    theirs: list[str] = []
    blanks: list[str] = []
    for line, written in zip(lines, own, strict=True):
        if not line.strip():
            blanks.append("")
            continue
        part = mine if written else theirs
        part.extend(blanks)
        part.append(line.rstrip())
        blanks.clear()
    return Reply("\n".join(mine).strip(), "\n".join(theirs))
