"""Spielleiter is a referee server, player SDK and arena for the Software-Challenge Germany.

The types of the names offered here are in ``__init__.pyi``: an import of the SDK in this file, even
one for type checkers only, would tie everything that asks for the version to it.
"""

import sys

# Before anything that an older Python cannot read; so this file keeps to what Python 3.8
# understands.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.stderr.write(
        f"spielleiter: Python 3.11 or newer is needed, and this is {sys.version.split()[0]}\n"
    )
    sys.stderr.write(
        f"  choose a newer Python than {sys.executable}; in the contest, a newer image\n"
    )
    sys.exit(2)

from spielleiter.shadows import guard_import as _guard_import

_guard_import()

__version__ = "0.1.0"

__all__ = ["Bot", "Clock", "Exit", "MoveClock", "__version__", "run"]


def __getattr__(name: str) -> object:
    """Load a name of the SDK when it is first used.

    A server or a command does not pay for them.
    """
    if name in __all__:
        from importlib import import_module

        return getattr(import_module("spielleiter.client"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
