"""A host over a scripted process: starts in a tenth of a second, needs no model."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clone_app.models.host import Host, Launch

SCRIPTED = Path(__file__).with_name("scripted_child.py")


@pytest.fixture
def host_of() -> Iterator[Callable[..., Host]]:
    """Build hosts with `options` for the script; all are closed afterwards."""
    hosts: list[Host] = []

    def build(options: dict[str, Any] | None = None, *arguments: str, **launch: Any) -> Host:
        host = Host(
            Launch(
                title="language model",
                command=[sys.executable, str(SCRIPTED), *arguments],
                options=lambda: options or {},
                **launch,
            )
        )
        hosts.append(host)
        return host

    yield build
    for host in hosts:
        host.close()


@pytest.fixture
def host(host_of: Callable[..., Host]) -> Host:
    return host_of()
