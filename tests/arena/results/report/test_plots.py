"""Scales, ticks and marks of the plots."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from spielleiter.arena.results.report.plots import (
    Line,
    PlotRow,
    Scale,
    heat_cell,
    histogram_marks,
    interval_mark,
    legend,
    line_chart,
    nice_ticks,
    row_chart,
    two_marks,
)

SCALE = Scale(0.0, 10.0, ((0.0, "0"), (5.0, "5"), (10.0, "10")))


def read(text: str) -> ElementTree.Element:
    """Parse it as XML, which is stricter than a browser."""
    return ElementTree.fromstring(f"<div>{text}</div>")


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 60, [0, 10, 20, 30, 40, 50, 60]),
        (-1131, 740, [-1500, -1000, -500, 0, 500, 1000]),
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (3, 3, None),
    ],
)
def test_ticks_are_round_and_enclose_the_range(
    low: float, high: float, ticks: list[float] | None
) -> None:
    found = nice_ticks(low, high)
    assert found[0] <= low
    assert found[-1] >= high
    assert 2 <= len(found) <= 9
    if ticks is not None:
        assert found == pytest.approx(ticks)


def test_a_scale_is_in_percent_and_ends_at_its_ends() -> None:
    assert [SCALE.place(value) for value in (-5, 0, 2.5, 10, 99)] == [0, 0, 25, 100, 100]


def test_a_line_goes_through_its_points() -> None:
    chart = line_chart(
        [Line("a", 1, [(0, 0), (10, 10)], [(0, 0, 5), (10, 5, 10)])], SCALE, SCALE, "<t>", "c"
    )
    root = read(chart)
    (line,) = root.iter("polyline")
    assert line.get("points") == "0.0,100.0 100.0,0.0"
    (band,) = root.iter("polygon")
    assert band.get("points") == "0.0,100.0 100.0,50.0 100.0,0.0 0.0,50.0"
    assert "&lt;t&gt;" in chart


def test_rows_have_their_names_marks_and_words() -> None:
    root = read(row_chart([PlotRow("<x>", interval_mark(5, 2, None, SCALE), "five")], SCALE, "t"))
    assert [bdi.text for bdi in root.iter("bdi")] == ["<x>"]
    (dot,) = root.iter("circle")
    assert dot.get("cx") == "50.0%"
    whisker = next(line for line in root.iter("line") if line.get("class") == "whisker")
    assert (whisker.get("x1"), whisker.get("x2")) == ("20.0%", "100.0%")
    assert "five" in "".join(root.itertext())


def test_many_ticks_are_thinned_out_on_small_screens() -> None:
    ticks = tuple((float(number), str(number)) for number in range(7))
    assert row_chart([], Scale(0, 6, ticks), "t").count('"tick odd"') == 3
    assert "odd" not in row_chart([], SCALE, "t")


def test_two_marks_are_joined_only_if_both_are_there() -> None:
    assert two_marks(1, 2, SCALE).count("<circle") == 2
    assert "bridge" in two_marks(1, 2, SCALE)
    assert two_marks(None, 2, SCALE).count("<circle") == 1
    assert "bridge" not in two_marks(1, None, SCALE)
    assert two_marks(None, None, SCALE) == ""


def test_bars_are_as_high_as_their_share() -> None:
    root = read(histogram_marks([(0, 5, 1.0), (5, 10, 0.5), (9, 10, 0.0001)], 5, SCALE))
    heights = [float((bar.get("height") or "").rstrip("%")) for bar in root.iter("rect")]
    assert heights[0] == 2 * heights[1]
    assert heights[2] > 0  # what is there can be seen


def test_colours_say_how_far_from_one_half_a_share_is() -> None:
    def strength(share: float) -> float:
        found = re.search(r"--a:([\d.]+)", heat_cell("x", share))
        assert found
        return float(found[1])

    assert strength(0.5) == 0
    assert strength(0.1) == strength(0.9) > strength(0.6) > 0
    assert '"heat low"' in heat_cell("x", 0.4)
    assert '"heat high"' in heat_cell("x", 0.6)
    assert "heat" not in heat_cell("x", None)


def test_colours_begin_again_after_the_last() -> None:
    assert 'class="c1"' in legend([("a", 9)])
