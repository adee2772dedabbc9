"""Read what servers say as messages, and write messages as an official server would send them.

Reading is tolerant, because clients must be. What is unknown or cannot be read becomes an
UnknownServerMessage, never an error. Writing keeps the layout of the official servers, because some
clients wait for a blank before ``</room>``, and others cut the stream with patterns that know only
self-closed ``joined`` and ``left``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from spielleiter.rules.frozen import replace
from spielleiter.wire.dialects import CLOSE_TAGS, MOVE_REQUEST_CLASSES, Dialect, JoinNotice
from spielleiter.wire.elements import Element, encode_element, escape, indent, quote
from spielleiter.wire.errors import BadMessage
from spielleiter.wire.messages import (
    ErrorPacket,
    Joined,
    JoinedGameRoom,
    Left,
    Memento,
    MoveRequest,
    Observed,
    PausedNotice,
    PlayerScore,
    PlayerScores,
    Prepared,
    Response,
    ResultMessage,
    RoomError,
    ScoreValue,
    ServerClose,
    Testing,
    UnknownServerMessage,
    Welcome,
    WrittenResponse,
)
from spielleiter.wire.values import flag, number, optional, required
from spielleiter.wire.writer import room

_SECONDS = re.compile(r"\d{1,9}\.\d{3}", re.ASCII)


# --- reading --------------------------------------------------------------------------------------


def decode_response(element: Element) -> Response:
    """Read a response. Never raises, see UnknownServerMessage."""
    read = _READERS.get(element.tag)
    if read is None:
        return UnknownServerMessage(element, f"unknown message <{element.tag}>")
    try:
        return read(element)
    except BadMessage as error:
        return UnknownServerMessage(element, error.reason)


def _room(element: Element) -> Response:
    room_id = required(element, "roomId")
    data = element.find("data")
    if data is None:
        state = element.find("state")
        if state is not None:  # the form of the welcome in the documents of 2021 (W88)
            return Memento(room_id, state)
        data = element.find("error")  # the form of the 2018 document (W87)
        if data is None:
            return UnknownServerMessage(element, "a room message without <data>")
        return _error(room_id, data)
    kind = optional(data, "class") or ""
    read = _ROOM_READERS.get(kind)
    if read is None:
        return UnknownServerMessage(element, f"unknown room message of class {kind!r}")
    return read(room_id, data)


def _memento(room_id: str, data: Element) -> Memento[Element]:
    state = data.find("state")
    if state is None:
        raise BadMessage("room/data/state", "is missing")
    return Memento(room_id, state, _seconds(optional(data, "seconds")))


def _seconds(text: str | None) -> float | None:
    """Read an attribute of ours.

    Whatever else stands there is somebody else's and means nothing.
    """
    return float(text) if text is not None and _SECONDS.fullmatch(text) else None


def _error(room_id: str, data: Element) -> RoomError[Element]:
    original = _original(data)
    if original is not None:
        # In the form of the 2018 document the request itself is in it (W87).
        is_wrapped = data.tag == "error" and original.children and not original.attributes
        original = original.children[0] if is_wrapped else replace(original, tag="data")
    return RoomError(room_id, optional(data, "message") or "", original)


def _error_packet(element: Element) -> ErrorPacket:
    return ErrorPacket(optional(element, "message") or "", _request(_original(element)))


def _request(original: Element | None) -> Element | None:
    """Return the request that an errorpacket repeats, under its own name again."""
    if original is None:
        return None
    attributes = dict(original.attributes)
    tag = attributes.pop("class", None)
    if tag is not None:
        return replace(original, tag=tag, attributes=attributes)
    return original.children[0] if original.children else None


def _original(element: Element) -> Element | None:
    return element.find("originalMessage") or element.find("originalRequest")


def _paused(room_id: str, data: Element) -> PausedNotice:
    return PausedNotice(room_id, flag(data, "paused", False, "room/data"))


def _joined_game_room(element: Element) -> JoinedGameRoom:
    return JoinedGameRoom(
        required(element, "roomId"), flag(element, "existing", None), number(element, "playerCount")
    )


def _prepared(element: Element) -> Prepared:
    codes = tuple(child.text.strip() for child in element.all("reservation"))
    return Prepared(required(element, "roomId"), codes)


def _player_scores(element: Element) -> PlayerScores:
    return PlayerScores(tuple(_player_score(score) for score in element.all("score")))


def _player_score(element: Element) -> PlayerScore:
    return PlayerScore(
        required(element, "displayName"),
        number(element, "numberOfTests") or 0,
        tuple(_score_value(values) for values in element.all("values")),
    )


def _score_value(element: Element) -> ScoreValue:
    fragment = element.find("fragment") or Element("fragment")
    relevant = _text(fragment, "relevantForRanking").lower() == "true"
    return ScoreValue(
        optional(fragment, "name") or "",
        _text(fragment, "aggregation"),
        relevant,
        _text(element, "value"),
    )


def _text(element: Element, tag: str) -> str:
    child = element.find(tag)
    return "" if child is None else child.text.strip()


_ROOM_READERS: Mapping[str, Callable[[str, Element], Response]] = {
    "memento": _memento,
    "result": ResultMessage,
    "error": _error,
    "paused": _paused,
    "welcomeMessage": lambda room_id, data: Welcome(room_id, required(data, "color", "room/data")),
    **{name: (lambda room_id, _: MoveRequest(room_id)) for name in MOVE_REQUEST_CLASSES},
}

_READERS: Mapping[str, Callable[[Element], Response]] = {
    "room": _room,
    "joined": lambda element: Joined(required(element, "roomId")),
    "left": lambda element: Left(required(element, "roomId")),
    "observed": lambda element: Observed(required(element, "roomId")),
    "joinedGameRoom": _joined_game_room,
    "prepared": _prepared,
    "testing": lambda element: Testing(flag(element, "testMode", False)),
    "playerScore": _player_scores,
    "errorpacket": _error_packet,
    **{tag: (lambda _: ServerClose()) for tag in CLOSE_TAGS},
}

# --- writing --------------------------------------------------------------------------------------


def encode_response(message: Response | WrittenResponse, dialect: Dialect) -> str:
    """Return the packet as a server of that season writes it.

    It begins in column 0 and ends without a newline; ``writer.frame`` puts it in its place below
    the root. What the dialect does not say, such as ``existing`` today, is left out.
    """
    try:
        write = _WRITERS[type(message)]
    except KeyError:
        raise TypeError(f"{message!r} is not a response that a server writes") from None
    return write(message, dialect)


def _write_joined_game_room(message: JoinedGameRoom, dialect: Dialect) -> str:
    notice, existing, count = dialect.join_notice, message.existing, message.player_count
    head = f"joinedGameRoom roomId={quote(message.room_id)}"
    if existing is not None and notice is not JoinNotice.PLAYER_COUNT:
        head += f" existing={_flag(existing)}"
    if count is not None and notice is not JoinNotice.EXISTING:
        head += f' playerCount="{count}"'
    return f"<{head}/>"


def _write_prepared(message: Prepared, _: Dialect) -> str:
    codes = (_leaf("reservation", code) for code in message.reservations)
    return _nested(f"prepared roomId={quote(message.room_id)}", codes)


def _write_welcome(message: Welcome, dialect: Dialect) -> str:
    color = quote(dialect.welcome_color(message.color))
    return room(message.room_id, f'<data class="welcomeMessage" color={color}/>')


def _write_memento(message: Memento[Element | str], _: Dialect) -> str:
    # A server writes nothing as often and as long as this, so its text is shifted once only.
    took = "" if message.seconds is None else f' seconds="{message.seconds:.3f}"'
    return (
        f'<room roomId={quote(message.room_id)}>\n  <data class="memento"{took}>\n'
        f"{indent(_part(message.state), 2)}\n  </data>\n</room>"
    )


def _write_room_error(message: RoomError[Element | str], dialect: Dialect) -> str:
    original = message.original
    if isinstance(original, Element):
        original = encode_element(replace(original, tag=dialect.original_tag))
    children = () if original is None else (original,)
    said = f"message={quote(message.message)}"
    if dialect.error_in_room:
        wrapped = (_nested("originalRequest", children),) if children else ()
        return room(message.room_id, _nested(f"error {said}", wrapped))
    return room(message.room_id, _nested(f'data class="error" {said}', children))


def _write_error_packet(message: ErrorPacket, _: Dialect) -> str:
    head = f"errorpacket message={quote(message.message)}"
    request = message.original
    if request is None:
        return f"<{head}/>"
    attributes = {name: value for name, value in request.attributes.items() if name != "class"}
    original = replace(
        request, tag="originalRequest", attributes={"class": request.tag, **attributes}
    )
    return _nested(head, (encode_element(original),))


def _write_player_scores(message: PlayerScores, _: Dialect) -> str:
    return _nested("playerScore", (_score(score) for score in message.scores))


def _score(score: PlayerScore) -> str:
    head = f'score displayName={quote(score.display_name)} numberOfTests="{score.tests}"'
    return _nested(head, (_values(value) for value in score.values))


def _values(value: ScoreValue) -> str:
    fragment = _nested(
        f"fragment name={quote(value.name)}",
        (
            _leaf("aggregation", value.aggregation),
            _leaf("relevantForRanking", "true" if value.relevant else "false"),
        ),
    )
    return _nested("values", (fragment, _leaf("value", value.value)))


def _part(part: Element | str) -> str:
    return part if isinstance(part, str) else encode_element(part)


def _nested(head: str, children: Iterable[str]) -> str:
    """Return an element from its opening tag's inside and its children, each in column 0."""
    inside = "\n".join(indent(child, 1) for child in children)
    return f"<{head}>\n{inside}\n</{head.split(' ', 1)[0]}>" if inside else f"<{head}/>"


def _leaf(tag: str, text: str) -> str:
    return f"<{tag}>{escape(text)}</{tag}>"


def _flag(value: bool) -> str:
    return '"true"' if value else '"false"'


_WRITERS: Mapping[type, Callable[[Any, Dialect], str]] = {
    Joined: lambda message, _: f"<joined roomId={quote(message.room_id)}/>",
    Left: lambda message, _: f"<left roomId={quote(message.room_id)}/>",
    Observed: lambda message, _: f"<observed roomId={quote(message.room_id)}/>",
    JoinedGameRoom: _write_joined_game_room,
    Prepared: _write_prepared,
    Welcome: _write_welcome,
    Memento: _write_memento,
    MoveRequest: lambda message, dialect: room(
        message.room_id, f'<data class="{dialect.move_request_class}"/>'
    ),
    PausedNotice: lambda message, _: room(
        message.room_id, f'<data class="paused" paused={_flag(message.paused)}/>'
    ),
    RoomError: _write_room_error,
    ResultMessage: lambda message, _: room(message.room_id, _part(message.data)),
    ErrorPacket: _write_error_packet,
    Testing: lambda message, _: f"<testing testMode={_flag(message.on)}/>",
    PlayerScores: _write_player_scores,
    ServerClose: lambda _, dialect: f"<{dialect.close_tag}/>",
}
