"""The exit codes of a bot's process. The help of every bot lists them (see ``arguments``)."""

from __future__ import annotations

from spielleiter.exit_codes import ExplainedCode


class Exit(ExplainedCode):
    """Exit codes of ``run``, each with the ``meaning`` that the help of a bot tells."""

    OK = 0, "the game was played to a result, won or lost"
    BOT_FAILED = 1, "the bot failed: no move, an illegal move, out of time, or a fault in it"
    USAGE = 2, "the command line or the bot itself cannot be used"
    NO_SERVER = 3, "no server answers there"
    REFUSED = 4, "the server refused us: reservation, room or game unknown"
    SERVER_GONE = 5, "the server went away before the game was over"
    OTHER_GAME = 6, "the room plays another game than the bot, or one that is not known here"
    INTERRUPTED = 130, "interrupted with Ctrl+C"


class Failure(Exception):
    """A game could not be played.

    The failure carries a line of what is wrong, one of what to do, and an exit code.
    """

    def __init__(self, code: Exit, problem: str, advice: str = "") -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.advice = advice
