"""Posts and reposts of a Bluesky account, from the repository file it can download (`repo.car`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped, clean_text
from clone_app.importers.car import Block, CarFault, blocks, root
from clone_app.importers.claims import claim_by_sureness
from clone_app.importers.each_file import each_file
from clone_app.importers.facets import linked, mentioned, tagged
from clone_app.importers.jsonstream import dict_of, dicts_of, list_of, text_of
from clone_app.importers.left_out import counted
from clone_app.importers.stamps import iso_moment
from clone_app.protocols import Claim, Found, Member, Reading

_ENDING = ".car"
_POST, _REPOST = "app.bsky.feed.post", "app.bsky.feed.repost"
_PROFILE = "app.bsky.actor.profile/self"
_NO_ACCOUNT = (
    "holds no Bluesky account, only a part of one or something else; on Bluesky, choose Settings, "
    "Account, Export my data, and import that file"
)


@dataclass(frozen=True, slots=True)
class Bluesky:
    """Read what an account holds now; what its owner deleted stays deleted."""

    name: str = "bluesky"
    title: str = "Bluesky repository (repo.car)"
    help: str = "On Bluesky: Settings, Account, Export my data. Choose the repo.car it downloads."
    endings: tuple[str, ...] = (_ENDING,)

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim CAR files, surely where they begin as one."""
        return claim_by_sureness(members, _sureness)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each post and repost the account's newest state lists."""
        yield from each_file(members, _repository)


BLUESKY = Bluesky()


def _sureness(member: Member) -> float:
    if not member.path.lower().endswith(_ENDING):
        return 0.0
    return 0.95 if root(member.head()) is not None else 0.4


@dataclass(slots=True)
class _Node:
    """Hold one node of the tree that lists an account's records (a Merkle search tree)."""

    below: list[bytes]
    records: list[tuple[str, bytes]]


@dataclass(slots=True)
class _Listing:
    """Hold which records an account has now, by the names of their blocks."""

    did: str = ""
    top: bytes = b""
    nodes: dict[bytes, _Node] = field(default_factory=dict)
    places: dict[bytes, list[str]] = field(default_factory=dict)
    gaps: int = 0

    def take(self, block: Block, first: bytes) -> None:
        """Take a block that is a part of the list, or the signed one it starts from."""
        value = block.value()
        if not isinstance(value, dict):
            return
        if isinstance(value.get("e"), list):
            self.nodes[block.cid] = _node(value)
        elif block.cid == first:
            self.did, self.top = text_of(value.get("did")), _name(value.get("data"))

    def walk(self) -> None:
        """Follow the list from its top; older states of it lie in the file too and are passed by."""
        waiting, seen = [self.top], set[bytes]()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            node = self.nodes.get(name)
            if node is None:
                self.gaps += 1
                continue
            waiting += node.below
            for path, record in node.records:
                self.places.setdefault(record, []).append(path)
        self.nodes.clear()


def _node(value: dict[str, Any]) -> _Node:
    node = _Node([], [])
    if left := _name(value.get("l")):
        node.below.append(left)
    path = b""
    for entry in dicts_of(value.get("e")):
        shared, rest = entry.get("p"), entry.get("k")
        if not isinstance(shared, int) or not isinstance(rest, bytes):
            continue
        path = path[: max(shared, 0)] + rest[:1024]  # a path names only what differs from the last
        text = clean_text(path.decode("utf-8", "replace"))
        if text.startswith((f"{_POST}/", f"{_REPOST}/")) or text == _PROFILE:
            node.records.append((text, _name(entry.get("v"))))
        if below := _name(entry.get("t")):
            node.below.append(below)
    return node


def _name(value: object) -> bytes:
    return value if isinstance(value, bytes) else b""


def _repository(member: Member) -> Iterator[Found]:
    listing, broken = _Listing(), ""
    first = root(member.head()) or b""
    try:
        for block in blocks(member):
            listing.take(block, first)
    except CarFault as fault:
        broken = str(fault)
    if not listing.did or not listing.top:
        yield ImportProblem(member.locator, broken or _NO_ACCOUNT)
        return
    listing.walk()
    author = _Author(listing.did)
    if profile := _profile(member, listing):
        author = _Author(listing.did, profile)
    count = 0
    for block in _readable(member):
        for path in listing.places.pop(block.cid, ()):
            if path == _PROFILE:
                continue
            count += 1
            yield _record(block.value(), path, f"{member.locator}#{path}", author)
    missing = sum(path != _PROFILE for paths in listing.places.values() for path in paths)
    if broken:
        yield ImportProblem(member.locator, broken)
    elif missing or listing.gaps:
        posts = counted(missing, "post", "posts") if missing else "posts"
        yield ImportProblem(
            member.locator,
            f"is a part of an account: {posts} it lists {'is' if missing == 1 else 'are'} not in it; "
            "export it again",
        )
    elif not count:
        yield Skipped(member.locator, "no posts in it")


def _readable(member: Member) -> Iterator[Block]:
    try:
        yield from blocks(member)
    except CarFault:  # named already
        return


@dataclass(frozen=True, slots=True)
class _Author:
    """Know whose repository it is: by an unchanging id, and by the name shown."""

    did: str
    shown: str = ""

    @property
    def name(self) -> str:
        return self.shown or self.did


def _profile(member: Member, listing: _Listing) -> str:
    """Return the name an account shows; the handle is no part of its repository."""
    wanted = next((cid for cid, paths in listing.places.items() if _PROFILE in paths), None)
    if wanted is None:
        return ""
    found = next((block for block in _readable(member) if block.cid == wanted), None)
    about = dict_of(found.value()) if found else {}
    return text_of(about.get("displayName")).strip()


def _record(value: object, path: str, locator: str, author: _Author) -> Found:
    record = dict_of(value)
    if not record:
        return ImportProblem(locator, "is damaged; export the account again")
    moment = iso_moment(record.get("createdAt")) or Moment.unknown()
    key = f"at://{author.did}/{path}"
    if path.startswith(_REPOST):
        return _repost(record, key, moment, locator)
    return _post(record, key, moment, locator, author)


def _repost(record: dict[str, Any], key: str, moment: Moment, locator: str) -> Found:
    """Return a repost: another person's post, of which a repository keeps the address alone."""
    address = text_of(dict_of(record.get("subject")).get("uri"))
    if not address:
        return ImportProblem(locator, "is a repost of nothing")
    return Item(
        key=key, medium="post", moment=moment, text=address, mine=False, locator=locator,
        author=_did(address),
    )  # fmt: skip


def _post(record: dict[str, Any], key: str, moment: Moment, locator: str, author: _Author) -> Found:
    shown = _Shown()
    shown.take(dict_of(record.get("embed")))
    text = linked(record)
    text = "\n\n".join(part for part in (text.strip(), *shown.own(text)) if part)
    if not text:
        return Skipped(locator, "a post without words")
    reply = dict_of(record.get("reply"))
    parent, start = (text_of(dict_of(reply.get(part)).get("uri")) for part in ("parent", "root"))
    answered = _did(parent)
    recipients = [author.name if answered == author.did else answered, *mentioned(record)]
    warnings = dicts_of(dict_of(record.get("labels")).get("values"))
    labels = [*tagged(record), *map(text_of, list_of(record.get("tags")))]
    labels += [text_of(warning.get("val")) for warning in warnings]
    return Item(
        key=key,
        medium="post",
        moment=moment,
        text=text,
        mine=True,
        locator=locator,
        author=author.name,
        recipients=tuple(dict.fromkeys(name for name in recipients if name)),
        thread=start or parent,
        context="\n\n".join(shown.others),
        labels=tuple(dict.fromkeys(label for label in labels if label)),
    )


def _did(address: str) -> str:
    """Return whose an address like `at://did:plc:abc/app.bsky.feed.post/3k` is."""
    return address.removeprefix("at://").partition("/")[0] if address.startswith("at://") else ""


@dataclass(slots=True)
class _Shown:
    """Gather what a post shows beside its text: pictures, a link's card, a quoted post."""

    said: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    def take(self, embed: dict[str, Any], *, inner: bool = False) -> None:
        """Take an embed; a quotation with pictures holds two of them."""
        pictures = [*dicts_of(embed.get("images")), embed]  # a video's words stand on the embed
        self.said += [alt for one in pictures if (alt := text_of(one.get("alt")).strip())]
        card = dict_of(embed.get("external"))
        if address := text_of(card.get("uri")).strip():
            self.addresses.append(address)
            about = [text_of(card.get(part)).strip() for part in ("title", "description")]
            if words := "\n".join(part for part in about if part):
                self.others.append(words)
        if quoted := text_of(dict_of(embed.get("record")).get("uri")):
            self.others.append(quoted)
        for part in ("media", "record") if not inner else ():
            self.take(dict_of(embed.get(part)), inner=True)

    def own(self, text: str) -> list[str]:
        """Return what the author added to the text: words on pictures, links it does not hold."""
        left = [address for address in self.addresses if address.rstrip("/") not in text]
        return [*left, *self.said]
