"""What WhatsApp puts where a person's words would stand: pictures left out, deleted messages."""

from __future__ import annotations

import re

_LRM = "\u200e"
_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
# `<Media omitted>`, in any language: whole words in angle brackets and no markup or smiley.
_ANGLED = re.compile(r"<(?=[^<>]*(?:\s|[^\x00-\x7f]))[^<>=/\d]{4,60}>")
_ANGLED_FILE = re.compile(r"<[^<>:\n]{2,40}: ?[^<>\n]{1,200}\.\w{2,5}>\s*$")
_FILE = re.compile(r"[^\n/:]{1,200}\.\w{2,5} \([^()\n]{3,40}\)")
_EDITED = re.compile(
    r"<[^<>\n]{0,40}(?:edit|bearbeit|modifi|redig|bewerk|rediger|измен|відред|düzenle|编辑|編輯"
    r"|編集|편집|تعديل|נערכה)[^<>\n]{0,40}>\s*$",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"(?:image|photo|video(?: note)?|audio|voice message|sticker|gif|document|contact card|media) omitted"
    r"|(?:bild|foto|video(?:notiz)?|audio|sticker|gif|dokument|kontaktkarte|medien?) "
    r"(?:weggelassen|ausgeschlossen)"
    r"|(?:imagen|foto|v[ií]deo|audio|sticker|gif|documento|tarjeta de contacto|archivo|multimedia) "
    r"omitid[oa]"
    r"|(?:image|photo|vid[ée]o|audio|sticker|gif|document|fiche contact|médias?) (?:absente?s?|omise?s?)"
    r"|(?:immagine|foto|video|audio|sticker|gif|documento|scheda contatto|media) omess[oaie]"
    r"|(?:imagem|foto|vídeo|áudio|figurinha|sticker|gif|documento|cartão do contato|(?:arquivo de )?mídia) "
    r"(?:ocultad?[oa]|omitid[oa]|ocult[oa])"
    r"|(?:afbeelding|foto|video|audio|sticker|gif|document|contactkaart|media) weggelaten"
    r"|(?:изображение|фото|видео|аудиофайл|аудио|стикер|gif|документ|файл) "
    r"(?:отсутствует|пропущен[оа]?|опущен[оа]?|скрыт[оа]?)"
    r"|(?:obraz|zdjęcie|film|wideo|audio|naklejka|gif|dokument|multimedia) pominięt[yoae]"
    r"|(?:görüntü|video|ses|çıkartma|gif|belge|medya) dahil edilmedi"
    r"|(?:图像|图片|视频|音频|贴图|表情|文档|媒体|圖片|影像|影片|音訊|貼圖|文件|媒體|多媒体文件)(?:已|被)?(?:忽略|省略|略去)"
    r"|(?:已忽略|已省略|省略)(?:图像|图片|视频|音频|贴图|表情|文档|媒体|圖片|影片|音訊|貼圖|文件|媒體|多媒体文件)"
    r"|(?:画像|動画|ビデオ|音声|スタンプ|gif|文書|メディア)(?:は|を|が)?(?:省略(?:されました)?|含まれていません)",
    re.IGNORECASE,
)
_DELETED = re.compile(
    r"(?:this message was deleted|you deleted this message"
    r"|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht"
    r"|(?:se eliminó este mensaje|este mensaje fue eliminado|eliminaste este mensaje)"
    r"|(?:ce message a été supprimé|vous avez supprimé ce message)"
    r"|(?:questo messaggio è stato eliminato|hai eliminato questo messaggio)"
    r"|(?:(?:esta )?mensagem (?:foi )?apagada|você apagou esta mensagem|apagou esta mensagem)"
    r"|(?:dit bericht is verwijderd|je hebt dit bericht verwijderd|u hebt dit bericht verwijderd)"
    r"|(?:данное сообщение удалено|вы удалили данное сообщение|это сообщение удалено)"
    r"|(?:wiadomość została usunięta|usunięto tę wiadomość|ta wiadomość została usunięta)"
    r"|(?:bu mesaj silindi|bu mesajı sildiniz)"
    r"|(?:此(?:消息|訊息)已(?:被)?(?:删除|刪除)|你已?(?:删除|刪除)了?(?:这条|此|這則)(?:消息|訊息))"
    r"|(?:このメッセージは削除されました|あなたがこのメッセージを削除しました)"
    r"|(?:تم حذف هذه الرسالة|حذفتَ? هذه الرسالة))[.。]?",
    re.IGNORECASE,
)
# Phones of Apple's name the group as the author of this one.
_PROGRAM = re.compile(
    r"(?:messages (?:and calls|to this (?:chat|group)|you send to this group).{0,80}end-to-end encrypt"
    r"|nachrichten (?:und anrufe )?.{0,80}ende-zu-ende-verschlüssel"
    r"|los mensajes (?:y las llamadas )?.{0,80}cifrados? de extremo a extremo"
    r"|les messages (?:et les appels )?.{0,80}chiffrés? de bout en bout).*|null",
    re.IGNORECASE,
)
_KEPT = re.compile(r"https?://|\n", re.IGNORECASE)


def spoken(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the words a person wrote in a message, and labels for what came with them.

    Without words nothing is returned but labels: `attachment` for a picture, sound or file, `deleted`,
    or none where the program speaks, which it does behind a left-to-right mark.
    """
    labels: list[str] = []
    marked = text.startswith(_LRM)
    for pattern, label in ((_EDITED, "edited"), (_ANGLED_FILE, "attachment")):
        at = text.rfind("<", -300)
        if at >= 0 and pattern.fullmatch(text, at):
            text = text[:at].rstrip(f"{_LRM} ")
            labels.append(label)
    first, _, rest = text.partition("\n")
    bare = _MARKS.sub("", first).strip() if len(first) < 400 else ""
    if any(each.fullmatch(bare) for each in (_ANGLED, _LEFT_OUT, _FILE)):
        text = rest
        labels.append("attachment")
    elif _DELETED.fullmatch(bare) and not rest.strip():
        return "", ("deleted",)
    elif not rest.strip() and (_PROGRAM.fullmatch(bare) or (marked and not _KEPT.search(text))):
        return "", tuple(labels)
    text = "\n".join(line.lstrip(_LRM) for line in text.split("\n")) if _LRM in text else text
    return text.strip(), tuple(dict.fromkeys(labels))
