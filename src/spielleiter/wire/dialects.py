"""Describe what servers and seasons spell or do differently around a game.

Everything here is about rooms and requests, nothing about positions and moves. What one season does
is a record of its game, in ``games/*/wire/dialects.py``, made with ``replace`` from one of the two
here, and its codec has it as ``Codec.dialect``. German sentences of a season are the official ones,
letter by letter. The English ones beside them are ours.
"""

from __future__ import annotations

from enum import Enum

from spielleiter.rules import Departure, Text
from spielleiter.rules.frozen import frozen, replace

_DEPARTURES = {
    Departure.LOST_CONNECTION: "its connection was closed",
    Departure.RECEIVED_DISCONNECT: "it said goodbye before the end",
    Departure.PROTOCOL_ERROR: "it sent something that cannot be read",
    Departure.NOT_CONNECTED: "it never came",
}
"""The same in English, for sentences of our own that have named the player already."""


class JoinNotice(Enum):
    """What ``joinedGameRoom`` tells an administrator beside the room."""

    EXISTING = "existing"
    PLAYER_COUNT = "playerCount"
    BOTH = "both"


@frozen
class Dialect:
    """One way to spell and do what surrounds a game.

    The texts are templates, which the methods fill in.
    """

    # Names on the wire.
    move_request_class: str
    welcome_upper: bool
    """Colour of the welcome message in upper case (W28)."""
    close_tag: str
    original_tag: str
    """Child of a room's error that repeats what was wrong."""
    join_notice: JoinNotice
    has_paused_notice: bool
    error_in_room: bool
    """Whether a room's error is an ``<error>`` that holds the request, not a ``<data>`` (W87)."""
    end_in_state: bool
    """Whether a last state says how it ended, also where no move led to the end (H25)."""
    replays_hold_errors: bool
    """Whether a replay tells about the illegal move that ended its game."""
    paused_notice_first: bool
    """Whether observers hear that a game goes on before they see its state, instead of after."""

    # Names a client of this season writes.
    password_attribute: str
    pause_on_slots: bool
    """``shouldBePaused`` on each slot instead of ``pause`` on ``prepare``."""
    slot_has_reserved: bool
    client_says_close: bool
    """Whether a client sends the close tag before it closes the root."""
    hints_documented: bool
    """Whether the documents know hints in moves, also where the official server drops who sends
    them (W11).
    """

    # Habits.
    joined_when_full: bool
    """``joined`` for a prepared seat comes when all seats are taken, instead of at once (W42)."""
    default_display_name: str
    observers_see_pauses: bool
    """Whether observers get the states of a paused game that players do not get yet."""
    paused_start_shown: bool
    """Whether a paused game shows its first state, so that only the request waits (W85)."""

    # Why a seat lost, as its result says.
    left_text: Text
    soft_timeout_text: Text
    hard_timeout_text: Text
    disorder_text: Text

    # Messages of a room's error.
    seat_labels: tuple[str, ...]
    label_format: str
    out_of_turn_format: str
    unrequested_format: str

    def welcome_color(self, color: str) -> str:
        """Return a seat's name in the case of the welcome message."""
        return color.upper() if self.welcome_upper else color.lower()

    def left_reason(self, name: str, departure: Departure = Departure.LOST_CONNECTION) -> Text:
        """Say why a seat whose player went away has lost. ``name`` is what ``called`` returns."""
        return self.left_text.format(
            name=name, departure=departure.value, how=_DEPARTURES[departure]
        )

    def soft_timeout_reason(self, name: str, seconds: float) -> Text:
        """Say why a seat has lost whose move came after ``seconds``, the soft limit."""
        return self.soft_timeout_text.format(name=name, seconds=_seconds(seconds))

    def hard_timeout_reason(self, name: str, seconds: float) -> Text:
        """Say why a seat has lost that sent no move within ``seconds``, the hard limit (W43)."""
        return self.hard_timeout_text.format(name=name, seconds=_seconds(seconds))

    def disorder_reason(self, name: str, message: str) -> Text:
        """Say why a seat has lost that moved out of turn or unasked.

        ``message`` is what the error said.
        """
        return self.disorder_text.format(name=name, message=message)

    def called(self, seat: int, name: str) -> str:
        """Return what the reasons call a player.

        That is the display name, or the team if the name is blank.
        """
        return name if name.strip() else self.seat_labels[seat]

    def label(self, seat: int, name: str) -> str:
        """Return what the error messages call a player, such as ``Team 2(p2)``."""
        return self.label_format.format(label=self.seat_labels[seat], name=name)

    def out_of_turn(self, expected: str | None, actual: str, move: str) -> str:
        """Return the error text for a player who moved out of turn.

        Players as labels, None before the start; ``move`` as described.
        """
        return self.out_of_turn_format.format(expected=expected or "null", actual=actual, move=move)

    def unrequested(self, label: str) -> str:
        """Return the error text for a player who moved before the server asked."""
        return self.unrequested_format.format(label=label)


def _seconds(value: float) -> str:
    return f"{value:g}"


CLOSE_TAGS = frozenset(
    {"sc.protocol.responses.CloseConnection", "sc.protocol.CloseConnection", "close"}
)
"""Every tag that says that one end closes. All are understood from everyone (W48)."""

MOVE_REQUEST_CLASSES = frozenset({"sc.framework.plugins.protocol.MoveRequest", "moveRequest"})
"""Every name of the request for a move. A client understands all of them."""

BASE = Dialect(
    move_request_class="moveRequest",
    welcome_upper=True,
    close_tag="close",
    original_tag="originalMessage",
    join_notice=JoinNotice.PLAYER_COUNT,
    has_paused_notice=True,
    error_in_room=False,
    end_in_state=False,
    replays_hold_errors=True,
    paused_notice_first=True,
    password_attribute="password",  # noqa: S106 - the name of an attribute
    pause_on_slots=False,
    slot_has_reserved=True,
    client_says_close=True,
    hints_documented=False,
    joined_when_full=False,
    default_display_name="",
    observers_see_pauses=True,
    paused_start_shown=False,
    left_text=Text("{name} hat das Spiel verlassen: {departure}", "{how}"),
    soft_timeout_text=Text(
        "{name} hat für die Antwort auf die Zugaufforderung länger als {seconds} Sekunden "
        "gebraucht.",
        "{name} took more than {seconds} seconds to answer the request for a move.",
    ),
    hard_timeout_text=Text(
        "{name} hat innerhalb von {seconds} Sekunden nach Aufforderung keinen Zug gesendet.",
        "{name} did not send a move within {seconds} seconds of being asked.",
    ),
    disorder_text=Text(
        "Missachtung des Spielablaufs von {name}: {message}",
        "it moved without being asked: {message}",
    ),
    seat_labels=("ONE", "TWO"),
    label_format="{label}({name})",
    out_of_turn_format="It's not your turn yet; expected: {expected}, got {actual} (msg was "
    "{move}).",
    unrequested_format="Move from {label} has not been requested.",
)
"""The protocol of today, for a new game and for what is written before any game is known."""

_LEFT = "Der Spieler hat das Spiel verlassen"
_TIMEOUT = Text(
    "Der Spieler hat innerhalb von {seconds} Sekunden nach Aufforderung keinen Zug gesendet",
    "The player did not send a move within {seconds} seconds of being asked",
)

EARLIER = replace(
    BASE,
    move_request_class="sc.framework.plugins.protocol.MoveRequest",
    welcome_upper=False,
    close_tag="sc.protocol.responses.CloseConnection",
    original_tag="originalRequest",
    has_paused_notice=False,
    replays_hold_errors=False,
    paused_notice_first=False,
    pause_on_slots=True,
    slot_has_reserved=False,
    client_says_close=False,
    hints_documented=True,
    joined_when_full=True,
    default_display_name="Unknown",
    paused_start_shown=True,
    left_text=Text(_LEFT, "{how}"),
    soft_timeout_text=_TIMEOUT,
    hard_timeout_text=_TIMEOUT,
    disorder_text=Text(_LEFT, "it moved without being asked"),
)
"""What the official servers up to 2021 have in common, whatever game they serve."""
