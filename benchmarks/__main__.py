"""Find what there is to measure, measure it, and print the results.

Run ``python -m benchmarks [NAME...] [--quick]``. Nothing is stored.

A module of this folder offers ``cases()``, which are timed and shown in a table, or ``table()``,
which measures and makes a table of its own.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import benchmarks
from benchmarks.measure import QUICK_REPETITIONS, REPETITIONS, Case, format_table, measure


def _modules() -> dict[str, ModuleType]:
    names = [
        info.name for info in iter_modules(benchmarks.__path__) if not info.name.startswith("__")
    ]
    return {name: import_module(f"benchmarks.{name}") for name in names}


def find_cases() -> dict[str, list[Case]]:
    """Return all cases by module, for every module of this folder that has a function ``cases``."""
    return {
        name: list(module.cases())
        for name, module in _modules().items()
        if hasattr(module, "cases")
    }


def find_tables() -> dict[str, Callable[..., str]]:
    """Return what makes a table of its own, by module.

    Every module of this folder that has a function ``table`` is there.
    """
    return {name: module.table for name, module in _modules().items() if hasattr(module, "table")}


def select_cases(found: dict[str, list[Case]], names: Sequence[str]) -> dict[str, list[Case]]:
    """Return the cases whose module is named, or whose own name contains one of ``names``.

    Without names all cases are returned.
    """
    if not names:
        return found
    chosen = {
        module: [
            case
            for case in cases
            if any(name == module or name.lower() in case.name.lower() for name in names)
        ]
        for module, cases in found.items()
    }
    return {module: cases for module, cases in chosen.items() if cases}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="measure speed, print a table a module"
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a module (blokus) or part of a case's name"
    )
    parser.add_argument(
        "--quick", action="store_true", help=f"{QUICK_REPETITIONS} repetitions, not {REPETITIONS}"
    )
    options = parser.parse_args(arguments)

    found = find_cases()
    chosen = select_cases(found, options.names)
    tables = find_tables()
    wanted_tables = {
        name: table for name, table in tables.items() if not options.names or name in options.names
    }
    if not chosen and not wanted_tables:
        known = [
            module + ": " + ", ".join(case.name for case in cases)
            for module, cases in found.items()
        ]
        known += tables
        wanted = " or ".join(map(repr, options.names)) or "anything"
        print(
            f"no benchmark is called {wanted}; there are:",
            *(known or ["none"]),
            sep="\n  ",
            file=sys.stderr,
        )
        return 2

    repetitions = QUICK_REPETITIONS if options.quick else REPETITIONS
    machine = (
        f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}"
    )
    print(f"{machine}, {repetitions} repetitions")
    print(
        "CPU time on one core; ratio = cost of one unit in calibration loops (compare this between "
        "machines)"
    )
    for module, cases in chosen.items():
        print()
        print(format_table(module, measure(cases, repetitions)), flush=True)
    for table in wanted_tables.values():
        print()
        print(table(quick=options.quick), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
