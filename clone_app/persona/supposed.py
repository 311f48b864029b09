"""A line as the diary might say it: what a model supposes the entry that answers a question to read like.

A text of the kind that is looked for stands nearer to it than a question does (HyDE, Gao et al. 2022,
arXiv 2212.10496). What such a line says is made up: it is a probe for recall, and nobody ever reads it.
"""

from __future__ import annotations

import re
from typing import Final

from clone_app.memory.words import mostly_latin
from clone_app.persona.prompts import harmless
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Message, Sampling

TOKENS: Final = 40
# What of a question is shown; a longer one says what it is about at its beginning.
LETTERS: Final = 600
# One reply is all that is wanted, and the same question gets the same one.
_SAMPLING: Final = Sampling(max_tokens=TOKENS, temperature=0.0)
# Less than this says nothing that the question doesn't.
LETTERS_AT_LEAST: Final = 8

_ENGLISH: Final = (
    "You write what stands in a private diary. Each time you get a question, write the one line of the "
    "diary that answers it: in the first person, what happened and how it felt. Make up what you "
    "don't know.",
    "Question: {question}\nLine of the diary:",
    "When did you last see your sister, and how was she?",
    "Lunch with Nora at the harbour today; she looked tired, but we laughed a lot.",
    "Which repair did Paul pay for in the end, and why had he put it off?",
    "Paid the garage 640 for the new gearbox at last. I kept hoping the noise would go away.",
)
_CHINESE: Final = (
    "你写私人日记。每次得到一个问题，就写出日记里能回答它的那一行：用第一人称，写发生了什么、感受如何。"
    "不知道的就编。",
    "问题：{question}\n日记里的一行：",
    "你最近一次见到姐姐是什么时候，她怎么样？",
    "今天和小娜在港口吃午饭，她看起来有点累，但我们笑得很开心。",
    "保罗最后付了哪笔修理费，为什么一直拖着？",
    "终于付了六百四十块换变速箱，我一直盼着那声音会自己消失。",
)
# Small models decline what is none of their business, and that is no line of a diary.
_DECLINES: Final = re.compile(
    r"^(?:i'?m sorry,? but|sorry,|as an ai\b|i can(?:no|')t (?:assist|help|answer)|"
    r"对不起|很?抱歉|作为(?:一个|一名)?(?:人工智能|AI|语言模型))",
    re.IGNORECASE,
)
_AROUND: Final = re.compile(
    r"^(?:dear diary|(?:line of the )?diary|亲爱的日记|日记(?:里的一行)?)\s*[,:，：]\s*",
    re.IGNORECASE,
)
_MARKS: Final = " \t\"'“”‘’「」*-–—•"


def supposed_line(question: str, chat: ChatModel, *, progress: Progress) -> str:
    """Return the one line a model supposes, empty where it says nothing to look for.

    Raises what the model raises, `ModelError` and `Cancelled` among it.
    """
    asked = " ".join(question.split())[:LETTERS]
    if not asked:
        return ""
    told, form, *examples = _ENGLISH if mostly_latin(asked) else _CHINESE
    messages = [Message("system", told)]
    for example, line in zip(examples[::2], examples[1::2], strict=True):
        messages += [Message("user", form.format(question=example)), Message("assistant", line)]
    messages.append(Message("user", form.format(question=harmless(asked))))
    said = ""
    for piece in chat.stream(messages, _SAMPLING, progress):
        said += piece
        if "\n" in said.strip():
            break
    return _cleaned(said)


def _cleaned(said: str) -> str:
    """Return the first line without what a model puts around it."""
    lines = said.strip().splitlines()
    line = _AROUND.sub("", lines[0].strip(_MARKS)).strip(_MARKS) if lines else ""
    said_nothing = len(line) < LETTERS_AT_LEAST or _DECLINES.match(line.replace("’", "'"))
    return "" if said_nothing else line
