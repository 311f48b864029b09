"""Sentences in which a person says what they like: who, what, how much, and whether still."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from clone_app.memory.words import CJK, content_words, stem
from clone_app.persona.listed import listed
from clone_app.persona.traits.remarks import Remark


@dataclass(frozen=True, slots=True)
class Stance:
    """Hold one thing the user says they like (+1) or dislike (-1).

    `topic` holds the stems that name the thing, `thing` the words as written, `saying` how it is
    said ("love", "can't stand"). `event` marks what was felt once, of one thing ("I liked the
    soup"), which makes no trait alone; `past` what the sentence itself says is over.
    """

    remark: Remark
    thing: str
    topic: tuple[str, ...]
    sign: int
    saying: str
    event: bool = False
    past: bool = False
    other: str = ""


_MODS = (
    r"(?:(?:really|always|just|still|also|absolutely|truly|quite|do|did|never|don't|do not|didn't|"
    r"did not|don't really|no longer|not|now|even|rather|secretly|honestly|genuinely|totally|"
    r"completely|so|much|actually|particularly|especially|generally|usually|only|both|must say|"
    r"used to|once|came to|come to|coming to|grew to|learned to|learnt to|learning to|started to|"
    r"begun to|starting to|have always|'ve always|have never|'ve never|have come to|"
    r"'ve come to|have grown to|'ve grown to|have|'ve|simply|definitely|deeply|mightily|mighty|"
    r"exceedingly|strongly|personally|kind of|sort of)\s+)*"
)
_PLAIN: Final = {
    "love": 2, "loved": 2, "adore": 2, "adored": 2, "like": 1, "liked": 1, "enjoy": 1, "enjoyed": 1,
    "prefer": 1, "preferred": 1, "appreciate": 1, "cherish": 2, "treasure": 2,
    "hate": -2, "hated": -2, "detest": -2, "detested": -2, "loathe": -2, "loathed": -2,
    "despise": -2, "despised": -2, "dislike": -1, "disliked": -1, "abhor": -2, "resent": -1,
}  # fmt: skip
_VERB = re.compile(
    rf"(?<![\w'])I\s*(?P<mods>{_MODS})(?P<verb>{'|'.join(_PLAIN)})\s+"
    r"(?P<object>[^,.;:!?…—–()\n]+)",
    re.IGNORECASE,
)
_STAND = re.compile(
    r"(?<![\w'])I\s+(?P<mods>(?:really |just |simply |still |absolutely )*)"
    r"(?P<verb>can't stand|cannot stand|can't bear|cannot bear|can't abide|cannot abide|"
    r"couldn't stand|"
    r"could not stand|cannot endure|can't do without|cannot do without|can't live without|"
    r"don't mind|do not mind|didn't mind|can't resist|"
    r"cannot resist)\s+(?P<object>[^,.;:!?…—–()\n]+)",
    re.IGNORECASE,
)
_BE = re.compile(
    r"(?<![\w'])I(?:'m| am| was| have always been|'ve always been| have been|"
    r"'ve been)\s+"
    r"(?P<mods>(?:really |always |just |still |also |quite |very |so |a bit |too |not |no longer |"
    r"never |not really |a |an |big |huge |great |much of |much |totally |completely |"
    r"particularly |"
    r"mighty |extremely |mightily )*)"
    r"(?P<verb>fond of|fan of|keen on|into|crazy about|mad about|obsessed with|passionate about|"
    r"addicted to|partial to|allergic to|afraid of|scared of|terrified of|sick of|tired of|"
    r"fed up with|"
    r"interested in|averse to|devoted to|in love with)\s+"
    r"(?P<object>[^,.;:!?…—–()\n]+)",
    re.IGNORECASE,
)
_BE_SIGN: Final = {
    "afraid of": -1, "scared of": -1, "terrified of": -2, "sick of": -1, "tired of": -1,
    "fed up with": -1, "averse to": -1, "allergic to": -2,
}  # fmt: skip
_FAVOURITE = re.compile(
    r"(?<![\w'])[Mm]y (?:(?:all-time|absolute|own|old|new|"
    r"current) )*favou?rite (?P<kind>[\w' -]{2,40}?)"
    r"(?: (?:of all|in the world|ever))? (?:is|are|was|has always been|remains) "
    r"(?P<object>[^,.;:!?…—–()\n]+)"
)
_LIKELY = re.compile(
    r"\b(?:lov|ador|lik|enjoy|prefer|appreciat|cherish|treasur|hat|detest|loath|despis|dislik|"
    r"abhor|"
    r"resent|stand|bear|abide|endure|without|mind|resist|fond|fan|keen|into|crazy|mad|obsessed|"
    r"passionate|addicted|partial|allergic|afraid|scared|terrified|sick|tired|fed|interested|"
    r"averse|"
    r"devoted|favou?rite)"
)
# The clause after which the object is over.
_END = re.compile(
    r"\s+(?:but|because|when|whenever|that|which|who|so|if|although|though|while|since|until|till|"
    r"as|"
    r"and\s+(?:I|he|she|we|they|it|you|then|am|was|have|had|don't|not|so|to|the|my|there|a)|or\s+I|"
    r"having|whom|where|for\s+(?:it|he|she|they|I|the\s+first)|"
    r"I|he|she|we|they|you|most|mostly|again|either|too|anymore|any\s+more|any\s+longer|"
    r"now|today|tonight|yesterday|at\s+all|very\s+much|so\s+much|a\s+lot|even|especially|mightily|"
    r"very\s+well|well\s+enough|exceedingly|already|very)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_THAN = re.compile(r"\s+(?:rather than|over|to|more than|instead of|than)\s+", re.IGNORECASE)
_VAGUE: Final = listed(
    """
    it him her them you me us myself himself herself themselves yourself this that these those what
    how when whatever one ones everything anything something nothing everyone anyone someone nobody
    its there here all both either neither many much more most some any such same other others his
    their your our is was are were be been not so too very think thing things idea way sound look
    feeling fact part bit lot kind sort thought say see hear know tell admit with at on in by from of
    for no should would mr mrs great pretty well mighty best better
    """
)
_POINTING = re.compile(
    r"(?:the|this|that|these|those|a|an|his|her|their|your|its|our|some|any)\s", re.I
)
_ARTICLE = re.compile(r"^(?:the|a|an|all|such|to be|to|being|having|most)\s+", re.IGNORECASE)
# Words before "I" that make the sentence somebody's opinion of me, a condition, a question.
_NOT_SAID = re.compile(
    r"\b(?:if|whether|unless|would|could|should|do|did|does|can|might|may|suppose|wish|imagine|"
    r"pretend|pretended|as though|as if|says|said|thinks|thought|claims|knows|told|asks|asked|why|"
    r"hope|hoped|because|like)(?:\s+(?:that|me|her|him|them|us|you|me\s+that))?\s*$",
    re.IGNORECASE,
)
_SAID_BY_ME = re.compile(r"\bI\s+(?:\w+\s+)?(?:said|told|thought|asked|because)\b", re.IGNORECASE)
_NO = re.compile(
    r"\b(?:don't|do not|didn't|did not|never|no longer|not|don't really)\b", re.IGNORECASE
)
_OVER = re.compile(r"\b(?:used to|no longer|once)\b", re.IGNORECASE)
_ANYMORE = re.compile(r"\b(?:any ?more|any longer)\b", re.IGNORECASE)
_WOULD = re.compile(r"\bI(?:'d| would| should| could| might| may)\b", re.IGNORECASE)

_ZH = re.compile(
    r"(?:^|[，。！？；、：\s但而其实因为所以])我(?P<mods>(?:真的|真|很|最|特别|非常|一直|还是|就|也|都|比较|超级|超|"
    r"从来|从小|其实|现在|向来|尤其|有点|越来越|不再|再也不|再也|已经|以前|曾经|过去|从前|原来|本来|从不|并不|不太|"
    r"不怎么|不是很|不|没那么|没有那么|是|对)*)"
    r"(?P<verb>喜欢|热爱|钟爱|喜爱|爱上|爱吃|爱喝|爱看|爱听|爱|偏爱|迷上|享受|讨厌|厌恶|痛恨|恨|受不了|"
    r"反感|害怕|不爱|不喜欢)(?P<object>[^，。！？；：\n…（）()“”\"]{1,24})"
)
_ZH_DOWN: Final = frozenset(
    {"讨厌", "厌恶", "痛恨", "恨", "受不了", "反感", "害怕", "怕", "不爱", "不喜欢"}
)
_ZH_NO = re.compile("不|没")
_ZH_OVER = re.compile("以前|曾经|过去|从前|原来|本来|不再|再也不")
_ZH_VAGUE = re.compile(
    r"^(?:他|她|它|你|您|这|那|什么|怎么|自己|大家|别人|人家|了|的|上了?$|得|不|过$|个)"
)
_ZH_END = re.compile(
    r"(?:的时候|因为|所以|但是|但|而且|不过|，|了$|吗$|呢$|吧$|啊$|的$|这种.*$|，.*$)"
)
_HAS_CJK = re.compile(f"[{CJK}]")


def stances(remark: Remark) -> Iterator[Stance]:
    """Yield what one sentence says the user likes or dislikes."""
    text = remark.text
    if "我" in text:
        yield from _chinese(remark)
    if not _LIKELY.search(text):
        return
    if text.rstrip().endswith("?"):
        return
    for match in _VERB.finditer(text):
        yield from _verb(remark, match, _PLAIN[match["verb"].lower()])
    for match in _STAND.finditer(text):
        verb = match["verb"].lower()
        sign = 1 if re.search(r"without|resist|mind", verb) else -2
        yield from _verb(remark, match, sign)
    for match in _BE.finditer(text):
        yield from _verb(remark, match, _BE_SIGN.get(match["verb"].lower(), 1))
    for match in _FAVOURITE.finditer(text):
        thing = _object(match["object"])
        kind = match["kind"].strip()
        if thing and kind.casefold() not in _VAGUE and not _POINTING.match(thing + " "):
            yield Stance(remark, thing, topic_of(thing), 2, f"my favourite {kind} is")


def _verb(remark: Remark, match: re.Match[str], sign: int) -> Iterator[Stance]:
    """Yield the stance of one match, if the user says it of themselves and of something named."""
    before, mods, verb = match.string[: match.start()], match["mods"].lower(), match["verb"].lower()
    if _NOT_SAID.search(before[-40:]) and not _SAID_BY_ME.search(before[-40:]):
        return
    if _WOULD.search(match[0]) and "used to" not in mods:
        return
    whole = match["object"]
    over = bool(_OVER.search(mods)) or bool(_ANYMORE.search(whole))
    # "used to love" and "no longer love" both say: not now.
    if over and "used to" in mods:
        sign = -sign if not _NO.search(mods) else sign
    elif _NO.search(mods):
        sign = -sign
    thing, other = _object(whole), ""
    if verb.startswith("prefer"):
        parts = _THAN.split(thing, maxsplit=1)
        thing, other = parts[0].strip(), parts[1].strip() if len(parts) > 1 else ""
    topic = topic_of(thing)
    if not topic:
        return
    pointing = bool(_POINTING.match(thing))
    felt = (
        verb.endswith("ed")
        and verb not in ("obsessed with", "terrified of", "scared of")
        and not over
    )
    was = bool(re.search(r"\bI was\b|\bdidn't|\bdid not\b", match[0], re.IGNORECASE)) and not over
    negated = bool(_NO.search(mods)) and not over
    saying = f"don't {verb}" if negated and verb in _PLAIN else verb
    if negated and verb not in _PLAIN:
        saying = f"not {verb}"
    yield Stance(
        remark,
        _without_article(thing) if not thing.lower().startswith("the ") else thing,
        topic,
        1 if sign > 0 else -1,
        saying,
        event=(felt or was or (pointing and not thing.lower().startswith("a "))),
        past=over,
        other=other,
    )


def _object(written: str) -> str:
    """Return the thing itself, without the clause that follows it."""
    thing = _END.sub("", " " + " ".join(written.split())).strip(" '\"*_-")
    words = thing.split()
    if len(words) > 8:
        cut = next(
            (at for at, word in enumerate(words) if 2 <= at <= 8 and word.lower() in _GLUE), 7
        )
        words = words[:cut]
    while words and words[-1].lower() in _DANGLING:
        words.pop()
    if (
        not words
        or words[0].lower().strip("'") in _VAGUE
        or _LOOSE & {each.lower() for each in words}
    ):
        return ""
    return " ".join(words)


_LOOSE: Final = listed("him her them it no")  # "to see him cheerful" names nothing
_GLUE: Final = listed("in at on with from by after before during than")
_DANGLING: Final = listed(
    "and or of to with in at on for from the a an by my his her their is are more than really just"
)


def _without_article(thing: str) -> str:
    return _ARTICLE.sub("", thing) if thing.lower().startswith(("a ", "an ")) else thing


def topic_of(thing: str) -> tuple[str, ...]:
    """Return the stems that name a thing: its first content words, before what qualifies them."""
    if _HAS_CJK.search(thing):
        return (thing,)
    head = re.split(
        r"\s+(?:of|in|at|on|with|from|by|for|about|after|before|during|than)\s+", thing
    )[0]
    found = [stem(word) for word in content_words(head) if word not in _VAGUE][:3]
    if not found:
        found = [stem(word) for word in content_words(thing) if word not in _VAGUE][:3]
    return tuple(sorted(set(found)))


def _chinese(remark: Remark) -> Iterator[Stance]:
    """Yield the stances of a Chinese sentence."""
    if remark.text.rstrip().endswith(("?", "？", "吗", "吗。")):
        return
    for match in _ZH.finditer(remark.text):
        mods, verb = match["mods"], match["verb"]
        thing = _ZH_END.sub("", match["object"], count=1).strip(" 、")
        if not thing or len(thing) > 16 or _ZH_VAGUE.match(thing):
            continue
        sign = -1 if verb in _ZH_DOWN else 1
        over = bool(_ZH_OVER.search(mods))
        if (over and not _ZH_NO.search(mods)) or _ZH_NO.search(mods):  # 以前喜欢: not now
            sign = -sign
        saying = verb if not (_ZH_NO.search(mods) and not over) else f"不{verb}"
        yield Stance(remark, thing, (thing,), sign, saying, past=over)
