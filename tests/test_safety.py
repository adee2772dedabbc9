"""Test runs themselves: nothing outlives them, whatever becomes of them and however they were
started.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import children

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux can find everything that was started"
)

HERE = Path(__file__).parent
CONFTEST = f"""
import sys
sys.path[:0] = [{str(HERE)!r}, {str(HERE.parent / "src")!r}]
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("safe", {str(HERE / "conftest.py")!r})
safe = module_from_spec(spec)
spec.loader.exec_module(safe)
safe.LIMIT, safe.children.PATIENCE = LIMITS
hooks = {{name: value for name, value in vars(safe).items() if name.startswith("pytest_")}}
globals().update(hooks)
"""
STAYS = (
    "import socket, threading; s = socket.create_connection({!r}); print(flush=True); "
    "threading.Event().wait()"
)


@pytest.fixture
def lifeline() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(children.PATIENCE)
        yield server


@contextmanager
def pytest_run(
    folder: Path, test: str, *options: str, limit: int = 300, patience: int = 60, before: str = ""
) -> Iterator[subprocess.Popen[str]]:
    (folder / "conftest.py").write_text(CONFTEST.replace("LIMITS", f"{limit}, {patience}"))
    (folder / "test_it.py").write_text(test)
    line = (
        f'{before} exec "{sys.executable}" -m pytest -q -p no:cacheprovider --rootdir . '
        'test_it.py "$@"'
    )
    command = ["sh", "-c", line, "sh", *options]
    with children.running(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        yield process


def starting(server: socket.socket, then: str) -> str:
    """A test that starts a program, in a session of its own, which connects here.

    ``then`` is done when it has connected. Under load that may take longer than the run waits
    before it ends what a test has left behind.
    """
    program = STAYS.format(server.getsockname())
    return (
        "import os, subprocess, sys, threading\ndef test_it():\n"
        f"    p = subprocess.Popen([sys.executable, '-c', {program!r}], start_new_session=True, "
        f"stdout=-1)\n    p.stdout.readline()\n    {then}\n"
    )


@pytest.mark.parametrize("options", [[], ["-n", "1"]])
def test_a_run_that_is_killed_leaves_nothing(
    lifeline: socket.socket, tmp_path: Path, options: list[str]
) -> None:
    with pytest_run(tmp_path, starting(lifeline, "threading.Event().wait()"), *options) as run:
        held, _ = lifeline.accept()
        with held:
            held.settimeout(children.PATIENCE)
            run.kill()
            assert held.recv(1) == b""


def test_a_test_that_leaves_a_program_behind_fails(lifeline: socket.socket, tmp_path: Path) -> None:
    with pytest_run(tmp_path, starting(lifeline, "p.returncode = 0"), patience=1) as run:
        held, _ = lifeline.accept()
        with held:
            held.settimeout(children.PATIENCE)
            out, _ = run.communicate(timeout=children.PATIENCE)
            assert held.recv(1) == b""
    assert run.returncode == 1
    assert "still running after test_it.py::test_it" in out


def test_a_test_without_end_fails_and_cleans_up(tmp_path: Path) -> None:
    waits = (
        "import threading\ndef test_it():\n    try:\n        threading.Event().wait()\n"
        "    finally:\n        print('cleaned up')\n"
    )
    with pytest_run(tmp_path, waits, limit=1) as run:
        out, _ = run.communicate(timeout=children.PATIENCE)
    assert run.returncode == 1
    assert "test_it.py::test_it took longer than 1 s" in out
    assert "cleaned up" in out


def test_programs_hear_signals_that_the_run_was_started_to_ignore(tmp_path: Path) -> None:
    hears = (
        "import signal, subprocess, sys\ndef test_it():\n"
        "    show = 'import signal; print([int(signal.getsignal(n) == signal.SIG_IGN) for n in (1, "
        "2, 3, 15)])'\n"
        "    assert subprocess.run([sys.executable, '-c', show], stdout=-1).stdout == b'[0, 0, 0, "
        "0]\\n'\n"
        "    for number in (1, 2, 3, 15):\n"
        "        signal.raise_signal(number)  # still nothing to us\n"
    )
    with pytest_run(tmp_path, hears, before="trap '' HUP INT QUIT TERM;") as run:
        out, _ = run.communicate(timeout=children.PATIENCE)
    assert run.returncode == 0, out


def test_this_run_is_watched_over() -> None:
    assert os.environ[children.MARK]
    assert signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL, "this test has a limit itself"
