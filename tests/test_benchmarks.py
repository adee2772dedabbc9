"""The frame of the measurements: it counts, compares and prints; how fast anything is, is no matter
of a test.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def measure(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    import benchmarks.measure

    return benchmarks.measure


@pytest.fixture
def command(measure: ModuleType) -> ModuleType:
    import benchmarks.__main__

    return benchmarks.__main__


class Ticks:
    """A clock that moves only when somebody works."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def work(self, seconds: float, units: int) -> int:
        self.now += seconds
        return units


@pytest.fixture
def ticks(measure: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Ticks:
    clock = Ticks()
    monkeypatch.setitem(measure.CLOCKS, "cpu", clock)
    monkeypatch.setattr(
        measure, "CALIBRATION", measure.Case("(calibration)", lambda: clock.work(0.5, 100), "loop")
    )
    return clock


def test_time_per_unit_and_ratio(measure: ModuleType, ticks: Ticks) -> None:
    spent = iter([9.0, 1.0, 3.0])  # the first round only warms up
    calibration, case = measure.measure(
        [measure.Case("thing", lambda: ticks.work(next(spent), 10), "move", "fast")], 2
    )
    assert case.seconds == pytest.approx((0.1, 0.3))
    assert case.mean == pytest.approx(0.2)
    assert case.spread == pytest.approx(0.02**0.5)
    assert case.ratio == pytest.approx(40)  # 0.2 s against 0.5 s for 100 loops
    assert calibration.ratio == pytest.approx(1)


def test_cases_take_turns(measure: ModuleType, ticks: Ticks) -> None:
    order: list[str] = []

    def case(name: str) -> object:
        return measure.Case(name, lambda: order.append(name) or ticks.work(1.0, 1), "step")

    measure.measure([case("a"), case("b")], 2)
    assert "".join(order) == "ababab"


def test_a_case_without_work_is_named(measure: ModuleType, ticks: Ticks) -> None:
    with pytest.raises(ValueError, match="'lazy' says it did 0 units"):
        measure.measure([measure.Case("lazy", lambda: 0, "step")], 1)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (2.5, "2.50 s"),
        (0.0417, "41.7 ms"),
        (41.7e-6, "41.7 µs"),
        (417e-6, "417 µs"),
        (3e-8, "30.0 ns"),
        (0.0, "0.000 ns"),
    ],
)
def test_times_read_well(measure: ModuleType, seconds: float, text: str) -> None:
    assert measure.format_time(seconds) == text


def test_rates_read_well(measure: ModuleType) -> None:
    assert measure.format_rate(0.00004) == "25 000/s"
    assert measure.format_rate(0.5) == "2.00/s"
    assert measure.format_rate(0.0) == "-"


def test_table(measure: ModuleType, ticks: Ticks) -> None:
    lines = measure.measure(
        [measure.Case("thing", lambda: ticks.work(0.002, 100), "move", "≤ 60 µs")], 2
    )
    assert measure.format_table("game", lines).splitlines() == [
        "game",
        "====",
        "case                   mean  ± stdev          min – max      rate  ratio  target",
        "-" * 81,
        "(calibration)  5.00 ms/loop    ± 0 %  5.00 ms – 5.00 ms     200/s   1.00",
        "thing          20.0 µs/move    ± 0 %  20.0 µs – 20.0 µs  50 000/s  0.004  ≤ 60 µs",
    ]


@pytest.fixture
def tiny_module(
    command: ModuleType, measure: ModuleType, ticks: Ticks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        command,
        "find_cases",
        lambda: {
            "tiny": [
                measure.Case("count", lambda: ticks.work(0.1, 10), "step", "≤ 1 s"),
                measure.Case("other", lambda: ticks.work(0.2, 10), "step"),
            ]
        },
    )
    monkeypatch.setattr(
        command, "find_tables", lambda: {"own": lambda *, quick: f"a table, quick: {quick}"}
    )


@pytest.mark.usefixtures("tiny_module")
def test_command_measures_what_is_named(
    command: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--quick", "coun"]) == 0
    out = capsys.readouterr().out
    assert "10.0 ms/step" in out
    assert "≤ 1 s" in out
    assert "other" not in out
    assert command.main(["--quick", "tiny"]) == 0
    assert "other" in capsys.readouterr().out


@pytest.mark.usefixtures("tiny_module")
def test_command_lists_what_there_is(
    command: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["chess"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "no benchmark is called 'chess'; there are:",
        "  tiny: count, other",
        "  own",
    ]


@pytest.mark.usefixtures("tiny_module")
def test_a_module_may_have_a_table_of_its_own(
    command: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["own", "--quick"]) == 0
    out = capsys.readouterr().out
    assert "a table, quick: True" in out
    assert "count" not in out
    assert command.main(["--quick"]) == 0
    out = capsys.readouterr().out
    assert "a table" in out
    assert "count" in out


def test_the_table_of_attacks_marks_what_is_missed(command: ModuleType) -> None:
    from benchmarks.attack import Row, format_rows

    assert "attack" in command.find_tables()
    calm = Row("undisturbed", 100, 0.001, 0.002, 0.003, 0.01, 1.0)
    rows = [
        calm,
        Row("fine", 100, 0.001, 0.01, 0.1, 0.9, None),
        Row("late", 100, 0.001, 0.026, 0.1, 0.1, 1.0),
    ]
    _, _, _, first, second, third, _ = format_rows(rows).splitlines()
    assert first.split()[:8] == ["undisturbed", "100", "1.0", "ms", "2.0", "ms", "3.0", "ms"]
    assert "5.0" in second.split()
    assert [line.endswith("missed") for line in (first, second, third)] == [False, False, True]


def test_modules_are_found_by_their_function(
    command: ModuleType, measure: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "board_of_test.py").write_text(
        "from benchmarks.measure import Case\ndef cases():\n    return [Case('one', lambda: 1, "
        "'step')]\n"
    )
    (tmp_path / "table_of_test.py").write_text("# no cases here\n")
    monkeypatch.setattr(sys.modules["benchmarks"], "__path__", [str(tmp_path)])
    found = command.find_cases()
    assert [(module, [case.name for case in cases]) for module, cases in found.items()] == [
        ("board_of_test", ["one"])
    ]


def test_the_table_of_the_store_compares_with_its_first_row(command: ModuleType) -> None:
    from benchmarks.store import MOVES, Row, format_rows

    assert "store" in command.find_tables()
    rows = [
        Row("one row a commit", 100, 1.0, 0.1),
        Row("1 match waits", MOVES + 1, 0.1, 0.001),
        Row("100 matches wait", 1900, 1.0, 0.019),
    ]
    _, _, _, single, one, many = format_rows(rows).splitlines()
    assert single.split()[4:] == ["100", "1.6", "1.00", "1000.0", "µs"]
    assert one.split()[3:] == ["610", "10.0", "6.10", "16.4", "µs"]
    assert many.split()[3:] == ["1,900", "31.1", "19.00", "10.0", "µs", "≥", "20", "×", "missed"]


def test_the_store_is_measured_with_what_it_really_stores(
    command: ModuleType, tmp_path: Path
) -> None:
    from benchmarks.store import ROWS, write_matches, write_singly

    from spielleiter.arena.store.reader import StoreReader

    assert write_matches(tmp_path, 5, 2) == 5 * ROWS
    with StoreReader(tmp_path) as reader:
        assert reader.count_results(1) == 5
        assert reader.read_rows("SELECT count(*) FROM move") == [(5 * (ROWS - 1),)]
    assert write_singly(tmp_path, 3) == 3
