"""Answer what is asked about a person as a whole: "Who are you?", "Who is Robin?", "What do you like?".

No single entry answers such a question, so recall finds those that happen to share its words. What
answers it is in the lines that the persona document draws from many entries: they are told with the
entries they rest on, word for word where a line quotes one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from clone_app.entries import Item, Sentence, Source, Term
from clone_app.memory.kin import KINS
from clone_app.memory.lines import Line, Section, Support
from clone_app.memory.words import content_words, plain, stem, tokens
from clone_app.persona.document import names, shown, verbatim
from clone_app.persona.lines import own_sentences
from clone_app.persona.phrases import phrases_of
from clone_app.persona.slices import Asked, best_slice
from clone_app.persona.traits.people_lines import TITLE_WORDS

# So many lines are read at a glance, and so many entries show what a line rests on.
MOST: Final = 6
SHOWN: Final = 3
# Of who somebody is, so many sentences of the user's own are told beside the line.
INTRODUCED: Final = 3
_LENGTH: Final = 240
_SHOWN_OF: Final = 300
# More of an archive than this is not read for one question.
_READ: Final = 200
# Who asks about a person as a whole does it in few words.
_LONGEST: Final = 200
# A sentence that begins with the name tells something; one that says who it is, more.
_TELLING: Final = 0.5
_SAYS_WHO: Final = 2.0


def _any_of(forms: str) -> re.Pattern[str]:
    """Return what matches one of the questions that are written a line each."""
    return re.compile("|".join(forms.split("\n")[1:-1]), re.IGNORECASE)


_ASKED: Final[tuple[tuple[re.Pattern[str], tuple[tuple[Section, int], ...]], ...]] = (
    (
        _any_of(r"""
who are you
(?:can you )?tell \w+ (?:something |a bit |more )?about yourself
(?:describe|introduce) yourself
what (?:kind|sort) of (?:a )?person are you
what are you like
你是谁|介绍一下(?:你)?自己|说说你自己|你是(?:个)?什么样的人
"""),
        ((Section.WHO, 2), (Section.WORK, 2), (Section.PEOPLE, 2), (Section.LIKES, 2)),
    ),
    (
        _any_of(r"""
how old are you
what(?: is|'s) your (?:full )?name
你几岁|你多大|你叫什么(?:名字)?
"""),
        ((Section.WHO, 2),),
    ),
    (
        _any_of(r"""
what do you do(?: for a living| for work)?
where do you work|who do you work for|what do you work as
what(?: is|'s) your (?:job|work|profession|occupation|trade)
你是做什么(?:工作)?的|你在哪(?:里|儿)?(?:工作|上班)|你做什么工作
"""),
        ((Section.WORK, 4),),
    ),
    (
        _any_of(r"""
where do you live|where are you from
你住在?哪(?:里|儿)?|你是哪里人
"""),
        ((Section.PLACES, 4),),
    ),
    (
        _any_of(r"""
who are your (?:\w+ )?(?:friends|people|family)
who is (?:in your family|important to you)
tell \w+ about (?:your (?:friends|family)|the people in your life)
who are the (?:most important )?people in your life
你的?(?:朋友|家人)(?:有哪些|是谁|都有谁)|你有哪些朋友|你家里有谁
"""),
        ((Section.PEOPLE, MOST),),
    ),
    (
        _any_of(r"""
what do you (?:really )?(?:like|love|enjoy|hate|dislike)(?: most| best)?(?: and (?:dislike|hate))?
what are your (?:hobbies|interests|likes|likes and dislikes|passions)
what (?:makes you happy|are you (?:interested in|fond of))
你喜欢什么|你讨厌什么|你不喜欢什么|你有什么(?:爱好|兴趣)
"""),
        ((Section.LIKES, 4), (Section.HABITS, 2)),
    ),
    (
        _any_of(r"""
what are your (?:habits|routines)
what do you (?:usually |normally )?do every (?:day|week)
what does your (?:usual |normal )?day look like
你有什么习惯
"""),
        ((Section.HABITS, MOST),),
    ),
    (
        _any_of(r"""
how(?: is|'s) your health
are you (?:healthy|ill|sick)
你身体(?:怎么样|好吗)
"""),
        ((Section.HEALTH, MOST),),
    ),
    (
        _any_of(r"""
what do you believe(?: in)?
what are your (?:opinions|views|beliefs|values|convictions)
你有什么(?:看法|信念)
"""),
        ((Section.HOLD, MOST),),
    ),
)  # fmt: skip
# "Who is Robin?", "Tell me about your boss.", "What's your cat called?"
_SOMEBODY: Final = re.compile(
    r"^(?:who(?: is|'s| was)|(?:can you )?tell (?:me|us) about|what do you know about) "
    r"(?:(?P<kin>your [\w-]+)|(?P<name>[A-Z][\w'-]*\.?(?: [A-Z][\w'-]*){0,2}))$|"
    r"^what(?: is|'s) (?:the name of )?(?P<called>your [\w-]+?)(?:'s name| called)$"
)
_SOMEBODY_CHINESE: Final = re.compile(r"^(?P<name>[\u4e00-\u9fff]{2,4}?)是谁$")
_LIKING: Final = re.compile(
    r"^do you (?:still |really )?(?:like|love|enjoy|hate|dislike|mind) (?P<topic>[\w' -]{2,40})$|"
    r"^你(?:还)?(?:喜欢|讨厌|爱)(?P<topic_chinese>[\u4e00-\u9fff]{1,8}?)吗$",
    re.IGNORECASE,
)
# What somebody is to the user, as a line tells it: "Robin, my older brother".
_MINE: Final = re.compile(
    r"\bmy (?:[\w-]+ )*?([\w-]+)(?=$|[,.;:(]| (?:and|in|from|who))", re.IGNORECASE
)
_AGAINST: Final = re.compile(
    r"\b(?:don't|can't stand|hate|dislike|loathe|no longer)\b|讨厌|不喜欢", re.IGNORECASE
)
_POLITE: Final = re.compile(
    r"^(?:and|but|so|well|hi|hello|hey|please)[ ,]+|[ ,]+please$", re.IGNORECASE
)
_END: Final = " \t\n?？!！.。"
# With these the user's own wording of a line begins where it isn't with a name: "My boss Ana".
_NO_NAME: Final = frozenset({"my", "our", "the", "a", "an", "i"})
# How a sentence tells who somebody is, behind the name or before it.
_IS: Final = re.compile(
    r"^(?:, (?:who|whom|the|a|an|my|our)\b| (?:is|was) (?:a|an|the|my|our|called)\b|'s (?:a|an|the|my)\b|"
    r" ?\(| ?[—–] ?(?:a|an|the|my)\b)"
)
_CALLED: Final = re.compile(
    r"\b(?:(?:is |was |'s )?(?:called|named)|my (?:\w+ ){0,2}\w+,?|the \w+|met|introduced|this is|"
    r"name is|name's) $",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Portrait:
    """Hold what is told of a person and the entries it is told from, as they are cited."""

    sentences: tuple[Sentence, ...]
    sources: tuple[Source, ...]


def asked_for(question: str, lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return the lines that answer a question about a person as a whole, none for any other question."""
    text = _bare(question)
    held = tuple(lines)
    for pattern, sections in _ASKED:
        if pattern.fullmatch(text):
            # Money and ailments are told who asks for them, not who asks what one does.
            volunteered = sections[0][0] in (Section.WHO, Section.WORK)
            told = [line for line in held if not (volunteered and line.private)]
            found = [
                line
                for section, most in sections
                for line in sorted(
                    [each for each in told if each.section is section][:most],
                    key=partial(_place, text),
                )
            ]
            return tuple(found[:MOST])
    if topic := liking(question):
        # "Do you like it?" asks on about what was said before.
        return tuple(
            line
            for line in held
            if line.section in (Section.LIKES, Section.HOLD)
            and content_words(topic)
            and names(line, topic)
        )[:MOST]
    somebody = whom(question)
    return tuple(
        line for line in held if line.section is Section.PEOPLE and _is_of(line, somebody)
    )[:1]


def liking(question: str) -> str:
    """Return what a question asks whether one likes, "" for any other question."""
    liked = _LIKING.match(_bare(question))
    return (liked["topic"] or liked["topic_chinese"]) if liked else ""


def whom(question: str) -> str:
    """Return whom a question asks to be told about: a name, "your boss", or "" for nobody."""
    text = _bare(question)
    found = _SOMEBODY.match(text[:1].lower() + text[1:]) or _SOMEBODY_CHINESE.match(text)
    if found is None:
        return ""
    return next(filter(None, found.groupdict().values()), "")


def _bare(question: str) -> str:
    """Return a question without what is said out of politeness, "" for one too long to be a short one."""
    text = question.strip(_END).replace("’", "'")
    if len(text) > _LONGEST:
        return ""
    while (shorter := _POLITE.sub("", text).strip(_END)) != text:
        text = shorter
    return text


def _is_of(line: Line, somebody: str) -> bool:
    """Tell whether a line is about somebody: by a word of the name, or what they are to the user."""
    if not somebody:
        return False
    if somebody.startswith("your "):
        kin = stem(somebody.removeprefix("your "))
        mine = [stem(each[1]) for each in _MINE.finditer(line.text)]
        return bool((KINS.get(kin) or frozenset({kin})).intersection(mine))
    head = {plain(match[0]) for match in tokens(line.text.partition(",")[0])}
    said = {plain(match[0]) for match in tokens(somebody)}
    return somebody in line.text if not somebody.isascii() else bool(said) and said <= head


def supports_of(line: Line) -> tuple[Support, ...]:
    """Return the entries to show for a line: those that gave it its words, then the latest."""
    dated = sorted(line.supports, key=lambda each: (not each.vital, _age(each)))
    return tuple(dated[:_READ])


def _place(question: str, line: Line) -> int:
    """Return what sorts lines of a section: what one does oldest first, what is liked as it is asked."""
    if line.section is Section.WORK:
        return max((each.day.toordinal() for each in line.supports if each.day), default=0)
    if line.section is Section.LIKES:
        return bool(_AGAINST.search(line.text)) != bool(_AGAINST.search(question))
    return 0


def _age(support: Support) -> int:
    return -support.day.toordinal() if support.day is not None else 0


def portrayed(
    question: str,
    lines: Sequence[Line],
    items: Mapping[str, tuple[int, Item]],
    *,
    counted: bool = True,
) -> Portrait | None:
    """Return what the lines say, each with its entries; `items` are those by key, with their numbers.

    How many entries a line rests on and from when is told where `counted` is true: it counts those too
    that a listener may not hear. Of somebody it is also told, word for word, how the user's own entries
    speak of who they are.
    """
    said: list[Sentence] = []
    sources: dict[str, Source] = {}
    for line in lines:
        held = [each for each in supports_of(line) if each.key in items]
        if not held:
            continue
        keys = tuple(each.key for each in held[:SHOWN])
        for key in keys:
            number, item = items[key]
            sources.setdefault(key, _source(number, item, line.text, _quoted(line, item)))
        said.append(Sentence(_spoken(line, counted=counted), True, keys))
    if said and whom(question):
        phrases = phrases_of(question)
        for number, item, text in _introduced(lines[0], items):
            sources[item.key] = _source(number, item, text, text)
            said.append(Sentence(phrases.framed(item, text), True, (item.key,)))
    return Portrait(tuple(said), tuple(sources.values())) if said else None


def _spoken(line: Line, *, counted: bool) -> str:
    text = shown(line) if counted else line.text
    return text if text.endswith((".", "!", "?", "。")) else f"{text}."


def _introduced(line: Line, items: Mapping[str, tuple[int, Item]]) -> list[tuple[int, Item, str]]:
    """Return the user's sentences that tell best who a person is, oldest first."""
    head = _name(line)
    if not head:
        return []
    # Chinese parts words by no spaces and says more in fewer letters.
    whole, least = (rf"(?<!\w){re.escape(head)}(?!\w)", 20) if head.isascii() else (head, 6)
    name = re.compile(whole)
    found: list[tuple[float, int, int, Item, str]] = []
    for number, item in items.values():
        if not item.mine or item.medium == "chat":
            continue
        for start, end in own_sentences(item.text, item.author):
            text = item.text[start:end].strip()
            place = name.search(text)
            if place is None or not least <= len(text) <= _LENGTH:
                continue
            worth = _SAYS_WHO * bool(_IS.match(text[place.end() :]))
            worth += _SAYS_WHO * bool(_CALLED.search(text[: place.start()]))
            worth += _TELLING * (place.start() == 0)
            day = item.moment.day()
            found.append((worth, day.toordinal() if day else 0, number, item, text))
    found.sort(key=lambda each: (-each[0], *each[1:3]))
    chosen: dict[str, tuple[int, int, Item, str]] = {}
    for worth, written, number, item, text in found:
        if len(chosen) < INTRODUCED and worth >= _TELLING:
            chosen.setdefault(item.key, (written, number, item, text))
    return [
        (number, item, text)
        for _, number, item, text in sorted(chosen.values(), key=lambda each: each[:2])
    ]


def _name(line: Line) -> str:
    """Return what a person is called by in entries: with a title the whole, else the first name."""
    head = line.text.partition(",")[0].strip()
    first = head.partition(" ")[0]
    if first.rstrip(".") in TITLE_WORDS:
        return head
    return "" if plain(first) in _NO_NAME else first


def _quoted(line: Line, item: Item) -> str:
    """Return the sentence of an entry that gave a line its words, "" where none did; a name is no quote."""
    if line.section in (Section.PEOPLE, Section.PLACES):
        return ""
    said = verbatim(item.text, line.text)
    own = (item.text[start:end] for start, end in own_sentences(item.text, item.author))
    return next((each for each in own if said and said in each and len(each) <= _SHOWN_OF), "")


def _source(number: int, item: Item, text: str, quoted: str) -> Source:
    """Return an entry as it is shown beside a line: with what it quotes, else what its words are about."""
    if not quoted:
        terms = [Term(word, (word,), 1.0) for word in dict.fromkeys(content_words(text))]
        found = best_slice(item.text, Asked.of(terms), limit=_SHOWN_OF)
        quoted = found.text if found else ""
    return Source.of(number, item, quoted, ("about",))
