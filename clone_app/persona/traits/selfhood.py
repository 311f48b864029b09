"""Who a person says they are: roles, homes, work, money and health, as their own sentences state them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from clone_app.memory.lines import Line, Section, Support
from clone_app.memory.words import content_words, stem
from clone_app.persona.traits.remarks import Remark

WHO: Final = 6
WORK: Final = 9
FEWEST: Final = 3

_ROLE_WORDS = (
    r"mother|father|mum|mom|dad|parent|wife|husband|widow|widower|daughter|son|sister|brother|"
    r"twin|grandmother|"
    r"grandfather|grandma|grandpa|aunt|uncle|vegetarian|vegan|christian|catholic|protestant|"
    r"muslim|jew|buddhist|"
    r"hindu|atheist|believer|feminist|conservative|liberal|socialist|introvert|extrovert|"
    r"perfectionist|"
    r"insomniac|diabetic|migrant|immigrant|native|student|pensioner|retiree|freelancer|orphan|"
    r"bachelor|"
    r"smoker|drinker|optimist|pessimist|feminist|only child"
)
_JOB_WORDS = (
    r"writer|engineer|manager|nurse|doctor|teacher|lawyer|clerk|secretary|director|developer|"
    r"programmer|designer|"
    r"architect|accountant|editor|journalist|baker|cook|chef|driver|farmer|mechanic|technician|"
    r"librarian|"
    r"scientist|researcher|professor|lecturer|consultant|analyst|officer|artist|painter|musician|"
    r"carpenter|"
    r"electrician|plumber|waiter|waitress|barista|cleaner|gardener|photographer|translator|"
    r"bookbinder|"
    r"binder|sailor|soldier|treasurer|supervisor|assistant|apprentice|salesman|saleswoman|"
    r"shopkeeper|"
    r"therapist|psychologist|dentist|vet|physiotherapist|pharmacist|inspector|founder|"
    r"entrepreneur|owner|"
    r"administrator|coordinator|planner|surveyor|builder|tailor|bookseller|merchant"
)
_I_AM = re.compile(
    r"(?<![\w'])(?:I(?:'m| am| have been|'ve been| was| became| work as| worked as|"
    r"'m working as))(?: now| still| "
    r"only| also| just)? (?:an?|the|one of the|their|his|her|our|"
    r"(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?'s) "
    r"(?P<role>(?:(?!to |with |of |on |for |in |my |his |her |that |the |a |\w+ing )[\w-]+ ){0,3}?"
    rf"(?P<word>{_ROLE_WORDS}|{_JOB_WORDS}))\b(?!')(?P<more>(?: (?:of|at|for|in|with|from|"
    rf"to) [^,.;:!?()]{{3,40}})?)",
    re.IGNORECASE,
)
_TITLED = re.compile(
    rf"\b(?P<role>(?:(?:senior|junior|chief|head|lead|deputy|assistant|technical|software|"
    rf"district|project|"
    rf"product|staff|principal|self-employed|freelance|"
    rf"retired) )+(?:(?!with |my |his |her |the |of |to |for )[\w-]+ ){{0,2}}?(?:{_JOB_WORDS}))\b"
    r"(?P<more> (?:at|for|with) [A-Z][\w&'-]+(?: [A-Z][\w&'-]+){0,2})?",
)
_MY_JOB = re.compile(
    rf"\b(?:as an?|my (?:job|work|position|role) as (?:an?|"
    rf"the)?) (?P<role>(?:[\w-]+ ){{0,3}}?(?:{_JOB_WORDS}))\b(?P<more>)",
    re.I,
)
_AGE = re.compile(
    r"(?<![\w'])I(?:'m| am| turned|'ve turned| have turned| will be|'ll be) (?:now |only |"
    r"already |nearly |almost )?"
    r"(?P<age>\d{2}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:-(?:one|two|three|four|"
    r"five|six|seven|"
    r"eight|nine))?)(?: years old)?(?=[ ,.;!]|$)(?! (?:minutes|miles|per|percent|%|pounds|times|"
    r"days|weeks|hours|metres))",
    re.IGNORECASE,
)
_NAME_AGE = re.compile(
    r"^(?P<name>[A-Z][\w'-]+(?: [A-Z][\w'-]+)+), (?P<rest>(?:aged )?(?:\d{2}|"
    r"[a-z]+-?[a-z]*)(?:, [^.]{3,90})?)\.?$"
)
_BORN = re.compile(
    r"\bI was born (?:in|on|at) [^.;!?]{3,50}|\bI (?:grew up|come|came) (?:in|"
    r"from) [A-Z][^.;!?]{2,50}|我(?:出生于|来自|是[^，。]{1,8}人)[^，。！？]{0,16}"
)
_KIND = re.compile(
    r"(?<![\w'])I(?:'m| am)(?: just| simply| not| really| still)? (?:an?|the (?:kind|sort|"
    r"type) of) (?:(?:kind|sort|type) of )?"
    r"(?:[\w-]+ ){0,2}?(?:person|man|woman|human|girl|guy|boy)\b[^.;!?]{0,80}",
    re.IGNORECASE,
)
_ZH_AM = re.compile(
    r"我(?:现在)?(?:是|当|做)(?:一个|一名|一位|个|名)?[^，。！？\n的]{0,8}(?:师|员|生|医生|教师|经理|工程师|主管|厂长|妈妈|爸爸|母亲|父亲|"
    r"人)(?=[，。！？\n]|$)"
)

_LIVE = re.compile(
    r"(?<![\w'])(?:I(?:'ve| have)? (?:now |still |just |used to |don't |do not |"
    r"no longer )?(?:live|lived|moved|am living|"
    r"'m living|settled|was living|rent|rented)|[Ww]e (?:live|lived|moved)|[Mm]y (?:new |little |"
    r"own )?"
    r"(?:flat|home|apartment|cottage))(?: \w+){0,2}? (?:in|at|to|into|on) "
    r"(?P<place>(?:the )?[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})"
)
_ZH_LIVE = re.compile(
    r"我(?:们)?(?:现在|一直|已经)?(?:住在|搬到了?|搬去了?|搬进了?)(?P<place>[^，。！？\n了]{2,10})"
)
_WORK = re.compile(
    r"\b(?:my (?:first|last) day (?:at|with)|last day at|first day at|I(?:'m| am)? ?(?:resigned|"
    r"resigning|quit|"
    r"was (?:promoted|hired|fired|laid off|made redundant|sworn|chosen|appointed)|got (?:the|"
    r"a) job|got promoted|"
    r"handed in my notice|retired|retiring|start(?:ed)? (?:work(?:ing)? )?(?:at|with|as)|"
    r"work(?:ed)? (?:at|for) (?-i:[A-Z])|"
    r"have been with the company|'ve been with the company|went freelance|am unemployed|"
    r"'m unemployed)\b|"
    r"\bnew job\b|\bmy resignation\b|I(?:'ve| have) (?:resigned|retired|been promoted|"
    r"accepted the (?:job|offer|position))|"
    r"years (?:at|with) (?:the|this|my) company|promoted me|"
    r"\b(?:named|opened|started|founded|set up|registered|closed|sold|running|"
    r"run) my (?:own )?(?:\w+ )?"
    r"(?:business|company|shop|studio|practice|workshop)\b)",
    re.IGNORECASE,
)
_ZH_WORK = re.compile(
    r"我[^，。！？\n]{0,8}(?:辞职|离职|入职|升职|退休|跳槽|换了工作|找到工作|上班第一天)[^，。！？\n]{0,20}"
)
_MONEY = re.compile(
    r"\b(?:my|our) (?:\w+ )?(?:rent|salary|wages?|savings|mortgage|loan|debts?|pension|income|"
    r"budget)\b|"
    r"\bI(?:'m| am| find myself| do find myself)? (?:to be )?(?:now )?(?:earn|earning|owe|pay|"
    r"paying|saved|save|worth)\b|"
    r"\bI(?:'ve| have) (?:\w+ ){1,4}(?:pounds|dollars|euros|yuan|saved|savings|in the bank|"
    r"in debt)\b|"
    r"\b(?:in savings|in the bank)\b|我的?(?:工资|存款|房租|房贷)",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"[£$€¥]\s?\d[\d,.]*|\b\d[\d,.]*\s?(?:pounds|dollars|euros|yuan|RMB|k\b|K\b|l\.)|"
    r"\b(?:\w+ )?(?:hundred|thousand|"
    r"million) (?:pounds|dollars|euros|yuan)|\d+[万元]"
)
_I = re.compile(r"(?<![\w'])(?:I|my|My|mine|me|I'm|I've|I'd)(?![\w])|我")


def who(told: Sequence[Remark]) -> Iterator[Line]:
    """Yield what the user says they are: roles and kinds of person, the latest wording of each."""
    found: dict[str, list[tuple[Remark, str]]] = defaultdict(list)
    for remark in told:
        text = remark.text
        if text.endswith("?") or len(text) > 220:
            continue
        if match := _NAME_AGE.match(text):
            found["name"].append((remark, text))
        for match in _I_AM.finditer(text):
            if re.match(_JOB_WORDS, match["word"], re.IGNORECASE) or _loose(text, match.start()):
                continue
            found[f"role:{stem(match['word'])}"].append((remark, _clause(text, match)))
        if match := _AGE.search(text):
            found["age"].append((remark, _clause(text, match)))
        if match := _BORN.search(text):
            found["born"].append((remark, match[0].strip()))
        if (match := _KIND.search(text)) and not _loose(text, match.start()):
            about = sorted(
                {stem(word) for word in content_words(match[0])} - {"person", "man", "woman"}
            )
            if about:
                found["kind:" + " ".join(about)[:60]].append((remark, match[0].strip()))
        if "我" in text and (match := _ZH_AM.search(text)):
            found[f"zh:{match[0]}"].append((remark, match[0]))
    ranked = sorted(
        found.items(),
        key=lambda each: (each[0] != "name", each[0] != "age", -len(each[1]), each[0]),
    )
    for topic, said in ranked[:WHO]:
        yield _stated(Section.WHO, f"who:{topic}", said)


def _of_me(text: str, start: int) -> bool:
    """Tell whether a role is the user's: "I" stands close before it, or a name and an age open the line."""
    if _NAME_AGE.match(text):
        return True
    before = text[:start]
    at = max(before.rfind("I "), before.rfind("I'"))
    between = before[at:] if at >= 0 else ""
    return bool(_BEING.match(between)) and len(between.split()) <= 9 and not _OTHERS.search(between)


_BEING = re.compile(
    r"I(?:'m| am| was| became| went| started| worked?| wrote|'ve been| have been| can be|"
    r" got a job)\b"
)


_OTHERS = re.compile(
    r"\b(?:with|asked|discussed|told|my|met|called|him|her|them|from a|to the|by|like|by a|"
    r"he|she|they|see|saw|need|want|hired)\b",
    re.IGNORECASE,
)


def _loose(text: str, start: int) -> bool:
    """Tell whether "I am a …" hangs on an "if", an "as though" or somebody's saying so."""
    return bool(
        re.search(
            r"\b(?:if|as though|as if|that|says|said|thinks|whether|wish|when|like)\s*$",
            text[:start],
        )
    )


def _clause(text: str, match: re.Match[str]) -> str:
    """Return the clause around a match, to its next stop."""
    start = max(
        (text.rfind(mark, 0, match.start()) for mark in (". ", "; ", ": ", "— ", "– ")), default=-1
    )
    ends = [
        at for mark in (". ", "; ", ": ", "— ", "– ") if (at := text.find(mark, match.end())) > 0
    ]
    clause = text[start + 1 if start >= 0 else 0 : min(ends, default=len(text))].strip(" ;:—–")
    return clause if len(clause) <= 130 else match[0].strip()


def _stated(
    section: Section, topic: str, said: Sequence[tuple[Remark, str]], *, private: bool = False
) -> Line:
    """Return the line that quotes the latest of what was said, resting on all of it."""
    ordered = sorted(said, key=lambda each: each[0].day or date.min)
    last, words = ordered[-1]
    supports = {
        remark.key: Support(remark.key, remark.day, remark.key == last.key) for remark, _ in ordered
    }
    return Line(
        section=section,
        topic=topic,
        text=f"“{words}”",
        supports=tuple(supports.values()),
        private=private,
    )


def homes(told: Sequence[Remark]) -> Iterator[Line]:
    """Yield where the user says they live, then → now where they moved."""
    said: list[tuple[Remark, str]] = []
    for remark in told:
        for match in (*_LIVE.finditer(remark.text), *_ZH_LIVE.finditer(remark.text)):
            if remark.day is not None and not remark.text.endswith("?"):
                said.append((remark, match["place"].removesuffix("'s")))
    said.sort(key=lambda each: each[0].day or date.min)
    counts = Counter(place for _, place in said)
    # In a long archive one sentence is easily about somebody else's lodging.
    fewest = max(2 if len(counts) > 2 else 1, len(told) // 5000)
    stays: list[tuple[str, Remark]] = []
    for remark, place in said:
        if counts[place] >= fewest and (not stays or stays[-1][0] != place):
            stays = [each for each in stays if each[0] != place]
            stays.append((place, remark))
    if stays:
        stays = stays[-4:]
        text = " → ".join(f"{place} ({remark.day:%B %Y})" for place, remark in stays)
        vital = {remark.key for _, remark in stays}
        named = {place for place, _ in stays}
        supports = {
            remark.key: Support(remark.key, remark.day, remark.key in vital)
            for remark, place in said
            if place in named
        }
        yield Line(
            section=Section.PLACES,
            topic="places:home",
            text=f"I lived in {text}" if len(stays) > 1 else f"I live in {text}",
            supports=tuple(supports.values()),
        )


def work(told: Sequence[Remark]) -> Iterator[Line]:
    """Yield the user's work as they state it, in order of time, and what they say of their money."""
    jobs: dict[str, list[tuple[Remark, str]]] = defaultdict(list)
    moves: list[tuple[float, Remark]] = []
    money: list[tuple[float, Remark]] = []
    for remark in told:
        text = remark.text
        if text.endswith("?") or not 8 <= len(text) <= 200:
            continue
        for match in _I_AM.finditer(text):
            if re.match(_JOB_WORDS, match["word"], re.IGNORECASE) and not _loose(
                text, match.start()
            ):
                jobs[_job(match["role"])].append((remark, _clause(text, match)))
        titled = _TITLED.search(text) or _MY_JOB.search(text)
        if titled and _of_me(text, titled.start("role")):
            jobs[_job(titled["role"])].append((remark, _clause(text, titled)))
        if (
            len(text) <= 160
            and (_WORK.search(text) or _ZH_WORK.search(text))
            and (_I.search(text) or _WORK.match(text))
        ):
            moves.append((1.0 - abs(len(text) - 60) / 160, remark))
        if _MONEY.search(text) and _SUM.search(text) and _I.search(text) and len(text) <= 170:
            money.append((1.0 - abs(len(text) - 70) / 160 + bool(_STANDING.search(text)), remark))
    ranked = sorted(jobs.items(), key=lambda each: (-len({r.key for r, _ in each[1]}), each[0]))
    for topic, said in ranked[:3]:
        yield _stated(Section.WORK, f"work:{topic}", said)
    yield from _best(moves, "work:move", 4, private=False)
    yield from _best(money, "work:money", 2, private=True)


_STANDING = re.compile(
    r"\b(?:savings|mortgage|salary|rent|debts?|pension|worth|income|a month)\b", re.IGNORECASE
)


def _job(role: str) -> str:
    return " ".join(sorted({stem(word) for word in content_words(role)})[:3])


def _best(
    offered: list[tuple[float, Remark]], topic: str, most: int, *, private: bool
) -> Iterator[Line]:
    """Yield the clearest of the sentences, one of an entry, in order of time."""
    chosen: dict[str, Remark] = {}
    months: set[tuple[int, int]] = set()
    for _, remark in sorted(offered, key=lambda each: (-each[0], each[1].text)):
        month = (remark.day.year, remark.day.month) if remark.day else (0, 0)
        if remark.key not in chosen and month not in months:
            chosen[remark.key] = remark
            months.add(month)
        if len(chosen) == most:
            break
    for remark in sorted(chosen.values(), key=lambda each: each.day or date.min):
        about = " ".join(sorted({stem(word) for word in content_words(remark.text)}))[:60]
        yield Line(
            section=Section.WORK,
            topic=f"{topic}:{about}",
            text=f"“{remark.text}”",
            supports=(Support(remark.key, remark.day, vital=True),),
            private=private,
        )
