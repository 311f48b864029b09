"""How fast and in how much memory a big mailbox and a big export are imported, and where time goes.

    python3 packaging/bench/importing.py [--mbox 2000] [--json 500] [--attached 0.08] [--folder DIR]

Writes an mbox and a Telegram export of so many megabytes (`made_up.py`), imports each through the
program's own import into an encrypted profile, searchable by words, in a process of its own whose
peak memory is read from the system (VmHWM), and deletes everything after. Beside it stands bare
`email.message_from_binary_file` over the same messages, already cut apart, in the same run. The
ratio is bare time / import time, in processor time (the machine may be busy; both are one thread),
and in time on the clock. Targets: at least 0.40 without reply splitting, 0.10 with everything,
peaks below 500 MB. `--attached` is the share of mails that carry a file: the fewer, the more words
there are in a megabyte, and the more a mailbox costs beside bare parsing.
"""

from __future__ import annotations

import argparse
import email
import io
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

LIMIT_MB = 500
TARGETS = {"import without reply splitting": 0.40, "import": 0.10}
PROFILED = 10_000
# Stages by the functions that do them; each one's time is without that of stages within it.
STAGES = (
    ("cutting the mbox", "clone_app.importers.mbox", "split"),
    ("parsing headers and parts", "clone_app.importers.mime", "parse"),
    ("text of the parts", "clone_app.importers.mime", "content"),
    ("HTML to text", "clone_app.importers.mime", "to_text"),
    ("decoding charsets and headers", "clone_app.importers.decode", "text"),
    ("decoding charsets and headers", "clone_app.importers.decode", "header"),
    ("addresses", "clone_app.importers.message", "addresses"),
    ("reply splitting", "clone_app.importers.reply", "split"),
    ("dates", "clone_app.importers.message", "_moment"),
    ("passages", "clone_app.memory.store", "passages"),
    ("encrypted base and full text", "clone_app.memory.ingest", "insert_item"),
    ("looking up what is known", "clone_app.memory.ingest", "rows"),
)


def peak_mb() -> float:
    """Return this process's largest resident memory so far."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise SystemExit("This system tells no peak memory in /proc; run the bench on Linux.")


@contextmanager
def timed(result: dict[str, Any]) -> Iterator[None]:
    """Note wall and processor seconds of a block."""
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    result |= {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


def bare(path: Path) -> dict[str, Any]:
    """Parse every message with the standard library alone; cutting the mbox is not counted."""
    from clone_app.importers.mbox import split

    wall = cpu = 0.0
    count = 0
    with path.open("rb") as stream:
        for piece in split(stream):
            source = io.BytesIO(piece.data)
            begun, begun_cpu = time.perf_counter(), time.process_time()
            email.message_from_binary_file(source)
            wall += time.perf_counter() - begun
            cpu += time.process_time() - begun_cpu
            count += 1
    return {"wall": wall, "cpu": cpu, "items": count}


def whole(path: Path, *, replies: bool = True) -> dict[str, Any]:
    """Import a file into a new profile beside it, as the command line does without vectors."""
    from clone_app.app import App
    from clone_app.importers import message, reply
    from clone_app.keys import MemoryVault
    from clone_app.progress import Progress

    if not replies:
        message.reply.split = lambda body: reply.Reply(body.strip(), "")
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(dir=path.parent) as home:
        app = App(Path(home), vault=MemoryVault())
        app.create(None, home_zone="Europe/Berlin")
        with timed(result):
            report = app.import_(
                path, me=("ada.merz@example.org",), vectors=False, progress=Progress()
            )
        app.close()
        size = sum(file.stat().st_size for file in Path(home).rglob("*") if file.is_file())
    return result | {
        "items": report.added,
        "problems": len(report.problems),
        "seen": report.seen,
        "base_mb": size / 1e6,
    }


def profiled(path: Path, *, most: int = PROFILED) -> dict[str, Any]:
    """Import the first messages with a clock around each stage."""
    import importlib

    from clone_app.importers import mbox

    clock = _Clock()
    for name, module_name, function in STAGES:
        module = importlib.import_module(module_name)
        setattr(module, function, clock.around(name, getattr(module, function)))
    cut = mbox.split
    mbox.split = lambda stream: islice(cut(stream), most)
    result = whole(path)
    return {"stages": clock.spent, "wall": result["wall"], "items": result["items"]}


class _Clock:
    """Charge time to the innermost stage that runs."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._open: list[str] = []
        self._since = 0.0

    def _switch(self) -> None:
        now = time.perf_counter()
        if self._open:
            name = self._open[-1]
            self.spent[name] = self.spent.get(name, 0.0) + now - self._since
        self._since = now

    def around(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with the clock around it; a generator's is around each step."""

        def call(*given: Any, **named: Any) -> Any:
            self._switch()
            self._open.append(name)
            try:
                made = function(*given, **named)
            finally:
                self._switch()
                self._open.pop()
            return self._steps(name, made) if hasattr(made, "__next__") else made

        return call

    def _steps(self, name: str, steps: Iterator[Any]) -> Iterator[Any]:
        take = self.around(name, lambda: next(steps, self))
        while (value := take()) is not self:
            yield value


TASKS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "bare parsing": bare,
    "import": whole,
    "import without reply splitting": lambda path: whole(path, replies=False),
    "profile": profiled,
}


def in_child(task: str, path: Path) -> dict[str, Any]:
    """Do a task in a process of its own; return what it measured."""
    done = subprocess.run(
        [sys.executable, __file__, "--task", task, str(path)], stdout=subprocess.PIPE, check=True
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def show(name: str, size: float, result: dict[str, Any]) -> None:
    """Print a line of figures."""
    print(
        f"{name:34} {result['items']:9,} items {result['wall']:8.1f} s  {result['cpu']:8.1f} s cpu"
        f" {size / result['wall']:7.1f} MB/s   peak {result['peak']:4.0f} MB",
        flush=True,
    )


def mailbox(folder: Path, *, megabytes: int, attached: float) -> list[bool]:
    """Measure the mbox; return whether each target is met."""
    from made_up import write_mbox

    path = folder / "all.mbox"
    write_mbox(path, size=megabytes * 1_000_000, attached=attached)
    size = path.stat().st_size / 1e6
    print(f"mbox of {size:,.0f} MB, {attached:.0%} of the mails with a file", flush=True)
    base = in_child("bare parsing", path)
    show("bare parsing", size, base)
    met = []
    for name, target in TARGETS.items():
        result = in_child(name, path)
        show(name, size, result)
        ratio = base["cpu"] / result["cpu"]
        met += [ratio >= target, result["peak"] < LIMIT_MB, result["items"] == base["items"]]
        print(
            f"    ratio {ratio:.2f} (on the clock {base['wall'] / result['wall']:.2f}), target "
            f"{target:.2f}; {result['problems']} problems; base {result['base_mb']:,.0f} MB"
        )
    stages = in_child("profile", path)
    print(f"where the time of the first {stages['items']:,} messages goes:")
    rest = stages["wall"] - sum(stages["stages"].values())
    named = [*stages["stages"].items(), ("everything else", rest)]
    for name, seconds in sorted(named, key=lambda pair: -pair[1]):
        print(f"    {name:32} {seconds:7.2f} s  {seconds / stages['wall']:5.1%}")
    return met


def chats(folder: Path, *, megabytes: int) -> list[bool]:
    """Measure the JSON export; return whether its peak is below the limit."""
    from made_up import write_chats

    path = folder / "result.json"
    write_chats(path, size=megabytes * 1_000_000)
    size = path.stat().st_size / 1e6
    print(f"Telegram export of {size:,.0f} MB", flush=True)
    result = in_child("import", path)
    show("import", size, result)
    print(f"    {result['problems']} problems; base {result['base_mb']:,.0f} MB")
    return [result["peak"] < LIMIT_MB, result["problems"] == 0]


def main() -> None:
    """Write, import, measure, delete; exit with 1 where a target is missed."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--mbox", type=int, default=2000, metavar="MB", help="0 leaves it out")
    arguments.add_argument("--json", type=int, default=500, metavar="MB", help="0 leaves it out")
    arguments.add_argument("--attached", type=float, default=0.08, metavar="SHARE")
    arguments.add_argument("--folder", type=Path, help="where there is room for twice as much")
    arguments.add_argument("--task", nargs=2, metavar=("TASK", "FILE"), help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.task:
        result = TASKS[given.task[0]](Path(given.task[1]))
        print(json.dumps(result | {"peak": peak_mb()}))
        return
    folder = Path(tempfile.mkdtemp(prefix="clone-app-bench-", dir=given.folder))
    met: list[bool] = []
    try:
        if given.mbox:
            met += mailbox(folder, megabytes=given.mbox, attached=given.attached)
        if given.json:
            met += chats(folder, megabytes=given.json)
    finally:
        shutil.rmtree(folder)
    print("all targets met" if all(met) else "a target is missed")
    sys.exit(not all(met))


if __name__ == "__main__":
    main()
