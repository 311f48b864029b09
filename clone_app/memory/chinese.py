"""Cut a Chinese question into its words, and tell which of them carry content and which name people.

Only a question is cut: what is stored stays pairs of characters, and a text is looked through for a word
as the run of its characters. Pairs of a question would count a word of three characters twice and make
words that nobody said where two meet. The segmenter is jieba's dictionary in Rust (rjieba), loaded with
the first Chinese question: 0.4 seconds and 33 MB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Longer words are looked for by their parts; a text is held in stretches up to this length.
LONGEST: Final = 4

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HAN_RUN = re.compile(f"[{_HAN}]+")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_KANA_OR_HANGUL = re.compile("[\u3041-\u30ff\uac00-\ud7af]")
# What asks, and isn't asked about: taken out before the rest is cut.
ASKING: Final = (
    r"什么颜色|差在哪里|差在哪儿|什么时候|什么地方|什么原因|什么样|什么事|什么名字|什么|为什么|"
    r"为何|为啥|怎么会|怎么样|怎么着|怎么回事|怎么|怎样|如何|多少钱|多少次|多少|多大年纪|多大|"
    r"多久|多长时间|多长|多高|多重|多远|多深|多快|多宽|多厚|多早|多晚|几点钟|几点|几号|几月|几年|"
    r"几岁|几次|几个|几天|几块钱|几块|几趟|几遍|几回|几斤|几米|几种|几本|几位|几|"
    r"哪一[年天个次位家本种条年]|哪[年天月日里儿位个些家本种条张件间座所部首款只台辆门班]|"
    r"在哪[儿里]?|哪|何时|何处|何人|星期几|礼拜几|周几|谁|是不是|有没有|能不能|会不会|要不要|"
    r"可不可以|是否|干什么|干嘛|做什么|什麼時候|什麼|為什麼|怎麼樣|怎麼|多久|幾|誰|哪裡|哪裏|"
    r"有沒有|嗎|吗|呢|吧|啊|呀|么|嘛"
)
_ASKING = re.compile("|".join(sorted(set(ASKING.split("|")), key=len, reverse=True)))


_KIND = re.compile(f"(?:什么|什麼|啥|何种|哪[种種]|多少|[几幾])(?!时候|時候|地方)([{_HAN}]+)")
# Pronouns, prepositions, particles, conjunctions, adverbs, directions, marks, as jieba tags them.
_EMPTY_TAGS: Final = ("r", "p", "u", "c", "y", "e", "o", "d", "f", "x", "w", "k", "h")
# What other languages' lists hold too: be, have, do, go, say, think, and the general words.
_STOP: Final = _listed(
    """
    是 有 没 没有 不 无 能 能够 会 可 可以 可能 要 应该 得 该 肯 敢 想 想要 愿意 打算 说 讲 谈
    谈到 说过 说起 提 提到 提起 觉得 感觉 感到 认为 以为 看 看待 看法 想法 意见 感受 心情 知道
    记得 记 告诉 发生 写 写过 写到 写下 来 去 做 干 搞 弄 拿 让 使 叫 用 过 到 在 成 成为 当 变成
    算 给 上 下 里 外 起 起来 下来 出来 过来 回来 上去 下去 出去 进去 开始 时候 时间 时 事 事情
    东西 样子 意思 方面 情况 原因 理由 结果 问题 人 日记 笔记 当时 现在 后来 以前 以后 之前 之后
    那时 这时 目前 如今 平时 平常 最后 最近 从前 过去 刚才 刚刚 今天 昨天 明天 今年 去年 前年 那天
    当天 一起 一共 总共 一直 已经 还 还有 还是 又 再 也 都 就 才 只 很 太 最 更 的 了 着 地 和 跟
    与 及 或 但 而 且 所 被 把 对 向 从 自 于 以 为 因 由 比 好 大 小 多 少 一 个 位 次 些 点 种
    样 件 回 条 这 那 你 我 他 她 它 您 咱 们 谁 哪 吗 呢 啊 吧 么 嘛 呀 其 之 一个 一次 一下 一点
    一些 一样 一天 一年 一种 一位 一条 一只 一件 两个 一边 一定 本人 自己 大家 别人 有人 有些 有点
    為 會 說 覺得 認為 現在 後來 時候 沒有 沒 還 還有 來 個 們 這 過 對 從 給 讓 嗎 麼 什 誰 寫
    做過 去過
    """
)
_SURNAMES: Final = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁"
    "魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎"
    "易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦柳邢路岳齐沿梅莫庄辛"
    "管祝左涂谷祁舒耿牟卜詹苗凌费纪靳盛童欧甄项曲阳裴席卫查屈鲍位覃霍翁隋植甘景包司柏宁柯阮桂闵柴"
    "华车冉房边辜吉饶刁瞿戚丘古米池滕晋苑邬臧畅宫苟褚廉简娄盖符奚穆党燕郎邸冀谈姬屠连郜晏栾郁蒙喻"
    "揭窦迟宇敖糜鄢冷卓仇艾蓝巩稽井练仲乐虞卞封竺冼官衣楚佟栗匡宗台巫鞠僧桑荆谌沙薄伏岑习胥蔺張劉"
    "陳楊趙黃吳孫馬羅鄭謝韓馮蕭鄧許蘇盧蔣賈葉閻譚鄒陸龍錢湯喬賀龔龐蘭顏嚴溫蘆魯韋畢聶叢"
)
_TITLES: Final = _listed(
    """
    师傅 阿姨 叔叔 伯伯 大爷 大妈 大姐 大哥 大叔 大婶 奶奶 爷爷 老师 先生 女士 小姐 太太 医生 大夫
    护士 主任 科长 处长 局长 厂长 校长 院长 队长 组长 班长 经理 总监 总 工 教授 教练 律师 老板
    书记 同学 警官 法官 站长 所长 店长 导演 编辑 会计 博士 医师 姐 哥 叔 姨 伯 婶 嫂 妹 弟 爷 奶
    老 导 師傅 老師 醫生 經理 教練 律師 老闆 護士 師父 师父 师母 同志
    """
)
# What reads as a surname and more: days of the farmer's calendar.
_NO_NAMES: Final = frozenset({"谷雨", "白露", "夏至"})
_ONE_OF: Final = ("小", "老", "阿", "大")
_NAME_AT_MOST: Final = 4
_POINTING: Final = frozenset("这那哪每某一几")
_NUMERALS: Final = frozenset("二两三四五六七八九十百千万")
# Kin and the like by the words they go by, each line one person to who says "my".
KIN: Final = (
    "爸 爸爸 父亲 老爸 爹 父親 阿爸", "妈 妈妈 母亲 老妈 娘 媽 媽媽 母親 阿妈", "哥 哥哥 大哥",
    "弟 弟弟", "姐 姐姐 大姐", "妹 妹妹", "妻子 老婆 爱人 媳妇", "丈夫 老公",
    "儿子 兒子", "女儿 女兒", "爷爷 爺爺", "奶奶", "外公 姥爷", "外婆 姥姥", "孙子 孫子", "孙女 孫女",
    "外孙 外孫", "外孙女 外孫女", "舅舅 舅", "姑姑 姑妈 姑", "姨 姨妈", "叔叔 叔", "伯伯 伯父",
    "表哥", "表弟", "表姐", "表妹", "堂哥", "堂弟", "堂姐", "堂妹", "侄子", "侄女", "外甥", "外甥女",
    "公公", "婆婆", "岳父 丈人", "岳母 丈母娘", "男朋友 男友", "女朋友 女友", "房东 房東", "老板 老闆",
    "邻居 鄰居", "同屋 室友",
)  # fmt: skip


def is_chinese(text: str) -> bool:
    """Tell whether a text is to be read as Chinese: Chinese characters, no kana, no hangul."""
    return bool(_HAN_RUN.search(text)) and not _KANA_OR_HANGUL.search(text)


def mainly(text: str) -> bool:
    """Tell whether a text says more in Chinese than in other words: "你用MacBook做什么" does."""
    han = sum(map(len, _HAN_RUN.findall(text)))
    return is_chinese(text) and han >= len(_LATIN_WORD.findall(text))


def lone(word: str) -> bool:
    """Tell whether a word is a single Chinese character."""
    return len(word) == 1 and bool(_HAN_RUN.fullmatch(word))


def words(run: str) -> list[str]:
    """Return the words of content of a run of Chinese characters, in order, each up to four long."""
    return [
        part
        for word, tag in _cut_all(run)
        if _carries(word, tag)
        for part in ([word] if len(word) <= LONGEST else _parts(word))
    ]


def parts(word: str) -> tuple[str, ...]:
    """Return the shorter words that a word is made of, () for none: 电视 of 看电视.

    Of a name what is said for short (砚秋 of 祁砚秋), and what it is without a character too many.
    """
    import rjieba

    if len(word) < 3 or not _HAN_RUN.fullmatch(word):
        return ()
    if len(word) == 3 and not rjieba.has_word(word) and not _titled(word):
        return word[1:], word[:2]
    return tuple(each for each in _parts(word) if each != word and len(each) > 1)


def calls(opening: str) -> bool:
    """Tell whether what stands before a question's first comma may be a name that is called."""
    import rjieba

    if people(opening) == [opening]:
        return True
    return not rjieba.has_word(opening) and not any(each in _STOP for each in opening)


def asked_kinds(question: str) -> frozenset[str]:
    """Return the words for what is asked for: 反应 of 什么反应, 分钟 of 多少分钟.

    What answers seldom calls itself so.
    """
    found: set[str] = set()
    for match in _KIND.finditer(question):
        following = list(_named(_cut(_ASKING.split(match[1])[0])))
        found.update(word for word, tag in following[:1] if _carries(word, tag))
    return frozenset(found)


def people(text: str) -> list[str]:
    """Return the names of people in a text, in order: 阮青, 小邵, 方科长, 李建国."""
    return [
        word for run in _HAN_RUN.findall(text) for word, tag in _cut_all(run) if tag == "person"
    ]


def stretches(text: str) -> Iterator[str]:
    """Yield every run of up to four Chinese characters: what words may be looked for in a text."""
    for match in _HAN_RUN.finditer(text):
        run = match[0]
        for start in range(len(run)):
            for end in range(start + 1, min(start + LONGEST, len(run)) + 1):
                yield run[start:end]


def _carries(word: str, tag: str) -> bool:
    """Tell whether a word carries content."""
    if tag == "person":
        return True
    if word in _STOP or tag.startswith(_EMPTY_TAGS):
        return False
    # A number counts what stands beside it, and 一 mostly nothing; a lone measure says nothing.
    if tag in ("q", "mq", "m") and (len(word) == 1 or word[0] in _POINTING):
        return len(word) == 1 and word in _NUMERALS
    return True


@lru_cache(maxsize=4096)
def _cut_all(run: str) -> tuple[tuple[str, str], ...]:
    """Return the words of a run with their tags, without what asks; names of people as "person"."""
    return tuple(each for piece in _ASKING.split(run) if piece for each in _named(_cut(piece)))


def _cut(run: str) -> list[tuple[str, str]]:
    """Return words and tags as jieba has them; what it only guesses is kept for a name alone."""
    import rjieba

    found: list[tuple[str, str]] = []
    for word, tag in rjieba.tag(run):
        if len(word) == 1 or tag == "m" or rjieba.has_word(word):
            # Of the dictionary's names many are something else; one of three characters is a person's.
            full = tag == "nr" and len(word) == 3 and word[0] in _SURNAMES and not _titled(word)
            found.append((word, "person" if full else tag))
        elif (word[0] in _STOP and word[0] not in _ONE_OF) or word[-1] in _STOP:
            found.extend(rjieba.tag(word, hmm=False))
        elif word[0] in _ONE_OF[:3] and len(word) < _NAME_AT_MOST:
            found.append((word, "person" if word[1] in _SURNAMES else "n"))
        elif word in _NO_NAMES:
            found.append((word, "t"))
        elif tag == "nr" and len(word) < _NAME_AT_MOST and word[0] in _SURNAMES:
            found.append((word, "person"))
        else:
            found.extend(rjieba.tag(word, hmm=False))
    return found


def _titled(word: str) -> bool:
    return word[1:] in _TITLES or word in _TITLES


def _named(cut: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield words with those joined that name somebody together: 小 邵, 戴 师傅, 老王."""
    at = 0
    while at < len(cut):
        word, tag = cut[at]
        following = cut[at + 1][0] if at + 1 < len(cut) else ""
        titled = len(word) == 1 and word in _SURNAMES and following in _TITLES
        short = word in _ONE_OF and len(following) == 1 and following in _SURNAMES
        if titled or short:
            yield word + following, "person"
            at += 2
        else:
            alone = len(word) == 2 and word[0] in _ONE_OF[:3] and word[1] in _SURNAMES
            called = (alone and tag == "nr") or (word[0] in _SURNAMES and word[1:] in _TITLES)
            yield word, "person" if called and len(word) > 1 else tag
            at += 1


def _parts(word: str) -> list[str]:
    import rjieba

    return [each for each in rjieba.cut_for_search(word) if len(each) <= LONGEST]
