"""Games with a bot that a script plays as the server, and what the bot said."""

from __future__ import annotations

from spielleiter.client import Bot, run_match
from spielleiter.games import get_game
from spielleiter.testing import ScriptedServer, close, expect, expect_end, send

HEAD = (
    '<protocol>\n  <joined roomId="r"/>\n  <room roomId="r">\n    <data '
    'class="welcomeMessage" color="ONE"/>\n  </room>'
)
ASK = '\n  <room roomId="r">\n    <data class="moveRequest"/>\n  </room>'
LEFT = '\n  <left roomId="r"/>'
GAME = get_game("blokus-2027")
CODEC = GAME.codecs["2027"]


def memento(state) -> str:
    return (
        '\n<room roomId="r"><data '
        f'class="memento">{CODEC.encode_state(state, ("", ""))}</data></room>'
    )


def result(state) -> str:
    return f'\n<room roomId="r">{CODEC.encode_outcome(state.outcome(), state, ("a", "b"))}</room>'


START = GAME.start(1)
AFTER = START.play(START.legal_moves()[0])
ONE_MOVE = [expect("join"), send(HEAD + memento(START) + ASK), expect("room")]
"""A game in which one move is asked for."""
ILLEGAL = AFTER.legal_moves()[-1]  # of the other colour
ENDING = [send(memento(AFTER) + result(AFTER) + LEFT), expect_end(), close()]


class First(Bot):
    """Plays the first legal move."""

    def choose(self, state, clock):
        return state.legal_moves()[0]


class WithFallback(First):
    def fallback(self, state):
        return state.legal_moves()[1]


def broken(base, value=None, error=None):
    class Broken(base):
        def choose(self, state, clock):
            if error is not None:
                raise error
            return value(state) if callable(value) else value

    return Broken


def played(bot, script, *argv: str) -> tuple[int, ScriptedServer]:
    with ScriptedServer(script) as server:
        code = run_match(bot, [*server.address, *argv])
        server.wait()
    return code, server


def lines(capsys) -> str:
    return capsys.readouterr().err


def one_line(capsys) -> str:
    said = lines(capsys)
    assert said.count("\n") == 1
    return said
