"""Matters a person tells nobody unasked: health, sexuality, faith, politics, money."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final


class Matter(StrEnum):
    """Name a kind of thing that stays private unless the user says otherwise."""

    HEALTH = "health"
    SEXUALITY = "sexuality"
    FAITH = "faith"
    POLITICS = "politics"
    MONEY = "money"


_WORDS: Final = {
    Matter.HEALTH: (
        r"depress(?:ion|ed)|anxiety|panic attack|therap(?:y|ist)|psychiatr\w+|medication|"
        r"antidepressants?|cancer|"
        r"diabet\w+|hiv|aids|epileps\w+|insomnia|blood pressure|blood sugar|surgery|miscarriage|"
        r"abortion|pregnan\w+|"
        r"diagnos\w+|suicid\w+|self-harm|addict(?:ion|ed)|alcoholi\w+|rehab|allerg\w+|asthma|"
        r"migraines?|cardiolog\w+|"
        r"palpitations?|ectopic|tumou?r|chemo\w*|disorder|adhd|autis\w+|ptsd|hospital|overdose|"
        r"infertil\w+|ivf|(?:my|the|a|saw|see) doctors?|(?:my|the) gp|cardiac|"
        r"heart (?:attack|condition|disease|failure|monitor|murmur|problem|rhythm|trouble)s?|"
        r"blood tests?|biops\w+|x-rays?|ultrasound|ecg|ekg|mri|prescri(?:bed|ptions?)|symptoms?|"
        r"dementia|alzheimer\w*|parkinson\w*|arthritis|hospice|anorexi\w+|bulimi\w+|menopaus\w+",
        "抑郁|焦虑症|癌|糖尿病|高血压|失眠|怀孕|流产|手术|心理咨询|确诊|艾滋|自杀|吃药|看医生|看病|住院|体检|化验|"
        "心脏病|处方|症状",
    ),
    Matter.SEXUALITY: (
        r"gay|lesbian|bisexual|queer|transgender|sexuality|sexual(?:ly)?|sex|porn\w*|affair with|"
        r"slept with|virginity|"
        r"erection|orgasm|masturbat\w+|came out as|coming out",
        "同性恋|双性恋|性生活|性取向|出柜|出轨",
    ),
    Matter.FAITH: (
        r"god|christian\w*|catholic\w*|protestant|muslim|islam\w*|jewish|judaism|buddhis\w+|"
        r"hindu\w*|atheis\w+|"
        r"agnostic|pray(?:ed|er|ers|ing)?|church|mosque|synagogue|temple|bible|quran|faith|"
        r"baptis\w+|sacrament|sermon",
        "上帝|基督|天主教|佛教|伊斯兰|穆斯林|祷告|教堂|信仰|清真寺",
    ),
    Matter.POLITICS: (
        r"vot(?:e|ed|ing) (?:for|against)|election|labour party|tory|tories|conservatives?|"
        r"republicans?|democrats?|"
        r"communis\w+|socialis\w+|brexit|trump|politic\w+|left-wing|right-wing|protest(?:ed|"
        r"ing)? against|union rep",
        "投票|选举|共产|民主党|共和党|政治|游行",
    ),
    Matter.MONEY: (
        r"salary|wages?|savings|mortgage|debts?|loan|bankrupt\w*|overdraft|inherit\w+|pension|"
        r"income|owe[sd]?|"
        r"gambl\w+|can't afford",
        "工资|薪水|存款|房贷|贷款|欠债|负债|收入|破产|赌",
    ),
}
_PATTERNS: Final = {
    matter: re.compile(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE)
    for matter, (english, chinese) in _WORDS.items()
}
_FIGURE: Final = re.compile(r"[£$€¥]\s?\d{3,}|\d{4,}\s?(?:pounds|dollars|euros|yuan)|\d+万")


def matter(text: str) -> Matter | None:
    """Return the sensitive matter a text speaks of, None for none."""
    for found, pattern in _PATTERNS.items():
        if pattern.search(text):
            return found
    return Matter.MONEY if _FIGURE.search(text) else None
