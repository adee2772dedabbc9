"""The example in the folder's README runs and shows what it promises."""

from __future__ import annotations

import re
from pathlib import Path

import spielleiter.games.blokus

README = Path(spielleiter.games.blokus.__file__).with_name("README.md")


def test_the_example_plays_a_whole_game(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(example, str(README), "exec"), {})
    output = capsys.readouterr().out
    assert "Blue and Red win" in output
    assert output.splitlines()[-1].endswith("No colour can place another piece.")


def test_every_season_is_in_the_table():
    text = README.read_text(encoding="utf-8")
    for game in spielleiter.games.blokus.GAMES:
        assert f"`{game.id}`" in text
