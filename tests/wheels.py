"""The package ``spielleiter-engine`` as tests meet it: a stand-in, none at all, or the real one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGE = "spielleiter_engine"
FOLDER = Path(__file__).parent / "fake_wheel"
IS_THERE = find_spec(PACKAGE) is not None
"""Whether the real package is installed."""


@contextmanager
def _replaced(module: ModuleType | None) -> Iterator[None]:
    before = {name: one for name, one in sys.modules.items() if name.partition(".")[0] == PACKAGE}
    for name in before:
        del sys.modules[name]
    # None in this table is what Python takes for a module that cannot be found.
    sys.modules[PACKAGE] = module  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in [one for one in sys.modules if one.partition(".")[0] == PACKAGE]:
            del sys.modules[name]
        sys.modules.update(before)


@contextmanager
def fake_wheel(**attributes: Any) -> Iterator[ModuleType]:
    """Let the stand-in be installed, with some attributes of its own."""
    sys.path.insert(0, str(FOLDER))
    try:
        with _replaced(None):
            del sys.modules[PACKAGE]
            module = import_module(PACKAGE)
            for name, value in attributes.items():
                setattr(module, name, value)
            yield module
    finally:
        sys.path.remove(str(FOLDER))


@contextmanager
def no_wheel() -> Iterator[None]:
    """Let no engine be installed."""
    with _replaced(None):
        yield


def environment_with_wheel() -> Mapping[str, str]:
    """Return the variables of a process for which the stand-in is installed."""
    paths = [str(FOLDER), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
