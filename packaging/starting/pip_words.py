"""Read what pip said when it failed, and say what to do about it."""

from __future__ import annotations

import re

ADVICE = (
    (r"No space left", "Free some disk space (5 GB are enough), then start this again."),
    (
        r"Temporary failure in name|Name or service not known|Max retries|timed? ?out|reset by peer"
        r"|ConnectionError|NewConnectionError|Network is unreachable",
        "Look at the network connection, then start this again: what is there already is kept.",
    ),
    (
        r"No matching distribution|Could not find a version",
        "Look at the network connection and at the version of Python (3.11 is what is tested), "
        "then start this again.",
    ),
    (
        r"CMake|ninja|Failed building wheel",
        "The compiler gave up: give it a newer release (GCC 11, Clang 14 or later) or more free "
        "memory, then start this again.",
    ),
)
OTHERWISE = "Start this again; if it fails in the same way, delete the folder .venv first."


def advice(log: str) -> str:
    """Return one sentence on what to do after pip failed with this log."""
    found = (sentence for pattern, sentence in ADVICE if re.search(pattern, log, re.I))
    return next(found, OTHERWISE)


def tail(log: str, count: int = 20) -> str:
    """Return the last lines of pip's log, without warnings and blank lines."""
    lines = [line for line in log.splitlines() if line.strip() and not line.startswith("WARNING")]
    return "\n".join(lines[-count:])
