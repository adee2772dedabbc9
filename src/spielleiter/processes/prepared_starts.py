"""Let bots begin in forks of a Python that has loaded what they need, as if it had just started.

``keeper`` forks, and uses this where it was told to prepare. What there is to load is named by
whoever starts bots and is not known here.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import os
import runpy
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn


def prepare(function: str, *words: str) -> None:
    """Call ``MODULE:FUNCTION`` with these words, which loads what bots need."""
    module, _, name = function.partition(":")
    getattr(importlib.import_module(module), name)(*words)
    gc.collect()
    gc.freeze()  # a collection in a bot would copy every page that it looks at


def become_bot(environment: Mapping[bytes, bytes]) -> None:
    """Put this process into the state in which Python would have started a bot."""
    for name in ("SIGTERM", "SIGHUP", "SIGCHLD", "SIGINT"):
        number = getattr(signal, name)
        if signal.getsignal(number) is not signal.SIG_IGN or name == "SIGCHLD":
            usual = signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL
            signal.signal(number, usual)
    # Only what differs, because to set everything anew takes as long as all the rest here.
    for variable in [key for key in os.environb if key not in environment]:
        del os.environb[variable]
    changed = {key: word for key, word in environment.items() if os.environb.get(key) != word}
    os.environb.update(changed)


def run_bot(module: str, argv: Sequence[str]) -> NoReturn:
    """Do what ``python -m`` does, but leave it to the system to free the memory at the end."""
    sys.argv = [module, *argv[argv.index("-m") + 2 :]]
    code: Any = None
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as ending:
        code = ending.code
        if code is not None and not isinstance(code, int):
            print(code, file=sys.stderr)  # noqa: T201
            code = 1
    # What Python does before it frees everything, which takes longer than a short match.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit((code or 0) & 0xFF)
