"""A bot that begins in a fork of a prepared Python finds what it would find in one of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from children import PATIENCE
from spielleiter.processes.guard import Guard
from spielleiter.processes.program import BotProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bots begin in forks on Linux only")

LAUNCH = (sys.executable, "-P", "-m", "spielleiter.launch")
PREPARE = ("json:dumps", "{}")
"""Any function will do that can be called with words."""
LOOK = """
import json, os, signal, sys, threading
print(json.dumps({
    "argv": sys.argv[1:], "file": __file__, "name": __name__,
    "main": sys.modules["__main__"].__file__,
    "cwd": os.getcwd(), "environment": dict(os.environ), "path": sys.path,
    "files": sorted(set(os.listdir("/proc/self/fd")) - {"3"}),
    "signals": {s.name: str(signal.getsignal(s)) for s in signal.valid_signals()
                if isinstance(s, signal.Signals)},
    "session": os.getsid(0) == os.getpid(), "threads": threading.active_count(),
    "encodings": [(f.encoding, f.errors, f.line_buffering, f.write_through)
                  for f in (sys.stdin, sys.stdout, sys.stderr)],
    "input": sys.stdin.read(), "wakeup": signal.set_wakeup_fd(-1),
}))
"""
ENVIRONMENT = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8:backslashreplace"}


@pytest.fixture
def prepared() -> Iterator[Guard]:
    guard = Guard(prepare=PREPARE)
    yield guard
    guard.close()


@pytest.fixture
def plain() -> Iterator[Guard]:
    guard = Guard()
    yield guard
    guard.close()


def run(
    guard: Guard, path: Path, *words: str, environment: dict[str, str] = ENVIRONMENT
) -> BotProcess:
    """Run the file to its end."""

    async def play() -> BotProcess:
        argv = [*LAUNCH, str(path), *words]
        process = BotProcess.start(argv, folder=path.parent, environment=environment, guard=guard)
        assert await process.wait_within(PATIENCE)
        await process.end()
        return process

    return asyncio.run(play())


def began_in_fork(path: Path) -> str:
    """Return code that prints whether its process was started as a program of its own."""
    return f"import sys; print({str(path)!r} not in open('/proc/self/cmdline').read())"


def test_it_finds_what_a_process_of_its_own_finds(
    prepared: Guard, plain: Guard, tmp_path: Path
) -> None:
    path = tmp_path / "look.py"
    path.write_text(LOOK)
    environment = {**ENVIRONMENT, "OWN": "väriable"}
    seen: list[dict[str, Any]] = []
    for guard in (plain, prepared, prepared):
        process = run(guard, path, "--seed", "ä b", environment=environment)
        assert (process.exit_code, process.stderr.text()) == (0, "")
        seen.append(json.loads(process.stdout.text()))
    assert seen[0]["argv"] == ["--seed", "ä b"]
    assert seen[1] == seen[0]
    assert seen[2] == seen[0]


@pytest.mark.parametrize(
    ("code", "status", "errors"),
    [
        ("raise SystemExit(3)", 3, ""),
        ("import sys; sys.exit('no')", 1, "no\n"),
        ("import atexit; atexit.register(print, 'end')", 0, ""),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM, ""),
        ("import threading; threading.Thread(target=print, args=('late',)).start()", 0, ""),
        ("def f():\n    raise ValueError('x')\nf()", 1, None),
    ],
)
def test_it_ends_as_a_process_of_its_own_ends(
    prepared: Guard, plain: Guard, tmp_path: Path, code: str, status: int, errors: str | None
) -> None:
    path = tmp_path / "ends.py"
    path.write_text(code)
    alone, forked = run(plain, path), run(prepared, path)
    assert forked.exit_code == alone.exit_code == status
    assert forked.stdout.text() == alone.stdout.text()
    assert forked.stderr.text() == alone.stderr.text()
    if errors is not None:
        assert forked.stderr.text() == errors


def test_bots_do_not_share_their_dice(prepared: Guard, tmp_path: Path) -> None:
    path = tmp_path / "dice.py"
    path.write_text("import random\nprint(random.getrandbits(64))")
    assert run(prepared, path).stdout.text() != run(prepared, path).stdout.text()


def test_another_environment_of_pythons_needs_a_python_of_its_own(
    prepared: Guard, tmp_path: Path
) -> None:
    path = tmp_path / "who.py"
    path.write_text(began_in_fork(path))
    other = {**ENVIRONMENT, "PYTHONHASHSEED": "7"}
    said = [
        run(prepared, path, environment=environment).stdout.text().strip()
        for environment in (ENVIRONMENT, other, ENVIRONMENT)
    ]
    assert said == ["True", "False", "True"]


def test_a_preparation_that_fails_costs_nothing_but_time(tmp_path: Path) -> None:
    path = tmp_path / "who.py"
    path.write_text(began_in_fork(path) + "; import os; print(os.environ.get('OWN'))")
    guard = Guard(prepare=("json:loads", "not JSON"))
    said = [
        run(guard, path, environment=ENVIRONMENT | own).stdout.text().split()
        for own in ({"OWN": "first"}, {"OWN": "second"}, {})
    ]
    guard.close()
    assert said == [["False", "first"], ["False", "second"], ["False", "None"]]


def test_each_has_an_environment_of_its_own(prepared: Guard, tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("import os; print(sorted(n for n in os.environ if n.startswith('OWN')))")
    said = [
        run(prepared, path, environment=ENVIRONMENT | dict.fromkeys(names, "ä")).stdout.text()
        for names in (("OWN1", "OWN2"), ("OWN2", "OWN3"), (), ("OWN1",))
    ]
    assert said == ["['OWN1', 'OWN2']\n", "['OWN2', 'OWN3']\n", "[]\n", "['OWN1']\n"]


def test_what_it_starts_ends_with_it(prepared: Guard, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as lifeline:
        lifeline.settimeout(PATIENCE)
        held = (
            "import socket, threading; "
            f"s = socket.create_connection({lifeline.getsockname()!r}); threading.Event().wait()"
        )
        path = tmp_path / "parent.py"
        path.write_text(
            "import subprocess, sys\n"
            f"subprocess.Popen([sys.executable, '-c', {held!r}], start_new_session=True)\n"
            "print('left one behind')\n"
        )

        async def play() -> None:
            process = BotProcess.start([*LAUNCH, str(path)], guard=prepared)
            connection, _ = await asyncio.to_thread(lifeline.accept)
            with connection:
                connection.settimeout(PATIENCE)
                await process.end()
                assert await asyncio.to_thread(connection.recv, 1) == b""

        asyncio.run(play())
