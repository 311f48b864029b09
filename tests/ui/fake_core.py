"""The core that pages are tried on: as fast as memory allows; knobs make it slow or faulty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from clone_app.entries import (
    NO_FILTERS,
    Answer,
    AnswerEvent,
    Dial,
    Filters,
    Hit,
    Recalled,
)
from clone_app.errors import (
    CloneAppError,
)
from clone_app.evaluation.arms import ARMS, Arm
from clone_app.evaluation.runs import RunRow
from clone_app.evaluation.suites.own import OwnQuestion
from clone_app.memory.conversations import Turn
from clone_app.memory.likeness import Proposal
from clone_app.memory.lines import KeptLine
from clone_app.memory.people import Person
from clone_app.memory.reasons import Reason, Verdict
from clone_app.memory.sent import Departure
from clone_app.memory.situations import Situation
from clone_app.memory.store import Stored
from clone_app.persona.ability import Ability, Effect
from clone_app.persona.style.nearness import HeldOut
from clone_app.progress import Progress
from clone_app.protocols import Message

from .fake_sources import FakeSources
from .invented import NOW, spoken


class FakeApp(FakeSources):
    """Behave like the core; `test_real_core` holds each method against the real one."""

    # memories

    def items(
        self,
        *,
        medium: str | None = None,
        since: str | None = None,
        until: str | None = None,
        whose: str = "",
        who: str = "",
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = False,
    ) -> tuple[Stored, ...]:
        self._note("items")
        found = self._filtered(medium, since, until, whose, who)
        found = found[::-1] if newest_first else found
        return tuple(found[offset : None if limit is None else offset + limit])

    def count_items(
        self,
        *,
        medium: str | None = None,
        since: str | None = None,
        until: str | None = None,
        whose: str = "",
        who: str = "",
    ) -> int:
        return len(self._filtered(medium, since, until, whose, who))

    def media(self) -> tuple[tuple[str, int], ...]:
        counts: dict[str, int] = {}
        for one in self.stored:
            counts[one.item.medium] = counts.get(one.item.medium, 0) + 1
        return tuple(counts.items())

    def count_situations(self) -> int:
        return len(self.groups)

    def situations(self, *, limit: int, offset: int = 0) -> tuple[Situation, ...]:
        return tuple(self.groups[offset : offset + limit])

    def count_situation_items(self, situation: int) -> int:
        return next(one.items for one in self.groups if one.id == situation)

    def situation_items(
        self, situation: int, *, limit: int | None = None, offset: int = 0
    ) -> tuple[Stored, ...]:
        place = next(at for at, one in enumerate(self.stored) if one.id == situation)
        return tuple(self.stored[place : place + self.count_situation_items(situation)])

    def embedder_advice(self) -> str:
        return self.advice

    def advise_once(self) -> str:
        said, self.unsaid = self.unsaid, ""
        return said

    def situations_waiting(self) -> bool:
        return False

    def item(self, item_id: int) -> Stored:
        for one in self.stored:
            if one.id == item_id:
                return one
        raise CloneAppError("That entry has been removed. Search again.")

    def situation_of(self, item_id: int) -> Situation | None:
        return next((one for one in self.groups if self._within(one, item_id)), None)

    def beside(self, item_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
        return {
            item: (group.id, group.items)
            for item in item_ids
            if (group := self.situation_of(item)) is not None
        }

    def _within(self, group: Situation, item_id: int) -> bool:
        return group.id <= item_id < group.id + group.items

    def look_up(
        self, text: str, *, k: int = 10, at: str | None = None, filters: Filters = NO_FILTERS
    ) -> Recalled:
        self._note(f"search {text}")
        self.filters.append(filters)
        narrow = (filters.medium or None, filters.since or None, filters.until or None)
        found = [
            one
            for one in self._filtered(*narrow, filters.whose, filters.who)
            if text.casefold() in one.item.text.casefold()
        ]
        hits = tuple(
            Hit(
                item_id=one.id,
                item=one.item,
                passage=one.item.text,
                start=0,
                own=True,
                score=1.0,
                cosine=None,
                coverage=1.0,
                found_by=("words",),
            )
            for one in found[:k]
        )
        times = tuple(time for time in self.times if time.phrase not in filters.plain)
        people = tuple(each for each in self.named if each.phrase not in filters.plain)
        return Recalled(hits, (), intervals=times, people=people)

    # chat

    def ask(
        self,
        question: str,
        *,
        at: str | None = None,
        conversation: int | None = None,
        progress: Progress,
        **_: object,
    ) -> Iterator[AnswerEvent]:
        self._note("ask")
        self.asked_at.append(at)
        self.audiences.append(_.get("audience"))
        self.filters.append(_.get("filters", NO_FILTERS))
        self.dials.append(_.get("dial"))
        number = conversation or len(self.talks) + 1
        turns = self.talks.setdefault(number, [])
        turn = Turn(
            id=len(turns) + 1, question=question, asked_at=NOW, draft="", answer=None, at=at
        )
        turns.append(turn)
        for event in self.script if self.script is not None else spoken(question, number):
            if isinstance(event, Exception):
                raise event
            if event is None:  # a model that thinks long, until `go_on` is set
                self.go_on.clear()
                self._wait(progress)
                continue
            yield event
            self._wait(progress)
            if isinstance(event, Answer):
                turns[-1] = replace(turn, answer=event)

    def why(
        self,
        question: str,
        item_id: int,
        *,
        at: str | None = None,
        earlier: Sequence[str] = (),
        filters: Filters = NO_FILTERS,
    ) -> Reason:
        self.filters.append(filters)
        return Reason(
            verdict=Verdict.FOUND,
            k=8,
            rank=item_id,
            ranked=9,
            score=2.0,
            needed=1.0,
            found=(),
            words=(),
            lacking=(),
            times=(),
            people=(),
            waiting=False,
        )

    def conversations(self) -> tuple[tuple[int, str, datetime], ...]:
        return tuple((number, turns[0].question, NOW) for number, turns in self.talks.items())

    def delete_conversation(self, conversation: int) -> None:
        del self.talks[conversation]

    def turns(self, conversation: int) -> tuple[Turn, ...]:
        return tuple(self.talks[conversation])

    def without_memory(self, question: str, progress: Progress, *, at: str | None = None) -> str:
        return f"I like {question}" if at is None else f"On {at} I liked {question}"

    def restart_models(self) -> None:
        self.restarts += 1
        self.script = None

    def doctor(self) -> dict[str, object]:
        return {"version": "0.1.0", "database": "sound"}

    # the persona document

    def persona_lines(self) -> tuple[KeptLine, ...]:
        return ()

    def voice_told_apart(self) -> HeldOut | None:
        return None

    # about me

    def persona_outdated(self) -> bool:
        return self.outdated

    def build_persona(self, progress: Progress) -> None:
        self._note("build_persona")
        self.outdated = False

    # people

    def people(self) -> tuple[Person, ...]:
        return self.folk

    def proposals(self) -> tuple[Proposal, ...]:
        return self.guesses

    def merge_people(self, one: str, other: str) -> None:
        self._note(f"merge {one} {other}")

    def part_people(self, one: str, other: str) -> None:
        self._note(f"part {one} {other}")

    def split_person(self, handle: str) -> None:
        self._note(f"split {handle}")

    def call_person(self, who: str, name: str) -> None:
        self._note(f"call {who} {name}")

    # evaluation

    def arms(self) -> tuple[Arm, ...]:
        return ARMS

    def sample_suites(self) -> dict[str, Path]:
        return {"sample": Path("sample")}

    def runs(self) -> tuple[RunRow, ...]:
        return ()

    def own_questions(self) -> tuple[OwnQuestion, ...]:
        return ()

    # what a model is able to

    def ability(self) -> Ability | None:
        return self.able

    def model_name(self) -> str:
        return "fake"

    def model_triable(self) -> bool:
        return True

    def model_untried(self) -> bool:
        return self.untried

    def try_model(self, progress: Progress, *, fresh: bool = False) -> Ability:
        self._note("try_model")
        progress.check()
        self.untried = False
        stops = [stop for stop in Dial if fresh or stop is not Dial.FRESH]
        self.able = Ability(
            1,
            4,
            tuple(
                Effect(dial=stop, right=at, asked=4, carried=at, sentences=9, seconds=at / 2)
                for at, stop in enumerate(stops)
            ),
        )
        return self.able

    # a model on a server

    def agreement_wanted(self) -> str:
        return "" if self.agreed else "house.local:8080"

    def would_send(self, question: str, **_: object) -> tuple[Message, ...]:
        self._note("would_send")
        return Message("system", "You are Ada."), Message("user", f"Notes. {question}")

    def agree_to_send(self) -> None:
        self._note("agree_to_send")
        self.agreed = True

    def keep_server_key(self, key: str) -> bool:
        self.server_key = key
        return self.keyring

    def sent(self) -> tuple[Departure, ...]:
        return tuple(self.departures)
