"""Packets out, as text in the layout of the official servers. What they mean is decided elsewhere.

Every function gives one packet that begins in column 0 and ends without a newline; ``frame`` puts
it in its place below the root. The layout is not a matter of taste: some clients wait for a blank
before ``</room>``, others cut the stream with patterns that know only self-closed ``joined`` and
``left``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from spielleiter.wire.dialects import Dialect, JoinNotice
from spielleiter.wire.elements import Element, encode_element, escape, indent, quote
from spielleiter.wire.messages import PlayerScore

OPEN = "<protocol>"
"""Before the first packet; the official servers send it together with that."""
CLOSE = "\n</protocol>"


def frame(packet: str) -> bytes:
    """Return a packet as it goes over the wire, on a new line and one level in."""
    return ("\n" + indent(packet, 1)).encode("utf-8", "replace")


def encode_original(request: Element) -> str:
    """Return a request to be repeated in an errorpacket, where its own tag becomes ``class``."""
    attributes = {name: value for name, value in request.attributes.items() if name != "class"}
    return encode_element(
        replace(request, tag="originalRequest", attributes={"class": request.tag, **attributes})
    )


def replay_text(packets: Iterable[str]) -> str:
    """Return a replay file, with room packets in column 0, one after the other."""
    return OPEN + "\n" + "".join(packet + "\n" for packet in packets) + "</protocol>"


# --- outside a room -------------------------------------------------------------------------------


def joined(room_id: str) -> str:
    return f"<joined roomId={quote(room_id)}/>"


def left(room_id: str) -> str:
    return f"<left roomId={quote(room_id)}/>"


def observed(room_id: str) -> str:
    return f"<observed roomId={quote(room_id)}/>"


def joined_game_room(dialect: Dialect, room_id: str, *, existing: bool, player_count: int) -> str:
    notice = dialect.join_notice
    seen = "" if notice is JoinNotice.PLAYER_COUNT else f" existing={_flag(existing)}"
    count = "" if notice is JoinNotice.EXISTING else f' playerCount="{player_count}"'
    return f"<joinedGameRoom roomId={quote(room_id)}{seen}{count}/>"


def prepared(room_id: str, reservations: Iterable[str]) -> str:
    return _nested(
        f"prepared roomId={quote(room_id)}", (_leaf("reservation", code) for code in reservations)
    )


def testing(on: bool) -> str:
    return f"<testing testMode={_flag(on)}/>"


def player_score(scores: Iterable[PlayerScore]) -> str:
    return _nested("playerScore", (_score(score) for score in scores))


def error_packet(message: str, original: Element | str | None) -> str:
    """Write an errorpacket.

    ``original`` is the request as it came, or its text under the tag ``originalRequest``.
    """
    if isinstance(original, Element):
        original = encode_original(original)
    return _nested(f"errorpacket message={quote(message)}", () if original is None else (original,))


def close_element(dialect: Dialect) -> str:
    return f"<{dialect.close_tag}/>"


# --- in a room ------------------------------------------------------------------------------------


def room(room_id: str, data: str) -> str:
    """Wrap a ``<data class=...>`` element in column 0, a codec's move or result, for a room."""
    return f"<room roomId={quote(room_id)}>\n{indent(data, 1)}\n</room>"


def welcome(dialect: Dialect, room_id: str, color: str) -> str:
    return room(
        room_id, f'<data class="welcomeMessage" color={quote(dialect.welcome_color(color))}/>'
    )


def memento(room_id: str, state: str, seconds: float | None = None) -> str:
    """Write a position.

    ``state`` is a codec's ``<state>``, and ``seconds`` the last move took is an attribute of ours
    for replays.
    """
    took = "" if seconds is None else f' seconds="{seconds:.3f}"'
    return (
        f'<room roomId={quote(room_id)}>\n  <data class="memento"{took}>\n'
        f"{indent(state, 2)}\n  </data>\n</room>"
    )


def move_request(dialect: Dialect, room_id: str) -> str:
    return room(room_id, f'<data class="{dialect.move_request_class}"/>')


def paused_notice(room_id: str, paused: bool) -> str:
    return room(room_id, f'<data class="paused" paused={_flag(paused)}/>')


def room_error(
    dialect: Dialect, room_id: str, message: str, original: Element | str | None = None
) -> str:
    """Write a room's error.

    ``original`` is the ``<data>`` as it came, or a codec's move under the dialect's
    ``original_tag``.
    """
    if isinstance(original, Element):
        original = encode_element(replace(original, tag=dialect.original_tag))
    if dialect.error_in_room:
        request = () if original is None else (_nested("originalRequest", (original,)),)
        return room(room_id, _nested(f"error message={quote(message)}", request))
    head = f'data class="error" message={quote(message)}'
    return room(room_id, _nested(head, () if original is None else (original,)))


# --- pieces ---------------------------------------------------------------------------------------


def _score(score: PlayerScore) -> str:
    return _nested(
        f'score displayName={quote(score.display_name)} numberOfTests="{score.tests}"',
        (
            _nested(
                "values",
                (
                    _nested(
                        f"fragment name={quote(value.name)}",
                        (
                            _leaf("aggregation", value.aggregation),
                            _leaf("relevantForRanking", "true" if value.relevant else "false"),
                        ),
                    ),
                    _leaf("value", value.value),
                ),
            )
            for value in score.values
        ),
    )


def _nested(head: str, children: Iterable[str]) -> str:
    """Return an element from its opening tag's inside and its children, each in column 0."""
    inside = "\n".join(indent(child, 1) for child in children)
    return f"<{head}>\n{inside}\n</{head.split(' ', 1)[0]}>" if inside else f"<{head}/>"


def _leaf(tag: str, text: str) -> str:
    return f"<{tag}>{escape(text)}</{tag}>"


def _flag(value: bool) -> str:
    return '"true"' if value else '"false"'
