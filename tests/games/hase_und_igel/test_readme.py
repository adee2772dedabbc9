"""The example in the game's README runs and says what its comments say."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

from spielleiter.games import hase_und_igel


def test_example() -> None:
    text = Path(hase_und_igel.__file__).with_name("README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    said = io.StringIO()
    with redirect_stdout(said):
        exec(code, {})
    lines = said.getvalue().splitlines()
    assert (lines[0], lines[-1]) == ("19", "13")


def test_every_module_is_in_the_table() -> None:
    folder = Path(hase_und_igel.__file__).parent
    text = (folder / "README.md").read_text(encoding="utf-8")
    modules = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if path.name != "__init__.py"
    }
    assert modules == set(re.findall(r"^\| `([\w/]+\.py)`", text, re.MULTILINE))
