"""Read what a Chinese question asks for, as wants.py does of English ones, and what answers it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from clone_app.memory import chinese
from clone_app.persona import numerals
from clone_app.persona.listed import listed
from clone_app.persona.question.kinds import Kind

# What a sum is for, and what is done with it; 花 is a flower too.
_PRICES: Final = "租|薪|工资|押金|定金|学费|价|费|津贴|奖金|存款|贷款"
_PAYING: Final = (
    "(?<![天开雪烟浪棉红])花(?![板园盆店瓶开])|付|交|收(?![拾好起])|借|赚|挣|卖|买|值|罚|赔|欠|"
    "[还還](?=[了给給清])|存(?!在)|转(?=[了给账来过])|涨|降|给|給"
)
_ONE_OF: Final = "个個位种種本家部首款条條只隻件张張台臺辆間间座所门門样樣句段班路双篇道层場场"


def _any(words: str) -> re.Pattern[str]:
    """Return a pattern of alternatives written apart."""
    return re.compile("|".join(words.split()))


_PATTERNS: Final = (
    (
        Kind.COLOUR,
        _any("(?:什么|什麼|啥|哪[种種]|何种)(?:颜色|顏色) (?:颜色|顏色)是(?:什么|什麼|哪)"),
    ),
    (
        Kind.MONEY,
        _any(
            f"""
            多少[钱錢元块塊] [几幾](?:块|塊|元|万|百块|千块)
            (?:{_PRICES}|{_PAYING})[^，。？]{{0,6}}(?:多少|[几幾])(?![个次天年岁本件])
            """
        ),
    ),
    (
        Kind.DATE,
        _any(
            """
            什么时候 什麼時候 啥时候 何时 什么时间 哪会儿 哪一?[年天月日]
            哪一?个(?:月|星期|礼拜|周|季节|年头) [几幾][号號月点] 星期几 礼拜几 周几
            """
        ),
    ),
    (
        Kind.AMOUNT,
        # "这几个" are some; "几乎" and "几何" are other words.
        _any(
            """
            多少 (?<![这那前后近好十上头最百千])[几幾](?![乎何近经番曾])
            多[大久长長高重远遠深快宽厚早晚]
            """
        ),
    ),
    (
        Kind.REASON,
        _any(
            """
            为什么 為什麼 为何 为啥 怎么会 怎麼會 怎么(?:不|就|又|突然|忽然) 凭什么 什么原因
            因为什么 什么缘故 原因是什么
            """
        ),
    ),
    (
        Kind.PERSON,
        _any(
            """
            [谁誰](?![都也]) 哪一?位 何人 什么人 姓什么 姓啥 叫做?(?:什么|啥)(?!时候) 什么名字
            名字[是叫] 哪个(?:人|同事|朋友|同学|老师|医生|亲戚)
            """
        ),
    ),
    (
        Kind.PLACE,
        _any(
            """
            (?<!差在)哪[里裡裏儿] (?<!差)在哪 去哪 到哪 何处 什么地方 什麼地方 哪条[街路巷河]
            哪一?[座个]?(?:城市|地方|国家|省|镇|村|街|巷|小区)
            """
        ),
    ),
    (
        Kind.WHICH,
        _any(
            f"""
            哪一?[{_ONE_OF}] 哪些
            (?:什么|什麼|啥)(?:牌子|品牌|型号|品种|专业|書|书|歌|电影|题目|学校|公司|单位|职业)
            """
        ),
    ),
)
_YES_NO = re.compile(
    r"(?:吗|嗎|(?<![什甚怎多那这要])么|吧|没有|沒有|没|了没|不)[?？。\s]*$|是不是|是否|有没有|有沒有|会不会|能不能|要不要|可不可以|"
    r"(?P<verb>[\u4e00-\u9fff]{1,2})[不没](?P=verb)"
)
_ASKS = re.compile(
    "|".join(f"(?:{pattern.pattern})" for _, pattern in _PATTERNS)
    + "|什么|什麼|怎么|怎麼|怎样|如何|哪|啥|[吗嗎]$|是不是|是否|有没有|会不会|能不能|没有?$|"
    + r"(?P<verb>[\u4e00-\u9fff]{1,2})[不没](?P=verb)"
)
# "你还记得…吗" and "你知道…吗" want what they hold.
_KNOW = re.compile(
    r"^(?:那|那么|还有)?(?:你|您)?(?:还|可|能|可以|可不可以|能不能)?(?:记得|知道|晓得|清楚|告诉我|说说|讲讲)(?=.*(?:谁|哪|什么|几|多|怎))"
)
# A comma parts two questions where both ask.
_COMMA = re.compile("[，,；;、]")
_CALLED = re.compile("\\s*([\u4e00-\u9fff]{2,4})[，,](?=.*[你您])")
# 后来 and a name that is called tell nothing.
_CLAUSE_AT_LEAST = 4
_AND = re.compile("^(?:还有|那么|而且|另外|以及|又|和|并且)+")
# What a question measures in: an answer says the figure and not these.
MEASURES: Final = listed(
    "花 付 交 卖 买 赚 挣 欠 值 价 价钱 价格 房租 租金 工资 薪水 月薪 费用 长 重 大 高 远 深 岁 "
    "岁数 年纪 年龄 身高 体重 重量 长度 高度 数量 总数 钱 用了 一共 总共 共用 "
)
# "戴师傅怎么看？" asks for what another says; "你怎么看" doesn't.
_THEIRS: Final = re.compile(
    "(?<![你您我])(?:(?:是|又|会|后来|最后|听了|当时)?(?:怎么|怎麼|怎样)(?:看|说|說|想|回|讲|评价|答)|"
    "(?:有)?(?:什么|什麼|啥)(?:看法|意见|反应|想法|态度)|(?:说|說|讲|回|答)(?:了|过|的)?(?:什么|什麼|啥))"
)
SAYING: Final = listed("看法 意见 反应 想法 态度 回信 答复 回答 回复 评价 说法 听 说")
_SUPPOSED: Final = re.compile("如果|要是|假如|倘若|假设|万一|要不是|若是|若不是|換作|换作|換成")

_NUMBER: Final = rf"(?:\d[\d,.]*+|{numerals.NUMERAL}++)"
# A lump, a piece and a coin are all one word.
_COIN: Final = rf"块(?=钱|{numerals.NUMERAL}|\d|[，。！？；、\s”」]|$|的|多)"
_OTHER_MEASURE: Final = "[个個位名只隻条条件张本台次回趟遍年月天日点号岁层楼小分公斤克米秒瓶杯级]"
_SUM = re.compile(
    rf"{_NUMBER}[多来几]?(?:元|角|毛|美元|欧元|日元|港币|英镑|万块|万元|{_COIN})|[￥¥$€£]\s?\d|"
    rf"(?:{_PRICES}|{_PAYING})[^，。！？；]{{0,8}}?{_NUMBER}(?!{_OTHER_MEASURE})|"
    rf"{_NUMBER}(?<=[万千百])(?=[，。！？；\s”」]|$)"
)
# What is measured in what: "多久" in times, "几趟" in its own measure.
_MEASURED: Final = tuple(
    (re.compile(asking), measures)
    for asking, measures in (
        ("多大(?:年纪|岁数)|几岁|多少岁", "个?月大|周?岁|歲|年级"),
        (
            "多[久]|多长时间",
            "年|个月|个月|月|天|日|周|个?星期|个?礼拜|个?(?:小时|小時|钟头)|分钟|刻钟|秒|晚|夜|学期",
        ),
        ("[几幾多]少?(?:次|回|趟|遍)", "次|回|趟|遍"),
        ("多重", "公斤|千克|斤|克|吨|两"),
        ("多高", "公分|厘米|米|层|尺"),
    )
)
_KINS: Final = frozenset(word for line in chinese.KIN for word in line.split())
# 爸 alone is one's own father, 外公 too; of longer words the longest one counts.
_KIN = re.compile("|".join(sorted(_KINS, key=len, reverse=True)))
_COLOURS = re.compile(
    "[红紅橙黄黃绿綠青蓝藍紫黑白灰棕褐粉金银銀米][色]|[红紅绿綠蓝藍紫灰黑]|[黄黃白粉](?=的|底|布|漆|皮|衣|裙|鞋|毛)"
)
_SPOT = re.compile(
    "(?:在|到|去|从|從|住|往|回|于|於|搬进|搬到)(?!了|着|乎|意|家人)[\u4e00-\u9fff\\w]{1,14}|"
    "[\u4e00-\u9fff]{1,6}(?:市|县|镇|村|街|路|巷|弄|大学|医院|公司|小区|饭店|车站|码头)|\\d+号"
)
_BECAUSE = re.compile(
    "因为|因為|由于|由於|所以|因此|为了|為了|原因|不然|免得|省得|既然|于是|於是|怕|才|是想|好让|为的是|舍不得|嫌|太|"
    "再也|反正|怪|害得|气|担心|不放心"
)


def kind_of(question: str) -> Kind:
    """Return what would answer a Chinese question of one part.

    An asking word behind 你知道 … 吗 is what is wanted; else 吗 makes it a question for yes or no, whatever
    else stands there ("你去过哪里吗").
    """
    text = question.strip().rstrip("?？ ")
    known = _KNOW.match(text)
    if not known and _YES_NO.search(text):
        asking = [kind for kind, pattern in _PATTERNS if pattern.search(text)]
        if not asking or re.search("(?:吗|嗎)$", text):
            return Kind.YES_NO
    return next((kind for kind, pattern in _PATTERNS if pattern.search(text)), Kind.OPEN)


def questions(asked: str) -> list[str]:
    """Return a sentence's sub-questions: a clause that asks ends one, those before it tell what of.

    "丢了工作以后，在哪儿落的脚，做什么？" are two.
    """
    found: list[str] = []
    told: list[str] = []
    for clause in (each.strip() for each in _COMMA.split(asked)):
        if not clause:
            continue
        told.append(_AND.sub("", clause) or clause)
        if _ASKS.search(clause.rstrip("?？ ")):
            found.append("，".join(told))
            told = []
    if told and found:
        found[-1] = "，".join([found[-1], *told])
    return found or [asked]


def asks_theirs(question: str) -> bool:
    """Tell whether a question asks what somebody other than the user says or thinks."""
    return any(
        not re.search("[你您我](?:自己|当时|现在|后来|又|是)?$", question[: match.start()])
        for match in _THEIRS.finditer(question)
    )


def tells(question: str) -> bool:
    """Tell whether a question asks what might have been, or tells in two clauses before it asks.

    What a full stop parts in English a comma does here.
    """
    if _SUPPOSED.search(question):
        return True
    told = 0
    for clause in _COMMA.split(question):
        if _ASKS.search(clause.rstrip("?？ ")):
            return told > 1
        told += len(clause.strip()) >= _CLAUSE_AT_LEAST
    return False


def uncalled(question: str) -> str:
    """Return a question without the name it calls at its beginning: "砚秋，你…".

    Alone before a comma stand a name or a word; what is no word is somebody's name.
    """
    match = _CALLED.match(question)
    return question[match.end() :] if match and chinese.calls(match[1]) else question


def holds(kind: Kind, text: str, *, asked: frozenset[str]) -> bool:
    """Tell whether a Chinese text holds what a kind of question asks for, besides what it says itself."""
    match kind:
        case Kind.AMOUNT | Kind.MONEY:
            told = numerals.numbers(text) - numerals.numbers("，".join(sorted(asked)))
            return bool(told) and (kind is Kind.AMOUNT or bool(_SUM.search(text)))
        case Kind.PERSON:
            return any(each not in asked for each in _people(text))
        case Kind.COLOUR:
            return bool(_COLOURS.search(text))
        case Kind.PLACE:
            return bool(_SPOT.search(text))
        case Kind.REASON:
            return bool(_BECAUSE.search(text))
        case _:
            return True


def measured(question: str, text: str) -> bool:
    """Tell whether a text holds a number of what a question measures in: years of age for 多大.

    True for a question that leaves open what its amount is of.
    """
    for asking, measures in _MEASURED:
        if asking.search(question):
            return bool(re.search(rf"(?:{_NUMBER}|半)[多来几]?(?:{measures})", text))
    return True


def _people(text: str) -> Iterator[str]:
    """Yield who is named in a text, and kin by what they are."""
    yield from chinese.people(text)
    yield from _KIN.findall(text)
