"""``python -m benchmarks [NAME...] [--quick]``: find modules with ``cases()``, measure, print. Nothing is stored."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules

import benchmarks
from benchmarks.measure import QUICK_REPETITIONS, REPETITIONS, Case, format_table, measure


def find_cases() -> dict[str, list[Case]]:
    """All cases by module, for every module of this folder that has a function ``cases``."""
    found: dict[str, list[Case]] = {}
    for info in iter_modules(benchmarks.__path__):
        if info.name.startswith("__"):
            continue
        module = import_module(f"benchmarks.{info.name}")
        if hasattr(module, "cases"):
            found[info.name] = list(module.cases())
    return found


def select_cases(found: dict[str, list[Case]], names: Sequence[str]) -> dict[str, list[Case]]:
    """Those whose module is named, or whose own name contains one of ``names``; all if none is given."""
    if not names:
        return found
    chosen = {
        module: [case for case in cases if any(name == module or name.lower() in case.name.lower() for name in names)]
        for module, cases in found.items()
    }
    return {module: cases for module, cases in chosen.items() if cases}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="measure speed, print a table a module")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a module (blokus) or part of a case's name")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_REPETITIONS} repetitions, not {REPETITIONS}")
    options = parser.parse_args(arguments)

    found = find_cases()
    chosen = select_cases(found, options.names)
    if not chosen:
        known = [module + ": " + ", ".join(case.name for case in cases) for module, cases in found.items()]
        wanted = " or ".join(map(repr, options.names)) or "anything"
        print(f"no benchmark is called {wanted}; there are:", *(known or ["none"]), sep="\n  ", file=sys.stderr)
        return 2

    repetitions = QUICK_REPETITIONS if options.quick else REPETITIONS
    machine = f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}"
    print(f"{machine}, {repetitions} repetitions")
    print("CPU time on one core; ratio = cost of one unit in calibration loops (compare this between machines)")
    for module, cases in chosen.items():
        print()
        print(format_table(module, measure(cases, repetitions)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
