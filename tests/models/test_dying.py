"""A model's process dies with the program that started it, whatever ends that."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from clone_app.models.host import Host

from .processes import alive, gone

SCRIPTED = Path(__file__).with_name("scripted_child.py")

PARENT = """
    import signal, sys, time
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    from clone_app.models.host import Host, Launch
    from clone_app.progress import Progress
    from clone_app.protocols import Message, Sampling
    command = [sys.executable, sys.argv[1]]
    host = Host(Launch(title="model", command=command))
    print(host.ping(), flush=True)
    for piece in host.stream([Message("user", "say 100000 0.01")], Sampling(), Progress()):
        {}
"""


def parent(then: str) -> tuple[subprocess.Popen[str], int]:
    """Start a program with a child in the midst of a reply."""
    program = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PARENT.format(then)), str(SCRIPTED)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    return program, int(program.stdout.readline())


def test_the_child_dies_with_a_program_that_is_killed_in_mid_reply() -> None:
    program, child = parent("pass")
    time.sleep(0.2)
    assert alive(child)
    program.kill()
    program.communicate()
    assert gone(child)


@pytest.mark.parametrize("then", ["sys.exit(0)", "raise SystemExit(1)", "raise KeyError"])
def test_the_child_dies_with_a_program_that_ends(then: str) -> None:
    program, child = parent(then)
    _, noise = program.communicate(timeout=20)
    assert gone(child)
    assert "Exception ignored" not in noise


def test_ctrl_c_in_the_terminal_is_for_the_program_alone() -> None:
    program, child = parent("pass")
    assert os.getpgid(child) != os.getpgid(program.pid)
    program.send_signal(signal.SIGINT)
    program.communicate(timeout=20)
    assert gone(child)


def test_a_child_started_by_a_thread_outlives_that_thread(host: Host) -> None:
    thread = threading.Thread(target=host.load)
    thread.start()
    thread.join()
    pid = host.pid
    time.sleep(0.2)
    assert host.ping() == pid
