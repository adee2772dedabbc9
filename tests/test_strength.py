"""The command that measures house bots plays fair pairs, counts right, and names mistakes."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from spielleiter.games import get_game

ROOT = Path(__file__).parents[1]


@pytest.fixture
def strength(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    import benchmarks.strength

    return benchmarks.strength


def result(
    strength: ModuleType, points: int, difference: int, slowest: float = 0.1, late: int = 0
) -> object:
    return strength.MatchResult(points, difference, (slowest, 0.0), late)


def test_a_row_counts(strength: ModuleType) -> None:
    results = (
        result(strength, 2, 10, 0.3, late=1),
        result(strength, 2, 4),
        result(strength, 1, 0),
        result(strength, 0, -6, 0.2),
    )
    row = strength.Row(("a", "b"), results)
    cells = dict(zip(strength.HEADINGS, strength.cells_of(row), strict=True))
    assert cells == {
        "bot": "`a`",
        "against": "`b`",
        "games": "4",
        "won": "2",
        "drawn": "1",
        "lost": "1",
        "won in %": "50 %",
        "95 % interval": "15 – 85 %",  # Wilson's interval for 2 of 4
        "mean difference": "+2.0",
        "slowest move": "300 ms",
        "too late": "1",
    }
    assert strength.Row(("a", "b"), results[:2]).interval[1] == pytest.approx(1)


def test_a_pair_swaps_the_seats_only(strength: ModuleType) -> None:
    # A bot against itself: whatever one seat wins in a game, the other wins in its twin.
    twin = strength.play_pair(
        strength.Pairing("blokus-2027", ("greedy", "greedy"), 3, (float("inf"),) * 2)
    )
    assert twin[0].difference == -twin[1].difference != 0
    assert twin[0].points + twin[1].points == 2


def test_moves_beyond_the_limit_are_counted(strength: ModuleType) -> None:
    first, second = strength.play_pair(
        strength.Pairing("blokus-2027", ("greedy", "random"), 1, (1e-9, 1e-9))
    )
    assert first.late > 10
    assert second.late > 10
    assert first.slowest[0] > 0


def test_clock(strength: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(strength.time, "monotonic", lambda: now[0])
    clock = strength.WallClock(2.0)
    now[0] = 100.5
    assert (clock.elapsed, clock.remaining) == (0.5, 1.5)
    now[0] = 103.0
    assert clock.remaining == 0.0


def test_command_prints_a_row(strength: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "--game",
        "blokus-2021",
        "--pairs",
        "1",
        "--move-seconds",
        "none",
        "greedy",
        "random",
    ]
    assert strength.main(arguments) == 0
    table = capsys.readouterr().out.splitlines()[-3:]
    assert table[0].startswith("| bot | against | games |")
    assert table[2].startswith("| `greedy` | `random` | 2 | 2 | 0 | 0 | 100 % |")


def test_limits_of_both_bots_are_said(strength: ModuleType) -> None:
    assert strength.describe_limits((2.0, 2.0)) == "2 s a move"
    assert strength.describe_limits((0.05, 2.0)) == "0.05 s a move against 2 s a move"
    assert strength.describe_limits((float("inf"), float("inf"))) == "no limit"


def test_each_bot_has_its_own_limit(strength: ModuleType) -> None:
    names = ("greedy", "random")
    for limits, late in [((1e-9, 60.0), True), ((60.0, 1e-9), False)]:
        results = strength.play_pair(strength.Pairing("blokus-2027", names, 1, limits))
        assert [result.late > 0 for result in results] == [late, late]


def test_ladder_is_every_bot_against_the_one_below(strength: ModuleType) -> None:
    assert strength.choose_names(["random", "greedy", "planner"], [], True) == [
        ("greedy", "random"),
        ("planner", "greedy"),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "chess", "greedy", "random"], "there is no game 'chess'"),
        (["gredy", "random"], "there is no bot 'gredy'; there are random, greedy"),
        (["greedy"], "name two bots, or ask for --ladder"),
        (["--ladder", "greedy"], "leave the names out"),
        (["--pairs", "0", "greedy", "random"], "at least 1"),
    ],
)
def test_mistakes_are_named(
    strength: ModuleType, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert strength.main(arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("text", ["0", "-1", "nan", "soon"])
def test_limits_are_times(strength: ModuleType, text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        strength.parse_limit(text)


# Commands that go on in the next line are joined.
PAGE = (ROOT / "docs/house-bots.md").read_text(encoding="utf-8").replace("\\\n", " ")


@pytest.mark.parametrize("command", re.findall(r"python -m benchmarks\.strength (.*?)[`\n]", PAGE))
def test_commands_of_the_page_are_understood(strength: ModuleType, command: str) -> None:
    options = strength.build_parser().parse_args(command.split())
    # The strongest bot is there only beside the package of the engine.
    players = {*get_game(options.game).players, "master"}
    assert strength.choose_names(list(players), options.names, options.ladder)


def test_tables_of_the_page_are_those_of_the_command(strength: ModuleType) -> None:
    heading = strength.format_markdown([]).splitlines()[0]
    assert heading in PAGE
    rows = [line for line in PAGE.splitlines() if re.match(r"\| `\w+` \| `\w+` \|", line)]
    assert len(rows) >= 3
    for row in rows:
        cells = dict(zip(strength.HEADINGS, row.strip("| ").split(" | "), strict=True))
        assert int(cells["games"]) == int(cells["won"]) + int(cells["drawn"]) + int(cells["lost"])
        assert cells["too late"] == "0"
