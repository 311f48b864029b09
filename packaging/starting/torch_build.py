"""Which build of torch will be fetched, and how large that is: a CPU build is a tenth of the other.

pip is asked for versions only. Its `install --dry-run --report` would name the very files, but
fetches all of them for that (pip 23.2 to 24.2): gigabytes before a word about gigabytes.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Torch:
    """Say what to ask pip for, and the sentence for the user on what comes."""

    requirement: str
    sentence: str


def pinned(constraints: str, name: str) -> str:
    """Return the version that a constraints file pins with `==`, empty if it pins none."""
    found = re.search(rf"^{re.escape(name)}\s*==\s*([^\s;#]+)", constraints, re.M | re.I)
    return found.group(1) if found else ""


def cpu_version(offered: str, pin: str) -> str:
    """Return the CPU build in what `pip index versions torch` printed, empty if there is none."""
    found = re.search(rf"(?<![\w.]){re.escape(pin)}\+cpu(?![\w.])", offered)
    return found.group() if found and pin else ""


def chosen(offered: str, pin: str, platform: str = sys.platform) -> Torch:
    """Choose a CPU build where one is offered; elsewhere say first how much will be fetched.

    Sizes are those of torch 2.13.0: 190 MB for its CPU wheel, 2.7 GB for the public one for Linux
    with the nvidia libraries it asks for, some 100 MB for macOS and Windows.
    """
    cpu = cpu_version(offered, pin)
    if cpu:
        told = f"torch {cpu}, a CPU build: 200 MB to download unless it lies on this machine."
        return Torch(f"torch=={cpu}", told)
    if not platform.startswith("linux"):
        return Torch("torch", f"torch {pin}, a build without CUDA: some 100 MB to download.")
    return Torch(
        "torch",
        f"pip knows no CPU build of torch {pin} here, so the CUDA build comes: about 3 GB to "
        "download. A CPU build is a tenth of that and does as well: to use one, press Ctrl+C, tell "
        "pip where it lies (PIP_EXTRA_INDEX_URL or PIP_FIND_LINKS) and start this again.",
    )
