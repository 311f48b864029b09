"""Members without a disk: what an importer is given in a test."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

import pytest
from hypothesis import settings

from clone_app.protocols import Member

# The first example of a run loads whole libraries; a deadline would blame the example for it.
settings.register_profile("clone-app", deadline=None)
settings.load_profile("clone-app")


@dataclass(frozen=True)
class MemoryMember:
    """One file of a drop, held in memory."""

    path: str
    data: bytes

    @property
    def locator(self) -> str:
        return self.path

    @property
    def size(self) -> int:
        return len(self.data)

    def head(self) -> bytes:
        return self.data[:4096]

    def open(self) -> BinaryIO:
        return io.BytesIO(self.data)


@pytest.fixture(scope="session")
def member_of() -> Callable[[str, bytes], Member]:
    """Return a function that makes a member of a path and its bytes."""
    return MemoryMember
