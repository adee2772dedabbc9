"""Where databases of runs are looked for."""

from __future__ import annotations

from pathlib import Path

from spielleiter.arena.results.places import databases_below
from spielleiter.arena.store.values import FILE_NAME


def test_databases_are_found_below_a_folder_and_not_too_deep(tmp_path: Path) -> None:
    for place in ("b", "a/x", "a/.hidden", "1/2/3", "1/2/3/4"):
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / place / FILE_NAME).touch()
    found = [path.parent.relative_to(tmp_path).as_posix() for path in databases_below(tmp_path)]
    assert found == ["1/2/3", "a/x", "b"]
