"""Taking things in: preview, import, vectors, sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from clone_app.app.parts import Parts
from clone_app.errors import ModelError
from clone_app.importers import IMPORTERS
from clone_app.importers.answers import check_answers
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import Preview, preview, read_claimed, recognise
from clone_app.importers.watch import Watch
from clone_app.memory.database import encodable
from clone_app.memory.embedding import embed_pending, pending
from clone_app.memory.index import VectorIndex
from clone_app.memory.ingest import ImportReport, Ingest
from clone_app.memory.situations import BY_WORDS, WORD_DIMENSIONS, Situations, word_vectors
from clone_app.memory.store import SourceRow
from clone_app.paths import resources
from clone_app.progress import Progress
from clone_app.protocols import Importer, Reading, Vectors


class Importing(Parts):
    """Import what a person drops."""

    def me(self) -> frozenset[str]:
        """Return the names and addresses known as the user's, casefolded."""
        return self._store().identities()

    def add_me(self, *names: str) -> None:
        """Remember names and addresses as the user's."""
        self._writer().add_identities(names)

    def importers(self) -> Sequence[Importer]:
        """Return every kind of source there is, for dialogs and help."""
        return IMPORTERS

    def sample_life(self) -> Path:
        """Return the folder of the invented life that comes with the program."""
        return resources() / "sample_life" / "en"

    def look(
        self,
        path: Path,
        *,
        as_source: str | None = None,
        answers: Mapping[str, str] | None = None,
    ) -> None:
        """Raise `CloneAppError` where an import would be refused; needs no profile."""
        check_answers(answers or {})
        with open_tree(path, leaving_out=self.home) as tree:
            recognise(tree, as_source=as_source)

    def preview(
        self,
        path: Path,
        *,
        as_source: str | None = None,
        me: Sequence[str] = (),
        answers: Mapping[str, str] | None = None,
        progress: Progress,
    ) -> Preview:
        """Read a source without keeping anything: what it is, how much, whose."""
        with open_tree(path, leaving_out=self.home) as tree:
            return preview(
                recognise(tree, as_source=as_source), self._reading(me, answers), progress
            )

    def import_(
        self,
        path: Path,
        *,
        as_source: str | None = None,
        me: Sequence[str] = (),
        answers: Mapping[str, str] | None = None,
        vectors: bool = True,
        progress: Progress,
    ) -> ImportReport:
        """Take in what lies at a path; searchable at once, and by meaning when the vectors are done.

        `answers` are to the questions a preview's sources ask, by the questions' names; they are
        remembered for the next import.
        """
        store = self._writer()
        check_answers(answers or {})
        with open_tree(path, leaving_out=self.home) as tree:
            recognition = recognise(tree, as_source=as_source)
            store.add_identities(me)
            store.remember_answers(answers or {})
            report = ImportReport(
                seen=len(recognition.problems),
                problems=tuple((each.locator, each.reason) for each in recognition.problems),
                skipped=tuple((each.locator, each.reason) for each in recognition.skipped),
            )
            reading, watch, home = self._reading(me, answers), Watch(), self.home_zone()
            for claimed in recognition.claimed:
                importer = claimed.importer
                number = store.begin_source(
                    importer.name, importer.title, encodable(str(path.absolute())), self._now()
                )
                found = read_claimed(recognition, claimed, reading, progress, watch)
                taken = Ingest(store, number, home).run(found)
                report += replace(taken, files=len(claimed.members))
        if vectors:
            self.finish_vectors(progress)
        return replace(report, vectors_pending=self.vectors_pending())

    def finish_vectors(self, progress: Progress) -> int:
        """Give every passage its vector, making way for questions; return how many are missing still.

        Then find what belongs together; by its words alone where there is no embedder.
        """
        store, shelf = self._writer(), self._models()
        self.check_index()
        if pending(store):
            embedder = shelf.background_embedder(progress)
            try:
                embed_pending(store, self._vectors(), embedder, progress=progress)
            except ModelError:
                self._find_situations(None, progress)
                raise
        if self.settings.embedder_folder != shelf.embedder_folder():
            self._change_embedder(progress)
        self._find_situations(self._vectors(), progress)
        return pending(store)

    def _find_situations(self, index: VectorIndex | None, progress: Progress) -> None:
        """Bring the situations up to date, making way for questions."""
        base, shelf = self._writer().base, self._models()
        takes = word_vectors(base.db()) if index is None else index.means

        def quietly(items: Sequence[int]) -> Vectors:
            shelf.wait_until_quiet(progress)
            return takes(items)

        Situations(base).update(
            quietly,
            dimensions=WORD_DIMENSIONS if index is None else shelf.embedder_dimensions(),
            made_by=BY_WORDS if index is None else shelf.embedder_name(),
            progress=progress,
        )

    def sources(self) -> tuple[SourceRow, ...]:
        """Return what was imported, the latest first."""
        return self._store().sources()

    def source_problems(self, source_id: int) -> tuple[tuple[str, str], ...]:
        """Return what could not be read of a source: (locator, reason)."""
        return self._store().problems(source_id)

    def _reading(self, me: Sequence[str], answers: Mapping[str, str] | None) -> Reading:
        known: frozenset[str] = frozenset()
        answered: dict[str, str] = {}
        if self._base is not None:
            known, answered = self._store().identities(), self._store().answers()
        return Reading(
            known | {name.strip().casefold() for name in me if name.strip()},
            answered | dict(answers or {}),
        )
