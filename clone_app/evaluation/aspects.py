"""A life as H2Memory keeps it (Mem-PAL, arXiv 2511.13410), built by counting instead of by a model.

Four stores: *situations* (linked entries), a one-sentence *background* an aspect of life, *topics*
with what was liked and what not, and *principles* over clusters of topics. The paper lets a language
model link, summarise and abstract; here links come from time, thread and likeness (as
`memory/situations.py` finds them), a summary is the sentence whose words are the most usual
(SumBasic: Nenkova and Vanderwende 2005), a principle what the topics of a cluster have in common.
The paper looks for situations in the current session; a life has none, so all earlier ones count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clone_app.entries import Item
from clone_app.memory.index import VectorIndex
from clone_app.memory.situations import Situations
from clone_app.memory.store import Store
from clone_app.persona.traits.remarks import Remark, about_of, remarks, telling
from clone_app.persona.traits.stances import Stance, stances
from clone_app.progress import Progress
from clone_app.protocols import Embedder, Vectors

SITUATIONS = 3
TOPICS = 3
CLUSTERS = 8
SENTENCES = 3
THINGS = 4
_ROUNDS = 20
# What each aspect of life is about, in both languages, for the embedder to compare entries with.
ASPECTS = {
    "work": "work, job, office, colleagues, boss, project, study, exam 工作 上班 同事 项目 学习 考试",
    "health": "health, illness, doctor, sleep, exercise, body, medicine 健康 生病 医生 睡眠 锻炼 身体",
    "family": "family, parents, children, partner, home, relatives 家人 父母 孩子 伴侣 家庭 亲戚",
    "leisure": "leisure, friends, hobby, travel, music, reading, games 休闲 朋友 爱好 旅行 音乐 读书",
}


@dataclass(frozen=True, slots=True)
class Recollection:
    """Hold what the stores say to a question: a text to read, and the keys of what it rests on."""

    text: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Topic:
    """Hold one thing the person took a stand on, with the sentences in which they did."""

    name: tuple[str, ...]
    said: tuple[Stance, ...]
    vector: NDArray[np.float32]


@dataclass(frozen=True)
class Aspects:
    """Keep the four stores of one life. `items` are all of it, oldest first, by key."""

    items: Mapping[str, Item]
    numbers: Mapping[str, int]
    store: Store
    index: VectorIndex
    embedder: Embedder

    def recollect(self, question: str, seen: Sequence[Item], progress: Progress) -> Recollection:
        """Return what the stores hold for a question, made of `seen` alone (oldest first)."""
        if not seen or not question.strip():
            return Recollection("", ())
        probe = np.asarray(self.embedder.ask([question], progress=progress)[0], np.float32)
        keys = {item.key for item in seen}
        asked = about_of(question)
        situations = self._situations_near(probe, seen)
        parts: list[tuple[str, list[str]]] = [("Situations", [])]
        used: list[str] = []
        for members in situations:
            line, rests_on = self._told(members, asked)
            if line:
                parts[0][1].append(line)
                used += rests_on
        aspects = dict.fromkeys(self._aspect_of(members[0]) for members in situations)
        backgrounds = []
        for aspect in aspects:
            if (remark := self._background(aspect, keys)) is not None:
                backgrounds.append(f"{aspect.capitalize()}: {remark.text}")
                used.append(remark.key)
        topics = self._topics(keys, progress)
        chosen = sorted(topics, key=lambda each: -float(each.vector @ probe))[:TOPICS]
        parts += [
            ("Background", backgrounds),
            ("Topics", [_topic_line(topic) for topic in chosen]),
            ("Principles", _principles(topics, chosen)),
        ]
        used += [stance.remark.key for topic in chosen for stance in topic.said]
        text = "\n\n".join(
            "\n".join((f"## {title}", *(f"- {line}" for line in lines)))
            for title, lines in parts
            if lines
        )
        return Recollection(text, tuple(dict.fromkeys(used)))

    # --- situations ---------------------------------------------------------------------------------

    @cached_property
    def _vectors(self) -> dict[str, NDArray[np.float32]]:
        """Return one unit vector an item: the mean of its passages'."""
        owners, vectors = self.index.vectors()
        places = {number: place for place, number in enumerate(self.numbers.values())}
        sums = np.zeros((len(places), self.embedder.dimensions), np.float32)
        np.add.at(sums, [places[int(number)] for number in owners], vectors)
        sums /= np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
        return {key: sums[places[number]] for key, number in self.numbers.items()}

    @cached_property
    def _situation_of(self) -> dict[str, int]:
        """Return each item's situation. Only earlier items decide, so nothing of the future shows."""
        kept = Situations(self.store.base)
        kept.update(
            self.index.means,
            dimensions=self.embedder.dimensions,
            made_by=self.embedder.name,
            progress=Progress(),
        )
        return kept.of_keys()

    def _situations_near(
        self, probe: NDArray[np.float32], seen: Sequence[Item]
    ) -> list[list[Item]]:
        """Return the situations nearest to a question, as far as they had come, best first."""
        grouped: dict[int, list[Item]] = {}
        for item in seen:
            number = self._situation_of.get(item.key)
            if number is not None:
                grouped.setdefault(number, []).append(item)

        def nearness(members: Sequence[Item]) -> float:
            return max(float(self._vectors[item.key] @ probe) for item in members)

        return sorted(grouped.values(), key=nearness, reverse=True)[:SITUATIONS]

    def _told(self, members: Sequence[Item], asked: frozenset[str]) -> tuple[str, list[str]]:
        """Return a situation in a line: its days, and the sentences nearest to what is asked."""
        told = [remark for item in members for remark in self._sentences[item.key]]
        ranked = sorted(told, key=lambda each: -len(about_of(each.text) & asked))[:SENTENCES]
        chosen = [each for each in told if each in ranked]  # in the order of time
        if not chosen:
            return "", []
        days = sorted(each.day for each in chosen if each.day is not None)
        span = f"[{_span(days)}] " if days else ""
        return span + " ".join(each.text for each in chosen), [each.key for each in chosen]

    # --- background ---------------------------------------------------------------------------------

    @cached_property
    def _sentences(self) -> dict[str, list[Remark]]:
        return {key: _all_sentences(item) for key, item in self.items.items()}

    @cached_property
    def _aspects(self) -> dict[str, str]:
        names = list(ASPECTS)
        seeds = self.embedder.embed(list(ASPECTS.values()))
        return {key: names[int(np.argmax(seeds @ vector))] for key, vector in self._vectors.items()}

    def _aspect_of(self, item: Item) -> str:
        return self._aspects[item.key]

    def _background(self, aspect: str, keys: set[str]) -> Remark | None:
        """Return the sentence of an aspect whose words are the most usual in it."""
        told = [
            remark
            for key, held in self._sentences.items()
            if key in keys and self._aspects[key] == aspect
            for remark in held
        ]
        usual = Counter(word for remark in told for word in about_of(remark.text))
        return max(
            (remark for remark in told if len(about_of(remark.text)) >= 4),
            key=lambda each: _usualness(about_of(each.text), usual),
            default=None,
        )

    # --- topics and principles ------------------------------------------------------------------------

    @cached_property
    def _stances(self) -> list[Stance]:
        return [
            stance
            for item in telling(self.items.values())
            for remark in remarks(item)
            for stance in stances(remark)
        ]

    def _topics(self, keys: set[str], progress: Progress) -> list[_Topic]:
        """Return what the person took a stand on by then, by thing."""
        grouped: dict[tuple[str, ...], list[Stance]] = {}
        for stance in self._stances:
            if stance.remark.key in keys:
                grouped.setdefault(stance.topic, []).append(stance)
        if not grouped:
            return []
        vectors = self.embedder.embed(
            [said[-1].remark.text for said in grouped.values()], progress=progress
        )
        return [
            _Topic(name, tuple(said), np.asarray(vector, np.float32))
            for (name, said), vector in zip(grouped.items(), vectors, strict=True)
        ]


def _all_sentences(item: Item) -> list[Remark]:
    """Return an item's sentences: the person's own telling, or, of anything else, its lines."""
    if told := remarks(item):
        return told
    text = " ".join((item.text or item.title).split())
    return [Remark(text[:200], item.key, item.moment.day(), item.medium)] if text else []


def _usualness(words: Iterable[str], usual: Counter[str]) -> float:
    counts = [usual[word] for word in words]
    return sum(counts) / len(counts)


def _span(days: Sequence[date]) -> str:
    first, last = days[0].isoformat(), days[-1].isoformat()
    return first if first == last else f"{first} – {last}"


def _topic_line(topic: _Topic) -> str:
    """Return a topic with how it was taken, the latest word last."""
    latest = topic.said[-2:]
    return "; ".join(
        f"{'liked' if each.sign > 0 else 'not liked'}: {each.thing} (“{each.remark.text}”"
        + (f", {each.remark.day.isoformat()})" if each.remark.day else ")")
        for each in latest
    )


def _principles(topics: Sequence[_Topic], chosen: Sequence[_Topic]) -> list[str]:
    """Return what the clusters of the chosen topics have in common: liked and not, most said first."""
    if not topics:
        return []
    labels = clusters(np.stack([topic.vector for topic in topics]), CLUSTERS)
    by_topic = {topic.name: int(label) for topic, label in zip(topics, labels, strict=True)}
    lines = []
    for label in dict.fromkeys(by_topic[topic.name] for topic in chosen):
        members = [topic for topic in topics if by_topic[topic.name] == label]
        members.sort(key=lambda each: -len(each.said))
        sides = []
        for sign, word in ((1, "Likes"), (-1, "Does not like")):
            things = [each.said[-1].thing for each in members if each.said[-1].sign == sign]
            if things:
                sides.append(f"{word} {', '.join(things[:THINGS])}")
        if sides:
            lines.append("; ".join(sides))
    return lines


def clusters(vectors: Vectors, k: int) -> NDArray[np.int64]:
    """Return a cluster a vector by spherical k-means, the same each time: it starts far apart."""
    k = min(k, len(vectors))
    centres = [vectors[0]]
    while len(centres) < k:
        nearest = (vectors @ np.stack(centres).T).max(axis=1)
        centres.append(vectors[int(np.argmin(nearest))])
    middle = np.stack(centres)
    labels = np.zeros(len(vectors), np.int64)
    for turn in range(_ROUNDS):
        fresh = np.argmax(vectors @ middle.T, axis=1)
        if turn and np.array_equal(fresh, labels):
            break
        labels = fresh
        for place in range(k):
            members = vectors[labels == place]
            if len(members):
                mean = members.mean(axis=0)
                middle[place] = mean / (float(np.linalg.norm(mean)) or 1.0)
    return labels
