"""What the processor has, without asking a heavy library."""

from __future__ import annotations

import os
import sys
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")
BF16_FLAGS = frozenset({"avx512_bf16", "amx_bf16"})


def physical_cores(cpuinfo: Path = CPUINFO) -> int:
    """Return how many physical cores this process may use: a second thread on one only gets in the way."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    usable = usable or 1
    try:
        blocks = cpuinfo.read_text("utf-8", "replace").split("\n\n")
    except OSError:
        return usable if sys.platform == "darwin" else max(1, usable // 2)
    cores = {
        (parts["physical id"], parts["core id"])
        for parts in map(_parts, blocks)
        if "physical id" in parts and "core id" in parts
    }
    return min(len(cores), usable) if cores else usable


def has_bf16(cpuinfo: Path = CPUINFO) -> bool:
    """Tell whether the processor multiplies bf16 natively; elsewhere fp32 is faster."""
    try:
        first = cpuinfo.read_text("utf-8", "replace").split("\n\n", 1)[0]
    except OSError:
        return False
    return not BF16_FLAGS.isdisjoint(_parts(first).get("flags", "").split())


def _parts(block: str) -> dict[str, str]:
    """Return one processor's lines of /proc/cpuinfo by name."""
    lines = (line.partition(":") for line in block.splitlines())
    return {name.strip(): value.strip() for name, _, value in lines}
