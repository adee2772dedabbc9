"""The doctor: each question with a healthy and a sick patient, and the command around them."""

import errno
import itertools
import json
import os
import socket
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import spielleiter
import wheels
from spielleiter import cli
from spielleiter.cli import diagnosis, doctor
from spielleiter.cli.diagnosis import Finding, Level, installation, machine, network

WELL = Finding("this", Level.OK, "is good")
KNOWN = Finding("that", Level.NOTE, "is not there")
RISKY = Finding("port", Level.WARNING, "is täken", "take another")
BROKEN = Finding("disk", Level.PROBLEM, "is full", "make room")


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, ["doctor", *args])


def patient(monkeypatch: pytest.MonkeyPatch, *findings: Finding) -> None:
    monkeypatch.setattr(doctor, "examine", lambda port: iter(findings))


# The command


def test_all_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch, WELL, KNOWN)
    result = run()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "✓ this: is good\n· that: is not there\n\nAll is well.\n"


def test_a_risk_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch, WELL, RISKY)
    result = run()
    assert result.exit_code == 0
    assert "! port: is täken\n    -> take another\n" in result.stdout
    assert result.stdout.endswith("Games can be played; 1 thing to know, marked with !.\n")


def test_a_fault_is_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch, RISKY, BROKEN, BROKEN)
    result = run()
    assert result.exit_code == 1
    assert "✗ disk: is full\n    -> make room\n" in result.stdout
    assert result.stdout.endswith("2 faults to mend: the lines with ✗.\n")


def test_plain_marks_where_the_terminal_has_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch, WELL, RISKY, BROKEN)
    result = CliRunner(charset="ascii").invoke(cli.main, ["doctor"])
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[:4] == [
        "ok this: is good",
        r"!  port: is t\xe4ken",
        "     -> take another",
        "X  disk: is full",
    ]


def test_json_for_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch, WELL, BROKEN)
    result = run("--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {
        "spielleiter": spielleiter.__version__,
        "findings": [
            {"name": "this", "level": "ok", "text": "is good", "advice": ""},
            {"name": "disk", "level": "problem", "text": "is full", "advice": "make room"},
        ],
    }


def test_here_and_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question is asked once; this machine runs the tests, so nothing that needs no luck is
    broken.
    """
    monkeypatch.chdir(tmp_path)
    result = run("--json")
    found = {finding["name"]: finding for finding in json.loads(result.stdout)["findings"]}
    assert len(found) == 17
    assert result.exit_code == 0, [
        finding for finding in found.values() if finding["level"] == "problem"
    ]
    assert found["Python"]["text"].startswith(".".join(map(str, sys.version_info[:3])))
    assert f"click {metadata.version('click')}" in found["packages"]["text"]
    assert str(tmp_path) in found["working folder"]["text"]
    assert list(tmp_path.iterdir()) == []


# The game that is meant


@pytest.mark.parametrize(
    ("environ", "level", "text"),
    [
        ({}, Level.OK, "blokus-2021, the default; bots, --game and SPIELLEITER_GAME win over it"),
        ({"SPIELLEITER_GAME": " "}, Level.OK, "blokus-2021, the default"),
        (
            {"SPIELLEITER_GAME": "swc_2027_blokus"},
            Level.OK,
            "blokus-2027, because SPIELLEITER_GAME says so",
        ),
        (
            {"SPIELLEITER_GAME": "chess"},
            Level.PROBLEM,
            "SPIELLEITER_GAME: there is no game 'chess'; there are: ",
        ),
    ],
)
def test_which_game_is_in_force_and_who_says_so(
    environ: dict[str, str], level: Level, text: str
) -> None:  # W118
    found = installation.game_in_force(environ)
    assert found.level is level
    assert found.text.startswith(text)
    assert bool(found.advice) == (level is Level.PROBLEM)


# Python and packages


@pytest.mark.parametrize(
    ("version", "level"),
    [
        ((3, 10, 9), Level.PROBLEM),
        ((3, 11, 8), Level.NOTE),
        ((3, 11, 9), Level.OK),
        ((3, 14, 0), Level.OK),
    ],
)
def test_python(version: tuple[int, ...], level: Level) -> None:
    finding = installation.python_version(version)
    assert finding.level is level
    assert bool(finding.advice) == (level is not Level.OK)


@pytest.mark.parametrize(
    ("text", "level"), [("expat_2.5.0", Level.WARNING), ("expat_2.6.0", Level.OK)]
)
def test_expat(text: str, level: Level) -> None:
    assert installation.expat_version(text).level is level


def test_packages_that_are_missing_or_old() -> None:
    wanted = ["click>=8.1", "rich>=9999.1", "no-such-package>=2", "uvloop>=9999; extra == 'speed'"]
    old, missing, good = installation.packages(wanted)
    assert (old.name, old.level) == ("package rich", Level.PROBLEM)
    assert '"rich>=9999.1"' in old.advice
    assert (missing.name, missing.level) == ("package no-such-package", Level.PROBLEM)
    assert good.level is Level.OK
    assert "click" in good.text
    assert "uvloop" not in good.text


def test_the_command_that_the_shell_does_not_find() -> None:
    assert installation.command_line("/usr/bin/spielleiter").level is Level.OK
    lost = installation.command_line(None)
    assert lost.level is Level.WARNING
    assert "-m spielleiter" in lost.advice


# Network


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_port_that_is_free(taken_port: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert network.port_free(port).level is Level.OK


def test_a_port_that_is_taken(taken_port: int) -> None:
    finding = network.port_free(taken_port)
    assert finding.level is Level.WARNING
    assert f"--port {taken_port + 1}" in finding.advice


def test_a_port_that_is_taken_at_the_other_address_of_this_machine() -> None:
    try:
        server = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("no IPv6 here")
    with server:
        assert network.port_free(server.getsockname()[1]).level is Level.WARNING


@pytest.mark.parametrize("number", [errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT])
def test_a_machine_without_the_other_address(
    number: int, taken_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def obstacle(family: int, address: str, port: int) -> OSError | None:
        return OSError(number, "not here") if family == socket.AF_INET6 else None

    monkeypatch.setattr(network, "_obstacle", obstacle)
    monkeypatch.setattr(network.socket, "has_ipv6", True)
    assert network.port_free(taken_port).level is Level.OK


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux says who has a port")
def test_who_has_the_port(taken_port: int) -> None:
    owner = network.port_owner(taken_port)
    assert owner is not None
    assert owner.endswith(f"(process {os.getpid()})")


def test_nobody_is_blamed_where_the_system_says_nothing(tmp_path: Path, taken_port: int) -> None:
    assert network.port_owner(taken_port, tmp_path) is None


def test_the_port_of_another_user(tmp_path: Path) -> None:
    (tmp_path / "net").mkdir()
    row = (
        "   0: 0100007F:32FA 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0   "
        "     0 4711 1"
    )
    (tmp_path / "net" / "tcp").write_text(f"  sl  local_address\n{row}\n")
    assert network.port_owner(0x32FA, tmp_path) == "a program of another user"
    assert network.port_owner(0x32FB, tmp_path) is None


def test_connections() -> None:
    assert network.local_connections().level is Level.OK


def test_connections_that_are_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> socket.socket:
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(network.socket, "create_connection", refuse)
    finding = network.local_connections()
    assert (finding.level, finding.text) == (Level.PROBLEM, "do not work: Connection refused")
    assert "firewall" in finding.advice


# Time and power


def ticks(step: float) -> Callable[[], float]:
    counter = itertools.count()
    return lambda: next(counter) * step


def test_a_fine_and_a_coarse_clock() -> None:
    assert machine.clock_steps(ticks(1e-7)).level is Level.OK
    coarse = machine.clock_steps(ticks(0.05))
    assert (coarse.level, coarse.text.partition(":")[0]) == (Level.WARNING, "steps of 50 ms")


@pytest.mark.parametrize(("step", "level"), [(0.006, Level.OK), (0.2, Level.WARNING)])
def test_waking_up_late(step: float, level: Level) -> None:
    naps: list[float] = []
    assert machine.clock_steadiness(ticks(step), naps.append).level is level
    assert naps == [0.005] * 30


def test_a_processor_that_others_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "usable_cores", lambda: 4)
    assert machine.processor(ticks(0.01), ticks(10)).level is Level.OK
    busy = machine.processor(ticks(0.01), ticks(0.1))
    assert busy.level is Level.WARNING
    assert busy.text.startswith("4 cores")
    monkeypatch.setattr(machine, "usable_cores", lambda: 1)
    assert machine.processor(ticks(0.01), ticks(10)).level is Level.NOTE


# Terminal and files


class Screen:
    def __init__(self, encoding: str) -> None:
        self.encoding = encoding

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("encoding", "level"), [("utf-8", Level.OK), ("cp1252", Level.WARNING)])
def test_the_terminal(encoding: str, level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine.sys, "stdout", Screen(encoding))
    monkeypatch.setenv("NO_COLOR", "1")
    finding = machine.terminal()
    assert finding.level is level
    assert f"{encoding}, without colours" in finding.text


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    assert machine.working_folder(tmp_path).level is Level.OK
    assert machine.working_folder(tmp_path / "none").level is Level.PROBLEM


def test_files_that_hide_modules(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    assert machine.shadowed_modules(tmp_path).level is Level.OK
    (tmp_path / "random.py").touch()
    finding = machine.shadowed_modules(tmp_path)
    assert finding.level is Level.WARNING
    assert finding.text.startswith("random.py in ")


# What is optional


def test_java_is_not_needed() -> None:
    assert machine.java(None).level is Level.NOTE


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_java_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "java"
    program.write_text("#!/bin/sh\necho 'openjdk of this test' >&2\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    found = [finding.text for finding in diagnosis.examine(0)]
    assert any("openjdk of this test" in text for text in found)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
@pytest.mark.parametrize(
    ("script", "level", "text"),
    [
        ("echo 'openjdk version \"21\"' >&2", Level.OK, 'openjdk version "21"'),
        ("echo 'no memory' >&2; exit 1", Level.WARNING, "does not run: no memory"),
        ("exit 3", Level.WARNING, "does not run: exit code 3"),
    ],
)
def test_java(script: str, level: Level, text: str, tmp_path: Path) -> None:
    program = tmp_path / "java"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    finding = machine.java(str(program))
    assert finding.level is level
    assert text in finding.text


def test_java_that_is_no_program(tmp_path: Path) -> None:
    assert machine.java(str(tmp_path)).level is Level.WARNING


def test_java_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: object, timeout: float, **__: object) -> None:
        raise machine.subprocess.TimeoutExpired("java", timeout)

    monkeypatch.setattr(machine.subprocess, "run", hang)
    assert "does not answer" in machine.java("java").text


# The engine


def test_an_engine_that_is_there() -> None:
    with wheels.fake_wheel(__version__="1.2"):
        found = installation.engine()
    assert (found.level, found.text) == (Level.OK, "spielleiter-engine 1.2")


def test_a_missing_engine_is_worth_knowing() -> None:
    with wheels.no_wheel():
        found = installation.engine()
    assert found.level is Level.NOTE
    assert "The engine is not installed. spielleiter analyse" in found.text
    assert "pip install spielleiter-engine" in found.advice


def test_an_engine_of_another_version_is_a_risk() -> None:
    with wheels.fake_wheel(API_VERSION=0):
        found = installation.engine()
    assert found.level is Level.WARNING
    assert "--upgrade spielleiter-engine" in found.advice
