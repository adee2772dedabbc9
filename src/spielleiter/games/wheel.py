"""Find the optional package ``spielleiter-engine``, and say what to install where it is missing.

It is loaded when somebody asks for an engine, never with a game. What it is used for stands in the
folder of each game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from spielleiter.rules import PlayerFactory, Text
from spielleiter.rules.engine import EngineMissing

PACKAGE = "spielleiter_engine"
NAME = "spielleiter-engine"
"""What the package is called where it is installed from."""
API_VERSION = 1
"""The number of the interface that we know. The package has the same in ``API_VERSION``."""

_LONGEST_REASON = 200
_INSTALL = Text(
    f"Installieren: python -m pip install {NAME}, oder im geklonten Projekt: make engine",
    f"install it: python -m pip install {NAME}, or in a clone of the project: make engine",
)


def load_wheel() -> Any:
    """Return the package with the engines. Raises EngineMissing if it is not there or not ours."""
    try:
        wheel = import_module(PACKAGE)
        version = wheel.API_VERSION
    except ModuleNotFoundError as error:
        if error.name == PACKAGE:
            raise EngineMissing(
                Text("Die Engine ist nicht installiert.", "The engine is not installed."), _INSTALL
            ) from None
        raise _broken(error) from error
    # A package built for another machine may fail in any way while it is loaded.
    except Exception as error:
        raise _broken(error) from error
    if version != API_VERSION:
        raise _other_version(wheel, version)
    return wheel


def has_wheel() -> bool:
    """Return whether the package is there and fits."""
    try:
        load_wheel()
    except EngineMissing:
        return False
    return True


def _broken(error: Exception) -> EngineMissing:
    reason = " ".join(str(error).split())[:_LONGEST_REASON] or type(error).__name__
    return EngineMissing(
        Text(
            f"Die Engine lässt sich nicht laden: {reason}", f"The engine cannot be loaded: {reason}"
        ),
        _INSTALL,
    )


def _other_version(wheel: Any, version: object) -> EngineMissing:
    name = str(getattr(wheel, "__version__", "?"))[:_LONGEST_REASON]
    said = str(version)[:_LONGEST_REASON]
    text = Text(
        f"{NAME} {name} hat Schnittstelle {said}, dieser Spielleiter kennt {API_VERSION}.",
        f"{NAME} {name} has interface {said}, and this Spielleiter knows {API_VERSION}.",
    )
    if isinstance(version, int) and version > API_VERSION:
        return EngineMissing(
            text,
            Text(
                "Spielleiter erneuern: python -m pip install --upgrade spielleiter",
                "renew Spielleiter: python -m pip install --upgrade spielleiter",
            ),
        )
    return EngineMissing(
        text,
        Text(
            f"Engine erneuern: python -m pip install --upgrade {NAME}, oder make engine",
            f"renew the engine: python -m pip install --upgrade {NAME}, or make engine",
        ),
    )


class HousePlayers(Mapping[str, PlayerFactory]):
    """The house bots of a game, with a last one that is there where the engine is installed.

    Bots start often and most are not that one. So the package is loaded only if somebody asks for
    it by name, or for all of them.
    """

    def __init__(
        self, players: Mapping[str, PlayerFactory], name: str, strongest: PlayerFactory
    ) -> None:
        self._players = players
        self._name = name
        self._strongest = strongest

    def __getitem__(self, name: str) -> PlayerFactory:
        if name == self._name and has_wheel():
            return self._strongest
        return self._players[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._players
        if has_wheel():
            yield self._name

    def __len__(self) -> int:
        return len(self._players) + has_wheel()
