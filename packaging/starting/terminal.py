"""Show the sample life where there is no display: import it, ask it, print answers and sources."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from starting.shell import Refusal, say, wrapped

GOODBYE = (
    "The profile is removed. To see the window, start the same command where there is a display "
    "(DISPLAY or WAYLAND_DISPLAY is set). To import your own life into a profile that stays, here "
    "in the terminal: python3 packaging/dev.py run import FOLDER; run --help tells the rest."
)


def generated_passphrase() -> str:
    """Return five short groups that are easily copied by hand: some 65 bits."""
    letters = "abcdefghkmnpqrstuvwxyz"  # without those taken for digits
    return "-".join("".join(secrets.choice(letters) for _ in range(3)) for _ in range(5))


def throwaway_environment(
    environment: Mapping[str, str], *, home: Path, passphrase: str
) -> dict[str, str]:
    """Return the environment of a profile that leaves nothing behind, in the keyring neither."""
    return {
        **environment,
        "CLONE_APP_HOME": str(home),
        "CLONE_APP_PASSPHRASE": passphrase,
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        "PYTHONUTF8": "1",
    }


def sample_me(life: Path) -> list[str]:
    """Return the names and addresses of the person in the sample life, one a line in `me.txt`."""
    lines = (life / "me.txt").read_text("utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def sample_questions(life: Path, count: int = 3) -> list[str]:
    """Return the first questions to ask the sample life."""
    told = json.loads((life / "questions.json").read_text("utf-8"))
    asked = told["questions"] if isinstance(told, dict) else told
    return [one["question"] if isinstance(one, dict) else str(one) for one in asked][:count]


def import_command(program: Sequence[str], life: Path) -> list[str]:
    """Return the command that imports the sample life as its person."""
    me = [part for name in sample_me(life) for part in ("--me", name)]
    return [*program, "import", str(life), *me, "--json"]


def show_in_terminal(program: Sequence[str], life: Path) -> int:
    """Import the sample life and ask it three questions, in a profile that goes at the end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the profile goes then too
    passphrase = generated_passphrase()
    with tempfile.TemporaryDirectory(prefix="clone-app-", ignore_cleanup_errors=True) as folder:
        home = Path(folder) / "profile"
        environment = throwaway_environment(os.environ, home=home, passphrase=passphrase)
        say("There is no display here, so the sample life is shown in the terminal.")
        say(f"Profile, thrown away at the end: {home}\nIts passphrase: {passphrase}\n")
        say(f"Importing {life} …")
        report = asked_json(import_command(program, life), environment)
        say(f"{report['added']} of {report['seen']} items are in memory now.")
        for question in sample_questions(life):
            say("")
            reply = asked_json([*program, "ask", question, "--json"], environment)
            say(shown_answer(question, reply))
    say("\n" + wrapped(GOODBYE))
    return 0


def asked_json(command: Sequence[str], environment: Mapping[str, str]) -> dict[str, Any]:
    """Return what a command of the program prints as JSON; its progress goes to the terminal."""
    done = subprocess.run(command, env=dict(environment), stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise Refusal(
            f"The program ended with code {done.returncode}. Mend what its words above name, then "
            "start this again."
        )
    told: dict[str, Any] = json.loads(done.stdout.decode("utf-8"))
    return told


def shown_answer(question: str, reply: Mapping[str, Any]) -> str:
    """Return one question with its answer and the numbered sources it rests on, ready to print."""
    number = {one["key"]: place for place, one in enumerate(reply["sources"], 1)}
    parts = []
    for sentence in reply["sentences"] or ({"text": reply["answer"], "supported": True},):
        cited = {number[key] for key in sentence.get("citations", ()) if key in number}
        marks = "".join(f"[{place}]" for place in sorted(cited))
        doubt = "" if sentence["supported"] or reply["abstained"] else "(not in the sources)"
        said = " ".join(sentence["text"].split())  # quoted lines break where the entry did
        parts.append(" ".join(part for part in (said, marks, doubt) if part))
    if reply["mode"] != "quote":  # the model's sentences are one text, quotations are not
        parts = [" ".join(parts)]
    lines = [wrapped(f"> {question}", later="  "), ""]
    lines += [*(wrapped(part, first="  ", later="  ") for part in parts), ""]
    if reply["sources"]:
        lines.append("  Nearest finds:" if reply["abstained"] else "  Sources:")
    for place, one in enumerate(reply["sources"], 1):
        quote = " ".join(str(one["quote"]).split())
        quote = quote if len(quote) <= 160 else quote[:158].rsplit(" ", 1)[0] + " …"
        when = str(one["when"] or "undated")[:16].replace("T", " ")  # to the minute
        told = f"[{place}] {when}, {one['medium']}: “{quote}”"
        lines.append(wrapped(told, first="  ", later="      "))
    model = reply["model"] or "no model was asked"
    lines.append(f"  ({reply['mode']}, {model}, {reply['seconds']:.1f} s)")
    return "\n".join(lines)
