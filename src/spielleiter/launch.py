"""Start a Python program almost as Python would, with ``python -P -m spielleiter.launch FILE``.

There is one difference. The folder of the program comes after Python's own modules in ``sys.path``,
not before them, and this package is already there. So a ``random.py`` beside a bot breaks nothing.
This module imports nothing that the program does not need.
"""

# pathlib imports much that a file beside the program may hide:
# ruff: noqa: PTH100, PTH120, PTH123
from __future__ import annotations

import builtins
import os
import sys

from spielleiter.shadows import add_folder

_replaced = sys.modules["__main__"]
"""Kept, because this may be running as it."""


def start(path: str) -> None:
    """Run the file as ``__main__`` and let through what it raises."""
    path = os.path.abspath(path)
    sys.argv[0] = path
    add_folder(os.path.dirname(path))
    main = type(sys)("__main__")
    main.__dict__.update(__file__=path, __builtins__=builtins)
    sys.modules["__main__"] = (
        main  # for as long as the process lives: threads and exit handlers may look there
    )
    with open(path, "rb") as file:
        source = file.read()
    exec(compile(source, path, "exec", dont_inherit=True), main.__dict__)  # noqa: S102


def _main() -> None:
    if len(sys.argv) < 2:
        sys.exit("usage: python -P -m spielleiter.launch FILE [ARGUMENT ...]")
    del sys.argv[0]
    try:
        start(sys.argv[0])
    except Exception as error:
        trace = error.__traceback__  # which is to be as short as without us
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        sys.exit(1)


if __name__ == "__main__":
    _main()
