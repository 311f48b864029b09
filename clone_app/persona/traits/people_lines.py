"""Whom and which places a person writes about: by the names they use and the words around them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from clone_app.entries import Item
from clone_app.memory.irregular import base
from clone_app.memory.lines import Line, Section, Support
from clone_app.memory.stopwords import STOP_WORDS
from clone_app.persona.listed import listed
from clone_app.persona.traits.remarks import Remark

PEOPLE: Final = 14
PLACES: Final = 8
FEWEST: Final = 3

_TITLES = (
    r"Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord|Captain|Capt|Prof|Professor|Uncle|Aunt|Auntie|Grandma|"
    r"Grandpa|"
    r"Master|Madam|Nan|Commissioner|Alderman|Colonel|Father|Mother|Sister|Brother|Cousin|Teacher|"
    r"Coach"
)
TITLE_WORDS: Final = frozenset(_TITLES.split("|"))
_NAME = re.compile(
    rf"(?<![\w'&])(?:(?P<title>{_TITLES})\.?[ ]+(?P<initials>(?:[A-Z]\. ?)*))?"
    r"(?P<name>[A-ZÀ-ÖØ-Þ][\w-]*(?:'[a-rt-z]\w+|'(?!s\b)(?=\w))?(?:[ ](?:de |van |von |la |du )?"
    r"[A-ZÀ-ÖØ-Þ][\w-]+|[ ][A-Z]\.(?=[ ][A-Z]))*)(?P<owns>'s\b)?"
)
_KIN: Final = frozenset({"Mum", "Mom", "Mam", "Dad", "Mama", "Papa", "Grandma", "Grandpa", "Nan", "Granny",
                         "Grandad", "Mummy", "Daddy", "Mother", "Father"})  # fmt: skip
_NO_NAME: Final = listed(
    """
    I I'm I've I'd I'll Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March
    April May June July August September October November December Mr Mrs Ms Dr Sir Lord Lady God Christmas
    Easter English French German Spanish Dutch Chinese American British Italian Scottish Irish Welsh TV OK
    PM AM Date Time Location Note Notes Memo Today Tomorrow Spring Summer Autumn Winter North South East
    West Internet Bible Covid Re Fwd Subject Regards Dear Hi Hello Thanks Monday's Duke King Queen Court
    Captain Prince Princess Chancellor Secretary St Bay Parliament Navy Church House Committee Council
    Government Treasury Company Hospital School University Board Office Room Excel
    """
)
_SAYS = re.compile(
    r"^,?\s+(?:also |just |only |then |still |never |always |and I |herself |himself )?(?:said|"
    r"says|say|"
    r"asked|asks|told|tells|rang|called|calls|came|comes|thinks|thought|laughed|laughs|smiled|"
    r"looked|"
    r"wants|wanted|cried|wrote|writes|knows|knew|gave|brought|sat|stood|took|made|did|does|doesn't|"
    r"didn't|sent|agreed|nodded|went|left|replied|helped|has|had|will|would|could|calls|loves|"
    r"hates|"
    r"likes|sang|tried|seems|seemed|grinned|got|gets|dined|being|and I|and me|is (?:a|an|my|so|"
    r"very|"
    r"leaving|enormous|asleep))\b"
)
_WITH = re.compile(
    r"\b(?:with|told|tell|asked|ask|called|rang|met|meet|saw|visited|visit|thanked|love|thank|"
    r"gave|give|"
    r"showed|sent|wrote to|write to|read to|talked to|talk to|spoke to|speak to|said to|listen to|"
    r"and|"
    r"by|for|named|like|between|called|see|find|found|help|phoned|texted|hugged|kissed|poor|dear|"
    r"old|"
    r"little|young)\s+$",
    re.IGNORECASE,
)
_IN = re.compile(
    r"\b(?:in|at|near|into|around|through|across|outside|towards|via|reached|left for)\s+$",
    re.IGNORECASE,
)
_INSIDE = re.compile(r"\b(?:in|into|around|outside|across)\s+$", re.IGNORECASE)
_WAY = re.compile(
    r"\b(in|at|to|from|into|near|around|through|across|towards|for|of)\s+$", re.IGNORECASE
)
_TO = re.compile(r"\b(?:to|from|of|by|for|leave|left|visit|visited|back to|home to)\s+$")
_MOVED = re.compile(
    r"\b(?:go|going|goes|went|gone|move|moved|moving|travel|drove|drive|walked|walk|train|bus|"
    r"trip|back|"
    r"returned|return|get|got|came|come|fly|flew|down|up|over|out|away|arrived|by water|by coach|"
    r"home|"
    r"thence|on)\s+(?:to|from)\s+$"
)
RELATIONS: Final = listed(
    "wife husband partner fiancé fiancée girlfriend boyfriend ex sister brother mother father mum "
    "mom dad "
    "daughter son niece nephew aunt uncle cousin grandmother grandfather grandma grandpa granny "
    "grandson granddaughter mother-in-law father-in-law sister-in-law brother-in-law stepmother "
    "stepfather "
    "flatmate roommate housemate "
    "boss manager supervisor colleague teacher mentor student apprentice landlady landlord "
    "neighbour "
    "neighbor friend therapist doctor dentist tutor coach assistant cat dog horse maid clerk "
    "servant"
)
_REL = "|".join(sorted(map(re.escape, RELATIONS), key=len, reverse=True))
_ADJ = (
    r"(?:(?:best|old|dear|oldest|younger|older|elder|big|little|late|poor|good|new|former|only|own|"
    r"close|closest|first|twin|baby|eldest|youngest) )*"
)
_MY_BEFORE = re.compile(rf"\b[Mm]y (?P<adj>{_ADJ})(?P<rel>{_REL}),? (?:is )?(?:called |named )?$")
_MY_AFTER = re.compile(
    rf"^(?:, (?:who is |who's )?|,? (?:is|was) |"
    rf"\s?[(—–-]\s?)my (?P<adj>{_ADJ})(?P<rel>{_REL})(?=[.;:!?)]|, (?!my |and )(?:who|is|was|has|"
    rf"had|said|came)|$)"
)
_MY_ALONE = re.compile(rf"\b[Mm]y (?P<adj>{_ADJ})(?P<rel>{_REL})\b")
_PET = re.compile(
    r"\b(?P<rel>cat|dog|puppy|kitten|horse|pony|rabbit|hamster|parrot|bird|"
    r"tortoise)\b[^.;:!?]{0,40}?"
    r"\b(?:called|named) $"
)
_SINGLE: Final = listed(
    "wife husband partner fiancé fiancée girlfriend boyfriend mother father mum mom dad "
    "mother-in-law "
    "father-in-law landlady landlord"
)
_SAME: Final = {"mom": "mother", "mum": "mother", "dad": "father"}
_ZH_KIN = re.compile(
    r"我(?:的)?(?P<rel>妈妈|母亲|爸爸|父亲|老婆|妻子|爱人|丈夫|老公|女儿|儿子|姐姐|妹妹|哥哥|弟弟|奶奶|爷爷|外婆|外公|"
    r"姥姥|姥爷|男朋友|女朋友|男友|女友|岳母|岳父|婆婆|公公|室友|老板|导师|同事|妈|爸|姐|妹|哥)"
)
_ZH_SAME: Final = {
    word: name
    for name, words in (
        ("妈妈", "妈 母亲"), ("爸爸", "爸 父亲"), ("妻子", "老婆 爱人"), ("丈夫", "老公"), ("姐姐", "姐"),
        ("妹妹", "妹"), ("哥哥", "哥"), ("男朋友", "男友"), ("女朋友", "女友"),
    )
    for word in words.split()
}  # fmt: skip
_FIRM = re.compile(
    r"\b(?:Trust|Ltd|Limited|Inc|GmbH|Company|Society|Team|Council|Club|School|Library|Bank|"
    r"Museum|Hospital|Vets?|"
    r"Association|Centre|Center|Institute|Foundation|Services?|Properties|Group|Shop|Lake|River|"
    r"Card|Lettings|"
    r"Bindery|Press|Books|Insurance|Surgery|Practice)\b"
)
_MACHINE = re.compile(
    r"no-?reply|donotreply|notification|newsletter|info@|support@|service@|team@|mailer|billing|"
    r"orders?@|"
    r"reception@|bookings?@|hello@|admin@|accounts?@|alerts?@|news@",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"<[^>]*>|\S+@\S+")


@dataclass(slots=True)
class Named:
    """Gather what is known of one name: where it stands and what the words around it say."""

    name: str
    person: float = 0.0
    place: float = 0.0
    inside: int = 0
    ways: set[str] = field(default_factory=set)  # the words that lead to it: in, to, from
    titled: Counter[str] = field(default_factory=Counter)
    relations: Counter[str] = field(default_factory=Counter)
    supports: dict[str, Support] = field(default_factory=dict)
    said: dict[str, Remark] = field(default_factory=dict)  # relation → the sentence that says it

    @property
    def count(self) -> int:
        """Return how many items name it."""
        return len(self.supports)

    def days(self) -> int:
        """Return on how many days it is named: a name that fills one day is an event."""
        return len({support.day or support.key for support in self.supports.values()})

    def relation(self) -> str:
        """Return what this person is to the user, "" where nothing says so often enough."""
        if not self.relations:
            return ""
        best, times = self.relations.most_common(1)[0]
        return best if times >= max(1, self.count * 0.03) else ""

    def take(self, other: Named) -> None:
        """Add what is known of the same person under another name."""
        self.person += other.person
        self.place += other.place
        self.inside += other.inside
        self.ways |= other.ways
        self.titled.update(other.titled)
        self.relations.update(other.relations)
        self.supports |= other.supports
        self.said |= other.said


def names_of(told: Sequence[Remark], items: Iterable[Item], me: frozenset[str]) -> dict[str, Named]:
    """Return what the user names, by the name, kin and correspondents included."""
    found: dict[str, Named] = {}
    own = frozenset(word for name in me for word in re.split(r"[\s@._]+", name) if len(word) > 2)
    lower, capital = _cases(told)
    for remark in told:
        for match in _NAME.finditer(remark.text):
            _hear(found, remark, match, own, lower, capital)
        for match in _MY_ALONE.finditer(remark.text):
            relation = _SAME.get(match["rel"], match["rel"])
            _at(found, f"my {relation}", remark).relations[relation] += 1
        for match in _ZH_KIN.finditer(remark.text):
            relation = _ZH_SAME.get(match["rel"], match["rel"])
            _at(found, f"我{relation}", remark).relations[relation] += 1
    _correspondents(found, items, own)
    return _joined(found)


def _cases(told: Sequence[Remark]) -> tuple[Counter[str], Counter[str]]:
    """Count words written small, and words written with a capital inside a sentence."""
    lower: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for remark in told:
        for at, word in enumerate(re.findall(r"[^\W\d_]+", remark.text)):
            if word[0].islower():
                lower[word] += 1
            elif at:
                capital[word] += 1
    return lower, capital


def _at(found: dict[str, Named], name: str, remark: Remark) -> Named:
    named = found.get(name)
    if named is None:
        named = found[name] = Named(name)
    named.supports.setdefault(remark.key, Support(remark.key, remark.day))
    return named


def _hear(
    found: dict[str, Named],
    remark: Remark,
    match: re.Match[str],
    own: frozenset[str],
    lower: Counter[str],
    capital: Counter[str],
) -> None:
    """Note one name in a sentence and what stands beside it."""
    words = match["name"].split()
    start = match.start("name")
    while words and (words[0] in _NO_NAME or words[0].casefold() in STOP_WORDS):
        start += len(words[0]) + 1
        words.pop(0)
    if len(words) > 1 and not re.search(r"\w", remark.text[:start]):
        opens = words[
            0
        ].lower()  # "Told Bridie": a verb with a capital because it opens the sentence
        if lower[opens] or opens.endswith("ed") or base(opens) != opens:
            start += len(words[0]) + 1
            words.pop(0)
    while words and words[-1] in _NO_NAME:
        words.pop()
    if not words or len(words) > 3 or len(words[0]) < 2 or words[0].isupper():
        return
    first, title = words[0], match["title"] or ""
    opening = not re.search(r"\w", remark.text[:start])
    if lower[first.lower()] > 2 * capital[first] or (opening and not title and not capital[first]):
        return
    if {word.casefold() for word in words} & own:
        return
    name = " ".join(words)
    if title in _KIN and name not in _KIN:
        title = title if title not in ("Father", "Mother") else ""
    if match["owns"] and re.match(r" (?:[A-Z]|No\b)", remark.text[match.end() :]):
        return  # the People's Hospital
    initials = (match["initials"] or "").strip()
    named = _at(found, " ".join(filter(None, (title, initials, name))), remark)
    before = remark.text[: match.start() if title else start]
    after = remark.text[match.end() :]
    if title:
        named.person += 3
    if name in _KIN:
        named.person += 5
    if (
        (relation := _MY_BEFORE.search(before))
        or (relation := _MY_AFTER.match(after))
        or (relation := _PET.search(before))
    ):
        word = _SAME.get(relation["rel"], relation["rel"])
        named.relations[word] += 1
        named.said.setdefault(word, remark)
        named.person += 3
    owns = bool(match["owns"])
    if not owns and _SAYS.match(after):
        named.person += 1
    elif owns:
        named.person += 0.4
    if _WITH.search(before):
        named.person += 0.7
    if not owns:
        if way := _WAY.search(before):
            named.ways.add(way[1].lower())
        if _IN.search(before):
            named.place += 1.2
            named.inside += bool(_INSIDE.search(before))
        elif _MOVED.search(before):
            named.place += 1.0
        elif _TO.search(before):
            named.place += 0.3


def _correspondents(found: dict[str, Named], items: Iterable[Item], own: frozenset[str]) -> None:
    """Add whom the user writes to, by the names their programs give."""
    for item in items:
        others = item.recipients if item.mine else (item.author,)
        for other in others:
            name = _ADDRESS.sub("", other).strip(" \"',()")
            words = name.split()
            if not 1 <= len(words) <= 4 or _MACHINE.search(other) or any(map(str.isdigit, name)):
                continue
            if not words[0][:1].isupper() and not "\u4e00" <= name[0] <= "\u9fff":
                continue
            if {word.casefold() for word in words} & own:
                continue
            named = found.setdefault(name, Named(name))
            # One who only writes to the user is no acquaintance yet.
            named.person += 4 if item.mine else 0.5
            if item.mine or named.count:
                named.supports.setdefault(item.key, Support(item.key, item.moment.day()))


def _joined(found: dict[str, Named]) -> dict[str, Named]:
    """Join a first name with the one full name it can belong to, and a relation with its only name."""
    fuller: dict[str, list[str]] = defaultdict(list)
    for name, each in found.items():
        words = name.split()
        if len(words) in (2, 3) and is_person(each) and not name.startswith(("my ", "我")):
            fuller[words[-1]].append(name)
            if words[0] not in TITLE_WORDS and len(words) == 2:
                fuller[words[0]].append(name)
    for name in list(found):
        if name not in found or found[name].place > found[name].person:
            continue
        whole = [each for each in fuller.get(name, []) if each in found and each != name]
        if found[name].relations:  # my aunt James is not Mr James
            whole = [each for each in whole if each.split()[0] not in TITLE_WORDS]
        if len(whole) > 1:
            # One of them is meant where the others are hardly ever named.
            often = max(found[each].count for each in whole)
            whole = [each for each in whole if found[each].count * 4 > often]
        if len(whole) == 1:
            short, long = found[name], found.pop(whole[0])
            short.take(long)
            short.name = whole[0]
    _name_relations(found)
    return found


def _name_relations(found: dict[str, Named]) -> None:
    """Give `my wife` the name that sentences give her, where there is but one."""
    for key in [each for each in found if each.startswith("my ")]:
        relation = key.removeprefix("my ")
        bearers = sorted(
            (each for name, each in found.items() if name != key and each.relation() == relation),
            key=lambda each: -each.relations[relation],
        )
        first = bearers[0] if bearers else None
        rare = first is not None and first.relations[relation] < 0.03 * found[key].count
        if (
            first is None
            or rare
            or (len(bearers) > 1 and first.relations[relation] < 3 * bearers[1].relations[relation])
        ):
            if relation not in _SINGLE and bearers:
                del found[key]
            continue
        first.take(found.pop(key))
    for kin, relation in (("Mum", "mother"), ("Mom", "mother"), ("Dad", "father"), ("Mama", "mother"),
                          ("Papa", "father")):  # fmt: skip
        mine = found.get(f"my {relation}")
        if kin in found and mine is not None:
            found[kin].take(found.pop(f"my {relation}"))


def people(named: Iterable[Named]) -> Iterator[Line]:
    """Yield the people the user has most to do with, each in at least three items."""
    offered = [
        each
        for each in named
        if each.days() >= FEWEST
        and not _FIRM.search(each.name)
        and (each.name.startswith(("my ", "我")) or is_person(each))
    ]
    offered.sort(key=lambda each: (-each.count, each.name))
    for each in offered[:PEOPLE]:
        relation = each.relation()
        said = each.said.get(relation)
        text = each.name
        if relation and not each.name.startswith(("my ", "我")) and each.name not in _KIN:
            text = f"{each.name}, my {relation}"
        supports = dict(each.supports)
        if said is not None:
            supports[said.key] = Support(said.key, said.day)
        yield Line(
            section=Section.PEOPLE,
            topic=f"people:{each.name.casefold()}",
            text=text,
            supports=tuple(supports.values()),
            needed=FEWEST,
        )


def places(named: Iterable[Named]) -> Iterator[Line]:
    """Yield the places the user is at or writes about most."""
    offered = [each for each in named if each.days() >= FEWEST and is_place(each)]
    offered.sort(key=lambda each: (-each.count, each.name))
    for each in offered[:PLACES]:
        yield Line(
            section=Section.PLACES,
            topic=f"places:{each.name.casefold()}",
            text=each.name,
            supports=tuple(each.supports.values()),
            needed=FEWEST,
        )


def is_person(named: Named) -> bool:
    """Tell whether the words around a name speak of a person."""
    return named.person >= 2 and named.person > 1.2 * named.place


def is_place(named: Named) -> bool:
    """Tell whether the words around a name speak of a place."""
    lies = named.inside >= 1 and len(named.ways) >= 2  # "in Progress" only ever is in
    return lies and named.place >= 2.4 and named.place > 1.2 * named.person
