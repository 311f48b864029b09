"""Posts, comments and messages of an Instagram export (JSON)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_kinds
from clone_app.importers.jsonstream import JsonFault, dict_of, dicts_of, text_of
from clone_app.importers.left_out import counted
from clone_app.importers.meta_export import (
    INSTAGRAM,
    Owner,
    as_meant,
    instagram_tops,
    is_chat,
    listed,
    product_of,
    read_export,
)
from clone_app.importers.stamps import epoch_moment, iso_moment, made_key
from clone_app.protocols import Claim, Found, Member, Reading

_POSTS = re.compile(
    r"(?:posts|archived_posts|stories|reels|igtv_videos|other_content|recently_deleted_content|media)"
    r"(?:_\d+)?\.json"
)
_COMMENTS = re.compile(r"(?:post_comments|reels_comments|story_comments|comments)(?:_\d+)?\.json")
_POST_SHAPE = re.compile(rb'"creation_timestamp"\s*:|"taken_at"\s*:')
_COMMENT_SHAPE = re.compile(rb'"string_(?:map|list)_data"\s*:|"(?:media|live)_comments"\s*:')
_PAGE = re.compile(r"(?:message_\d+|posts_\d+|post_comments.*|stories|reels|start_here)\.html")
_NAMES = re.compile(
    r"(?:user ?name|name|benutzername|nom(?: d['’]utilisateur| de l['’]utilisateur)?|nome(?: utente"
    r"| de usuário| do utilizador)?|nombre(?: de usuario)?|(?:gebruikers)?naam|имя(?: пользователя)?"
    r"|用户名|用戶名稱|姓名|名前|ユーザーネーム|isim|kullanıcı adı)",
    re.IGNORECASE,
)
_OWNERS = re.compile(
    r"media owner|eigentümer.*|propriétaire.*|propietario.*|proprietario.*|dono.*", re.I
)


@dataclass(frozen=True, slots=True)
class Instagram:
    """Read the captions, comments and messages people wrote on Instagram."""

    name: str = INSTAGRAM
    title: str = "Instagram export (JSON)"
    help: str = (
        "On Instagram: Accounts Center, Your information, Download your information; choose the "
        "format JSON. Choose that zip."
    )
    endings: tuple[str, ...] = (".zip", ".json", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim posts, comments and messages, the profile beside them, and pages to say what to do."""
        kind_of = partial(_kind, tops=instagram_tops(members))
        return claim_kinds(
            members, kind_of, dict.fromkeys(("posts", "comments", "chat", "page"), 0.9)
        )

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each thing with words, in the order of the files: newest first."""
        yield from read_export(
            members,
            self.name,
            reading,
            kind_of=partial(_kind, tops=instagram_tops(members)),
            profile=_profile,
            things=lambda kind, member, owner: _things(member, owner, comments=kind == "comments"),
        )


INSTAGRAM_EXPORT = Instagram()


def _kind(member: Member, tops: frozenset[str]) -> str:
    name = PurePosixPath(member.path).name.lower()
    if name.endswith(".html"):
        marked = _PAGE.fullmatch(name) and "instagram" in member.locator.lower()
        return "page" if marked else ""
    if not name.endswith(".json"):
        return ""
    head = member.head()
    if name in {"personal_information.json", "profile.json"}:
        return "profile" if b'"profile_user"' in head or b'"username"' in head else ""
    if is_chat(member):
        return "chat" if product_of(member, tops) == INSTAGRAM else ""
    if _POSTS.fullmatch(name) and _POST_SHAPE.search(head):
        return "posts"
    return "comments" if _COMMENTS.fullmatch(name) and _COMMENT_SHAPE.search(head) else ""


def _profile(member: Member, owner: Owner) -> Iterator[Found]:
    try:
        for _, value in listed(member):
            said = dict_of(dict_of(value).get("string_map_data"))
            named = {key: as_meant(dict_of(part).get("value")) for key, part in said.items()}
            known = [
                value for key, value in named.items() if _NAMES.fullmatch(as_meant(key).strip())
            ]
            owner.add(*sorted(known, key=lambda name: " " not in name))
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(member.locator, str(fault))
        return
    if owner.name:
        yield Skipped(member.locator, "the profile, whose name tells which messages are yours")
    else:
        yield ImportProblem(
            member.locator,
            "does not name its owner; say who you are, so that your messages are known",
        )


def _things(member: Member, owner: Owner, *, comments: bool) -> Iterator[Found]:
    number, wordless = -1, 0
    try:
        for number, value in listed(member):
            locator = f"{member.locator}#{number}"
            if not isinstance(value, dict | list):
                yield ImportProblem(locator, "is no post and no comment")
                continue
            text, moment, to = _comment(value) if comments else _post(dict_of(value))
            if not text:
                wordless += 1
                continue
            yield Item(
                key=made_key(INSTAGRAM, moment, moment.iso() or "", to, text),
                medium="post", moment=moment, text=text, mine=True, locator=locator,
                author=owner.name, recipients=(to,) if to else (),
                labels=("comment",) if comments else (),
            )  # fmt: skip
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{number + 1}", str(fault))
    if wordless:
        yield Skipped(
            f"{member.locator}#wordless",
            counted(wordless, "post without words", "posts without words"),
        )
    if number < 0:
        yield Skipped(member.locator, "no posts and no comments in it")


def _post(entry: dict[str, Any]) -> tuple[str, Moment, str]:
    """Return the caption of a post: its own, else those of its pictures, each once."""
    pictures = dicts_of(entry.get("media"))
    own = as_meant(entry.get("title") or entry.get("caption")).strip()
    said = [own] if own else [as_meant(each.get("title")).strip() for each in pictures]
    stamps = [
        entry.get("creation_timestamp"),
        *(each.get("creation_timestamp") for each in pictures),
    ]
    moment = next((found for stamp in stamps if (found := epoch_moment(stamp))), None)
    moment = moment or iso_moment(entry.get("taken_at")) or Moment.unknown()
    return "\n\n".join(dict.fromkeys(text for text in said if text)), moment, ""


def _comment(value: dict[str, Any] | list[Any]) -> tuple[str, Moment, str]:
    """Return a comment's text, its moment, and whose post it is about.

    Before 2021 it was a list of three; then `string_list_data`, then `string_map_data`, whose names
    are in the owner's language: the stamped part is the time, the first with words the comment.
    """
    if isinstance(value, list):
        when, text, to = (*map(text_of, value[:3]), "", "", "")[:3]
        return as_meant(text).strip(), iso_moment(when) or Moment.unknown(), as_meant(to)
    text, to = "", as_meant(value.get("title")).strip()
    moment: Moment | None = None
    for part in dicts_of(value.get("string_list_data")):
        text = text or as_meant(part.get("value")).strip()
        moment = moment or epoch_moment(part.get("timestamp"))
    for key, each in dict_of(value.get("string_map_data")).items():
        part = dict_of(each)
        moment = moment or epoch_moment(part.get("timestamp"))
        words = as_meant(part.get("value")).strip()
        if words and _OWNERS.fullmatch(as_meant(key).strip()):
            to = words
        elif words and not text:
            text = words
        elif words and not to:
            to = words
    return text, moment or Moment.unknown(), to
