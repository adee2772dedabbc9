"""What a bot's process ends with. The help of every bot lists the numbers; see ``arguments``."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of ``run``."""

    OK = 0
    BOT_FAILED = 1
    USAGE = 2
    NO_SERVER = 3
    REFUSED = 4
    SERVER_GONE = 5
    OTHER_GAME = 6
    INTERRUPTED = 130


class Failure(Exception):
    """Why a game could not be played: one line of what is wrong, one of what to do, and an exit
    code.
    """

    def __init__(self, code: Exit, problem: str, advice: str = "") -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.advice = advice
