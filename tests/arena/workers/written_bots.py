"""Bots that tests write down as text, one file each."""

from __future__ import annotations

FIRST = "        return state.legal_moves()[0]\n"


def bot(choose: str = FIRST, above: str = "", more: str = "", end: str = "run(Mine)") -> str:
    """Return the file of a bot whose ``choose`` has this body."""
    head = f"import os, sys\nfrom spielleiter import Bot, run\n{above}\nclass Mine(Bot):\n{more}\n"
    return f"{head}    def choose(self, state, clock):\n{choose}\n{end}\n"
