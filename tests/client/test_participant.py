"""What a bot says while nothing happens, with a server that says what it is told to say."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from spielleiter.client.bot import Bot
from spielleiter.client.connection import Arrival, ServerLink
from spielleiter.client.exits import Failure
from spielleiter.client.participant import Playing
from spielleiter.client.session import PlayerSession
from spielleiter.client.thinker import Thinker
from spielleiter.games import get_game
from spielleiter.wire import messages

GAME = get_game("blokus-2021")


class ScriptedLink(ServerLink):
    """Brings one text after the other, None for a while without one, and then the end."""

    def __init__(self, *texts: str | None) -> None:
        self.texts = [*texts, ""]

    def send(self, data: bytes) -> bool:
        return True

    def receive(self, timeout: float | None = None) -> Arrival | None:
        if not self.texts:
            return None
        text = self.texts.pop(0)
        if text is None:
            assert timeout is not None, "nobody waits for ever before they have said why"
            return None
        return Arrival(0.0, text.encode())

    def close(self, goodbye: bytes) -> None:
        """Do nothing."""


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ((None,), "is connected, waiting for the opponent"),
        (("<protocol>", None), "is connected, waiting for the opponent"),
        (
            ('<protocol>\n<joined roomId="r"/>', None),
            "has a seat, waiting for the opponent",
        ),
    ],
)
def test_who_waits_for_an_opponent_says_whether_they_have_a_seat(
    texts: tuple[str | None, ...], said: str
) -> None:
    spoken: list[str] = []
    join = messages.Join(GAME.game_type)
    playing = Playing(
        Thinker(Bot(), spoken.append),
        PlayerSession(join, GAME),
        join,
        ScriptedLink(*texts),
        move_seconds=2.0,
        notes=None,
        say=spoken.append,
        say_details=lambda line: None,
    )
    with pytest.raises(Failure):
        playing.play()
    assert spoken[0] == said


class CountingLink(ScriptedLink):
    """Counts how often it is read beside what the bot does."""

    spans = 0

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        self.spans += 1
        yield


class Watcher(Bot):
    def choose(self, state, clock):
        return state.legal_moves()[0]

    def on_state(self, state):
        self.seen = state


@pytest.mark.parametrize(("bot", "spans"), [(Watcher, 1), (Bot, 0)])
def test_what_comes_is_read_beside_a_hook_unless_a_move_is_asked_for(
    bot: type[Bot], spans: int
) -> None:
    """Then the time of the next request matters, and otherwise nothing that comes."""
    codec = GAME.codecs["2021-newest"]
    state = GAME.start(1)
    shown = '<room roomId="r"><data class="memento">{}</data></room>'
    asked = '<room roomId="r"><data class="sc.framework.plugins.protocol.MoveRequest"/></room>'
    join = messages.Join(GAME.game_type)
    link = CountingLink(
        '<protocol>\n<joined roomId="r"/>',
        shown.format(codec.encode_state(state, ("a", "b"))),
        shown.format(codec.encode_state(state, ("a", "b"))) + (asked if spans else ""),
    )
    playing = Playing(
        Thinker(bot(), lambda line: None),
        PlayerSession(join, GAME),
        join,
        link,
        move_seconds=2.0,
        notes=None,
        say=lambda line: None,
        say_details=lambda line: None,
    )
    with pytest.raises(Failure):
        playing.play()
    assert link.spans == spans
