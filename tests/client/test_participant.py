"""What a bot says while nothing happens, with a server that says what it is told to say."""

from __future__ import annotations

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
        self.texts = list(texts)

    def send(self, data: bytes) -> bool:
        return True

    def receive(self, timeout: float | None = None) -> Arrival | None:
        if not self.texts:
            return Arrival(0.0, b"")
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
