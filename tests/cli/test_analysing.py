"""Progress of an analysis, drawn in place or line by line, on standard error only."""

from __future__ import annotations

import pytest

from spielleiter.cli.analysing import LINE_SECONDS, Progress, engine_errors
from spielleiter.cli.errors import CliError
from spielleiter.rules import Text
from spielleiter.rules.engine import EngineError


class Watch:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_in_a_terminal_it_is_drawn_in_place_and_taken_away(
    capsys: pytest.CaptureFixture[str],
) -> None:
    watch = Watch()
    progress = Progress(10, watch, drawn=True)
    watch.time = 4.0
    progress.show(2)
    progress.finish()
    progress.finish()
    out, err = capsys.readouterr()
    assert out == ""
    _, drawn, cleared, rest = err.split("\r")
    assert drawn.rstrip() == "2 of 10 positions judged, 16 s left"
    assert len(cleared) >= len(drawn.rstrip())
    assert not cleared.strip()
    assert rest == ""


def test_elsewhere_there_is_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    watch = Watch()
    progress = Progress(100, watch, drawn=False)
    for done in range(1, 31):
        watch.time = done * LINE_SECONDS / 10
        progress.show(done)
    progress.finish()
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.split()[0] for line in err.splitlines()] == ["10", "20", "30"]


def test_what_the_engine_complains_about_is_an_error_of_the_command() -> None:
    with pytest.raises(CliError) as caught, engine_errors():
        raise EngineError(Text("nein", "no"), Text("tu was", "do something"))
    assert (caught.value.message, caught.value.hint) == ("no", "do something")
