"""Folders and labels of mail: which of them hold what the user sent, in the words programs use."""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Iterable

# The five that mean something to the program; all other labels stay as the user named them.
SENT, DRAFTS, SPAM, TRASH, CHATS = "Sent", "Drafts", "Spam", "Trash", "Chats"
_NAMES = {
    SENT: "sent|sent items|sent mail|sent messages|sent objects|outbox|gesendet|gesendete objekte"
    "|gesendete elemente|gesendete nachrichten|postausgang|envoyés|envoyé|éléments envoyés"
    "|messages envoyés|courrier envoyé|objets envoyés|enviados|enviado|elementos enviados"
    "|correo enviado|mensajes enviados|enviadas|itens enviados|e-mails enviados|inviata|inviati"
    "|mensagens enviadas|posta inviata|elementi inviati|verzonden|verzonden items|skickat|skickade"
    "|verzonden berichten|sendt|sendte elementer|lähetetyt|wysłane|elementy wysłane|odeslané"
    "|odeslaná pošta|elküldött|trimise|gönderilmiş|gönderilmiş postalar|отправленные|надіслані"
    "|已发送|已发送邮件|已发邮件|寄件備份|已傳送|已寄出|送信済み|送信済みメール|送信済みアイテム"
    "|보낸편지함|보낸 메일함|보낸 편지함|المرسلة|נשלח",
    DRAFTS: "drafts|draft|entwürfe|entwurf|brouillons|brouillon|borradores|borrador|rascunhos"
    "|bozze|concepten|utkast|kladder|luonnokset|wersje robocze|koncepty|черновики|чернетки|草稿"
    "|草稿箱|下書き|임시보관함",
    SPAM: "spam|junk|junk e-mail|junk email|bulk mail|junk-e-mail|werbung|unerwünscht|no deseado"
    "|courrier indésirable|indésirables|pourriel|correo no deseado|lixo eletrônico|skräppost"
    "|posta indesiderata|ongewenste e-mail|спам|垃圾邮件|垃圾郵件|迷惑メール|스팸함",
    TRASH: "trash|deleted|deleted items|deleted messages|bin|papierkorb|gelöschte objekte"
    "|gelöschte elemente|corbeille|éléments supprimés|papelera|elementos eliminados|lixeira"
    "|itens excluídos|cestino|posta eliminata|prullenbak|verwijderde items|papperskorg|kosz"
    "|удаленные|корзина|已删除|已删除邮件|垃圾桶|ゴミ箱|削除済みアイテム|휴지통",
    CHATS: "chats|chat|chatten|conversations|conversaciones|聊天|チャット",
}
_KNOWN = {
    unicodedata.normalize("NFC", name): label
    for label, names in _NAMES.items()
    for name in names.split("|")
}


def known(name: str) -> str:
    """Return which of the five a folder's or label's name means, in any language; else empty."""
    return _KNOWN.get(" ".join(unicodedata.normalize("NFC", name).casefold().split()), "")


def of_path(path: str) -> tuple[str, ...]:
    """Return the known labels that the folders (and the mbox file) on a path stand for, in order.

    Reads `Sent.mbox`, `INBOX.Sent`, Thunderbird's `Sent.sbd`, `[Gmail]/Sent Mail`, and Maildir
    folders in IMAP's own encoding (`.&AMk-l&AOk-ments envoy&AOk-s`).
    """
    found: list[str] = []
    for part in path.split("/"):
        part = from_imap(re.sub(r"\.(?:mbox|mbx|sbd|mbs)$", "", part, flags=re.IGNORECASE))
        for name in (part.strip(". "), part.rsplit(".", 1)[-1]):
            label = known(re.sub(r"[-_]", " ", name)) or known(name)
            if label and label not in found:
                found.append(label)
    return tuple(found)


def of_gmail(labels: str) -> tuple[str, ...]:
    """Return the labels in a decoded `X-Gmail-Labels` header, the known ones in English."""
    names = re.findall(r'"([^"]*)"|([^,]+)', labels)
    return distinct(
        known(name) or name for name in ((quoted or bare).strip() for quoted, bare in names)
    )


def of_flags(file_name: str) -> tuple[str, ...]:
    """Return what the letters that end a Maildir file's name say: `51:2,DT`, a deleted draft."""
    match = re.search(r"[:;!]2,([A-Za-z]*)$", file_name)
    flags = match[1] if match else ""
    return tuple(label for letter, label in (("D", DRAFTS), ("T", TRASH)) if letter in flags)


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names without repetition and blanks, in order."""
    return tuple(dict.fromkeys(name for name in names if name))


def from_imap(name: str) -> str:
    """Return a folder's name out of IMAP's modified UTF-7; unchanged where it isn't that."""

    def unpacked(match: re.Match[str]) -> str:
        if not match[1]:
            return "&"
        letters = match[1].replace(",", "/")
        try:
            return base64.b64decode(letters + "=" * (-len(letters) % 4)).decode("utf-16-be")
        except ValueError:
            return match[0]

    return re.sub(r"&([A-Za-z0-9+,]{0,200})-", unpacked, name)
