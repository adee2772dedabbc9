"""The optional package with the engines: found, missing, broken, of another version."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

import wheels
from spielleiter.games.wheel import API_VERSION, NAME, PACKAGE, HousePlayers, has_wheel, load_wheel
from spielleiter.rules.engine import EngineMissing


def test_it_is_found() -> None:
    with wheels.fake_wheel() as wheel:
        assert load_wheel() is wheel
        assert has_wheel()


def test_a_missing_one_is_named_with_how_to_install_it() -> None:
    with wheels.no_wheel(), pytest.raises(EngineMissing) as caught:
        load_wheel()
    assert str(caught.value) == "The engine is not installed."
    assert caught.value.text.de == "Die Engine ist nicht installiert."
    for hint in caught.value.hint:
        assert f"python -m pip install {NAME}" in hint
        assert "make engine" in hint


@pytest.mark.parametrize(
    ("version", "advice"),
    [(API_VERSION + 1, "--upgrade spielleiter"), (API_VERSION - 1, f"--upgrade {NAME}")],
)
def test_another_version_is_refused_with_what_to_renew(version: int, advice: str) -> None:
    with wheels.fake_wheel(API_VERSION=version, __version__="9.9"):
        with pytest.raises(EngineMissing) as caught:
            load_wheel()
        assert not has_wheel()
    assert f"{NAME} 9.9 has interface {version}" in str(caught.value)
    assert all(hint.split(",")[0].endswith(advice) for hint in caught.value.hint)


def test_one_without_a_version_is_broken() -> None:
    with wheels.fake_wheel():
        sys.modules[PACKAGE] = ModuleType(PACKAGE)
        with pytest.raises(EngineMissing, match=r"cannot be loaded: .*API_VERSION"):
            load_wheel()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise ImportError('wrong\\nELF class')", "wrong ELF class"),
        ("import module_that_nobody_has", "module_that_nobody_has"),
        ("raise RuntimeError", "RuntimeError"),
    ],
)
def test_what_cannot_be_loaded_is_told_in_one_line(
    tmp_path, monkeypatch: pytest.MonkeyPatch, code: str, words: str
) -> None:
    (tmp_path / f"{PACKAGE}.py").write_text(code)
    with wheels.no_wheel():
        del sys.modules[PACKAGE]
        monkeypatch.syspath_prepend(str(tmp_path))
        with pytest.raises(EngineMissing, match="The engine cannot be loaded: ") as caught:
            load_wheel()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def players() -> HousePlayers:
    return HousePlayers({"random": str, "greedy": int}, "master", float)  # type: ignore[dict-item]


def test_the_strongest_is_last_and_only_there_with_the_engine() -> None:
    with wheels.fake_wheel():
        assert list(players()) == ["random", "greedy", "master"]
        assert len(players()) == 3
        assert players()["master"] is float
    with wheels.no_wheel():
        assert list(players()) == ["random", "greedy"]
        assert len(players()) == 2
        assert "master" not in players()
        with pytest.raises(KeyError):
            players()["master"]


def test_others_are_found_without_loading_it() -> None:
    with wheels.fake_wheel():
        del sys.modules[PACKAGE]
        assert "random" in players()
        assert players()["greedy"] is int
        assert PACKAGE not in sys.modules
