"""Live folders: sources that are looked at again and again, and imported when they have changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from clone_app.app.importing import Importing
from clone_app.app.people import People
from clone_app.errors import ArchiveError, CloneAppError, UnrecognisedError
from clone_app.importers.archive import Tree, open_tree
from clone_app.importers.recognise import Recognition, read_claimed, recognise
from clone_app.importers.signature import signature
from clone_app.importers.watch import Watch
from clone_app.memory.ingest import ImportReport, Ingest, batches
from clone_app.memory.store import SourceRow, Stored
from clone_app.memory.watched import Watched, settle
from clone_app.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """Say what a look at a source brought: `report` as of an import; what was edited, what is gone.

    `gone` counts entries of the memory that are no longer in the files. They stay in the memory
    until the user takes them out.
    """

    source_id: int
    title: str
    report: ImportReport
    edited: int
    gone: int
    newly_gone: int

    @property
    def changed(self) -> bool:
        """Tell whether the memory is another than before."""
        return bool(self.report.added or self.report.updated or self.edited)


class Watching(Importing, People):
    """Watch sources that lie on this computer."""

    def watch(self, source_id: int) -> None:
        """Watch a source from now on: the window looks at its start and every minute."""
        source = self.source(source_id)
        if not Path(source.path).exists():
            raise CloneAppError(
                f"There is nothing at {source.path} to watch. Only a file or folder on this computer "
                "can be watched; import it from where it lies now."
            )
        Watched(self._writer().base).add(source_id)

    def unwatch(self, source_id: int) -> None:
        """Stop watching a source; its entries stay."""
        self.source(source_id)
        Watched(self._writer().base).drop(source_id)

    def changed_sources(self) -> tuple[int, ...]:
        """Return the watched sources whose files changed since they were read; nothing is opened.

        One that can't be looked at counts as changed as long as that is not noted.
        """
        found: list[int] = []
        faults = {source.id: source.fault for source in self.sources() if source.watched}
        for row in Watched(self._store().base).list():
            try:
                changed = signature(Path(row.path), leaving_out=self.home) != row.signature
            except CloneAppError:
                changed = not faults.get(row.source_id)
            if changed:
                found.append(row.source_id)
        return tuple(found)

    def refresh_watched(self, *, vectors: bool = True, progress: Progress) -> tuple[Refreshed, ...]:
        """Read the watched sources that have changed; one that can't be read is noted, not raised."""
        done = []
        for source_id in self.changed_sources():
            before = ""
            try:
                before = signature(Path(self.source(source_id).path), leaving_out=self.home)
                done.append(self.refresh_source(source_id, vectors=False, progress=progress))
            except CloneAppError as fault:
                # A damaged file stays so until it changes; what else was wrong may pass.
                seen = before if isinstance(fault, ArchiveError) else ""
                Watched(self._writer().base).looked(source_id, seen, fault=str(fault))
        if vectors and any(each.changed for each in done):
            self.finish_vectors(progress)
        return tuple(done)

    def refresh_source(
        self, source_id: int, *, vectors: bool = True, progress: Progress
    ) -> Refreshed:
        """Read a source's files anew: new entries are added, edited ones take their old place.

        What is no longer there is noted and stays. Raises `CloneAppError` where the files are not
        there at all: that is a disk not connected, and no reason to call everything gone.
        """
        store, source = self._writer(), self.source(source_id)
        path = Path(source.path)
        # Before reading: what changes meanwhile is seen next time.
        looked = signature(path, leaving_out=self.home)
        number = store.begin_source(source.importer, source.title, source.path, self._now())
        ingest = Ingest(store, number, self.home_zone())
        with open_tree(path, leaving_out=self.home) as tree:
            recognition = _recognised(tree, source.importer)
            watch, reading = Watch(), self._reading((), None)
            files, refused = 0, tuple(tree.problems)
            if recognition is not None:  # else nothing of this kind is left there
                refused = recognition.problems
                for claimed in recognition.claimed:
                    if claimed.importer.name == source.importer:
                        files = len(claimed.members)
                        for batch in batches(
                            read_claimed(recognition, claimed, reading, progress, watch)
                        ):
                            ingest.take(batch)
            report = ingest.finish()
        settled = settle(
            store,
            number,
            met=ingest.met,
            added=ingest.added,
            unread=[*(place for place, _ in report.problems), *(each.locator for each in refused)],
            home=self.home_zone(),
        )
        Watched(store.base).looked(number, looked)
        if settled.replaced:
            self._taken_out(frozenset)  # the old words' vectors and the log's old pages
        if vectors:
            self.finish_vectors(progress)
        return Refreshed(
            source_id=number,
            title=source.title,
            report=replace(
                report,
                files=files,
                added=report.added - settled.replaced,
                updated=report.updated + settled.replaced,
                vectors_pending=self.vectors_pending(),
            ),
            edited=settled.replaced,
            gone=settled.gone,
            newly_gone=settled.newly,
        )

    def gone_items(self, source_id: int) -> tuple[Stored, ...]:
        """Return the entries that are no longer where their source lies."""
        numbers = Watched(self._store().base).gone(source_id)
        return tuple(self._store().by_id(numbers).values())

    def remove_gone(self, source_id: int, progress: Progress) -> int:
        """Take out of the memory what is no longer in a source's files; return how many went."""
        self.source(source_id)
        progress.report(0, 0, "Removing")
        watched = Watched(self._writer().base)
        return len(self._taken_out(lambda: watched.remove_gone(source_id)))

    def source(self, source_id: int) -> SourceRow:
        """Return one source; raise for a number that none has."""
        for source in self.sources():
            if source.id == source_id:
                return source
        raise CloneAppError(
            f"There is no source {source_id}. `sources` lists those there are with their numbers."
        )


def _recognised(tree: Tree, importer: str) -> Recognition | None:
    """Return who reads a tree, the named importer whatever it looks like; None where it is empty."""
    try:
        found = recognise(tree)
        if any(claimed.importer.name == importer for claimed in found.claimed):
            return found
    except UnrecognisedError:
        pass
    try:
        return recognise(tree, as_source=importer)
    except UnrecognisedError:
        return None
