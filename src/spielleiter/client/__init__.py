"""The SDK for players, with which bots are written. It needs the standard library only.

``Bot`` and ``run`` are all that most authors need. ``PlayerSession`` is the same without I/O, for
programs that bring their own. ``AdminClient`` (in ``client.admin``) prepares and watches games.
"""

from spielleiter.client.bot import Bot, BotMistake, Debug, Mark, make_bot
from spielleiter.client.clock import MoveClock
from spielleiter.client.exits import Exit
from spielleiter.client.runner import run, run_match
from spielleiter.client.session import PlayerSession
from spielleiter.rules import Clock

__all__ = [
    "Bot",
    "BotMistake",
    "Clock",
    "Debug",
    "Exit",
    "Mark",
    "MoveClock",
    "PlayerSession",
    "make_bot",
    "run",
    "run_match",
]
