"""docs/analysis.md against the code: its limits, its keys, and the program on it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from click.testing import CliRunner

import pages
import recorded
import wheels
from spielleiter import cli
from spielleiter.engine.verdicts import WIN_SLIPS, Verdict
from spielleiter.games.blokus.engine import SLIPS

PAGE = pages.ROOT / "docs/analysis.md"
TEXT = PAGE.read_text(encoding="utf-8")
REPLAY = next(path for path in recorded.replays("27.0.4") if "Haeschen" in path.name)


def keys(heading: str) -> list[str]:
    """Return the names in the first column of the table with this heading."""
    table = TEXT.partition(f"| {heading} | value |")[2].partition("\n\n")[0]
    cells = re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


@pytest.fixture(scope="module")
def told() -> Any:
    with wheels.fake_wheel():
        words = ["analyse", str(REPLAY), "--json", "--seconds", "0.1"]
        return json.loads(CliRunner().invoke(cli.main, words).stdout)


def test_the_limits_are_those_of_the_code() -> None:
    rows = re.findall(
        r"^\| (\w+) \| (\S*) ?\| (?:(\d+) points)? ?\| (?:(\d+) %)? ?\|$", TEXT, re.MULTILINE
    )
    expected = [
        (verdict.value, verdict.sign, f"{points:.0f}", f"{100 * win:.0f}")
        for verdict, points, win in zip(list(Verdict)[1:], SLIPS, WIN_SLIPS, strict=True)
    ]
    assert rows == [("good", "", "", ""), *expected]


def test_every_key_is_on_the_page(told: dict[str, Any]) -> None:
    assert keys("key") == list(told)
    move = next(one for one in told["moves"] if one is not None)
    assert sorted(keys("key of a move")) == sorted(move)
    for name in told["result"]:
        assert f"`{name}`" in TEXT


@pytest.mark.parametrize(
    "program", [block.body for block in pages.read_blocks(PAGE) if block.language == "python"]
)
def test_code_on_the_page_runs_with_the_engine_and_without(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = compile(program, str(PAGE), "exec")
    with wheels.fake_wheel():
        exec(code, {})
    assert "2 of 2" in capsys.readouterr().out
    with wheels.no_wheel():
        exec(code, {})
    assert "The engine is not installed. install it: " in capsys.readouterr().out
