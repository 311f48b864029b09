"""How surely a person's voice is told from the others', on text it was not learned from.

    python3 packaging/bench/voice.py DATA

DATA holds `email/notmuch-corpora` (the mail of public lists) and `clonemem/*/*.json`. Each author with
ten chunks of about 150 words or more is the user once; a fifth of the chunks is held out at a time.
`mine` is the share of held-out chunks of the user's found nearer to the user than to the others,
`others` the share of the others' chunks found nearer to the others; 0.5 would be chance for their
mean. Names and numbers are masked. The sample life comes with the program.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from clone_app.entries import Item
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all, recognise
from clone_app.paths import resources
from clone_app.persona.nearness import HeldOut, chunks, held_out, others_chunks, own_chunks
from clone_app.persona.quote import display_name
from clone_app.persona.remarks import BLANK, own_text
from clone_app.progress import Progress
from clone_app.protocols import Reading

CHUNKS = 10
AUTHORS = 12
MOST = 60  # chunks of one author


def items(path: Path, me: Sequence[str] = ()) -> list[Item]:
    """Return what a source holds."""
    reading = Reading(frozenset(name.casefold() for name in me))
    with open_tree(path) as tree:
        found = read_all(recognise(tree), reading, Progress())
        return [thing for thing in found if isinstance(thing, Item)]


def authors(found: Sequence[Item]) -> dict[str, list[str]]:
    """Return the chunks of the authors who wrote most."""
    written: dict[str, list[str]] = {}
    for item in found:
        name = display_name(item.author).casefold()
        if name and item.text.strip():
            written.setdefault(name, []).append(own_text(item).replace(BLANK, ""))
    made = {name: chunks(texts)[:MOST] for name, texts in written.items()}
    ranked = sorted(made.items(), key=lambda each: -len(each[1]))[:AUTHORS]
    return {name: texts for name, texts in ranked if len(texts) >= CHUNKS}


def each_as_user(written: dict[str, list[str]]) -> Iterator[tuple[str, HeldOut]]:
    """Yield how each author is told from the others."""
    for name in written:
        found = held_out(written[name], {one: written[one] for one in written if one != name})
        if found is not None:
            yield name, found


def main() -> None:
    """Print a line an archive."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    data: Path = parser.parse_args().data
    life = resources() / "sample_life" / "en"
    me = [name for name in (life / "me.txt").read_text("utf-8").split("\n") if name]
    sample = items(life, me)
    named = frozenset(name.casefold() for name in me)
    whole = held_out(own_chunks(sample, named), others_chunks(sample))
    if whole is not None:
        show("sample life", [whole])
    mail = data / "email" / "notmuch-corpora"
    if mail.is_dir():
        found = list(each_as_user(authors(items(mail))))
        show("notmuch's list mail", [result for _, result in found])
    personas = {
        path.stem.split("_")[0]: own_chunks(items(path))[:MOST]
        for path in sorted((data / "clonemem").glob("*/*.json"))
    }
    if len(personas) > 1:
        show("CloneMem personas", [result for _, result in each_as_user(personas)])


def show(name: str, results: Sequence[HeldOut]) -> None:
    """Print the means over users."""
    number = max(1, len(results))
    mine = sum(each.mine for each in results) / number
    theirs = sum(each.theirs for each in results) / number
    lowest = min((each.balanced for each in results), default=0.0)
    print(
        f"{name:22} users {len(results):2}  mine {mine:.2f}  others {theirs:.2f}  "
        f"balanced {(mine + theirs) / 2:.2f}  lowest user {lowest:.2f}"
    )


if __name__ == "__main__":
    main()
