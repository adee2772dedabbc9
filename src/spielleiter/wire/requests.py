"""Read what clients say as messages, and write messages as an official client would send them.

Reading is liberal as the documents ask. Order and unknown attributes do not matter, and every
documented form is read whatever the season. It is strict where silence would hide a mistake, so
that a number or flag that cannot be read is refused (W46).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from spielleiter.rules.frozen import frozen
from spielleiter.wire.dialects import BASE, CLOSE_TAGS, Dialect
from spielleiter.wire.elements import Element, encode_element
from spielleiter.wire.errors import BadMessage, UnknownMessage
from spielleiter.wire.messages import (
    Authenticate,
    Cancel,
    CloseRequest,
    FreeReservation,
    Join,
    JoinPrepared,
    JoinRoom,
    LeaveRoom,
    Observe,
    Pause,
    Prepare,
    Request,
    RoomMessage,
    ScoreForPlayer,
    Slot,
    Step,
    TestMode,
    Timeout,
)
from spielleiter.wire.values import flag, number, optional, required
from spielleiter.wire.writer import room


@frozen
class Decoded:
    """A request, and the paths of the elements in it that nobody knows.

    Those are logged. A newer season may have them, so they are not held against the client.
    """

    message: Request
    discarded: tuple[str, ...] = ()


def decode_request(element: Element) -> Decoded:
    """Read a request.

    Raises UnknownMessage or BadMessage, and the stream is still good after either.
    """
    tag = element.tag
    try:
        read, children = _READERS[tag]
    except KeyError:
        raise UnknownMessage(tag, _KNOWN) from None
    if not element.children:
        return Decoded(read(element))
    discarded: list[str] = []
    seen: set[str] = set()
    for child in element.children:
        # Where a child may stand once, the first one counts, and a second is as good as unknown.
        if child.tag not in children or (child.tag in seen and not children[child.tag]):
            discarded.append(f"{tag}/{child.tag}")
        elif child.tag == "slot":
            discarded += [f"{tag}/slot/{inner.tag}" for inner in child.children]
        seen.add(child.tag)
    return Decoded(read(element), tuple(discarded))


def _join(element: Element) -> Join:
    return Join(optional(element, "gameType"), optional(element, "revision"))


def _join_room(element: Element) -> JoinRoom:
    return JoinRoom(required(element, "roomId"), optional(element, "revision"))


def _join_prepared(element: Element) -> JoinPrepared:
    return JoinPrepared(required(element, "reservationCode"), optional(element, "revision"))


def _authenticate(element: Element) -> Authenticate:
    password = optional(element, "password")
    if password is None:
        password = optional(element, "passphrase")  # W47
    if password is None:
        raise BadMessage(
            "authenticate@password", "is missing; 2018 calls it passphrase, which is read too"
        )
    return Authenticate(password, optional(element, "revision"))


def _prepare(element: Element) -> Prepare:
    slots = list(element.all("slot"))
    paused = flag(element, "pause", None)
    if paused is None:  # the older documents have it on the slots (W44)
        paused = any(flag(slot, "shouldBePaused", False, "prepare/slot") for slot in slots)
    return Prepare(
        game_type=required(element, "gameType"),
        paused=paused,
        slots=tuple(_slot(slot) for slot in slots),
        load=element.find("loadGameInfo"),
        revision=optional(element, "revision"),
        seed=number(element, "seed"),
        variant=optional(element, "variant"),
        load_file=optional(element, "load"),
        turn=number(element, "turn"),
    )


def _slot(element: Element) -> Slot:
    where = "prepare/slot"
    return Slot(
        display_name=optional(element, "displayName") or "",
        can_timeout=flag(element, "canTimeout", True, where),  # W44
        reserved=flag(element, "reserved", True, where),  # W44
    )


def _room(element: Element) -> RoomMessage:
    return RoomMessage(required(element, "roomId"), element.find("data"))


def _timeout(element: Element) -> Timeout:
    slot = number(element, "slot")
    if slot is None or slot < 0:
        raise BadMessage("timeout@slot", "must be the number of a seat, from 0")
    return Timeout(required(element, "roomId"), slot, flag(element, "activate", False))


def _score_for_player(element: Element) -> ScoreForPlayer:
    return ScoreForPlayer(required(element, "displayName"), optional(element, "gameType"))


_ONE, _MANY = False, True
_NOTHING: Mapping[str, bool] = {}

_READERS: Mapping[str, tuple[Callable[[Element], Request], Mapping[str, bool]]] = {
    # tag: how to read it, and the children it may have, once or many times
    "join": (_join, _NOTHING),
    "joinRoom": (_join_room, _NOTHING),
    "joinPrepared": (_join_prepared, _NOTHING),
    "room": (_room, {"data": _ONE}),
    "authenticate": (_authenticate, _NOTHING),
    "prepare": (_prepare, {"slot": _MANY, "loadGameInfo": _ONE}),
    "observe": (lambda element: Observe(required(element, "roomId")), _NOTHING),
    # Missing flags are false here, as on every official server (W45).
    "pause": (
        lambda element: Pause(required(element, "roomId"), flag(element, "pause", False)),
        _NOTHING,
    ),
    "step": (
        lambda element: Step(required(element, "roomId"), flag(element, "forced", False)),
        _NOTHING,
    ),
    "cancel": (lambda element: Cancel(required(element, "roomId")), _NOTHING),
    "timeout": (_timeout, _NOTHING),
    "testMode": (lambda element: TestMode(flag(element, "testMode", False)), _NOTHING),
    "scoreForPlayer": (_score_for_player, _NOTHING),
    "freeReservation": (
        lambda element: FreeReservation(required(element, "reservation")),
        _NOTHING,
    ),
    "left": (lambda element: LeaveRoom(optional(element, "roomId")), _NOTHING),
    **{tag: (lambda _: CloseRequest(), _NOTHING) for tag in CLOSE_TAGS},
}
_KNOWN = sorted(tag for tag in _READERS if "." not in tag)


def encode_request(message: Request, dialect: Dialect = BASE) -> str:
    """Return the request as clients of that season write it, in column 0 like every packet.

    A move that a codec has written as text goes with ``writer.room`` instead.
    """
    return (
        encode_element(_element(message, dialect))
        if not isinstance(message, RoomMessage)
        else _room_text(message)
    )


def _room_text(message: RoomMessage) -> str:
    if message.data is None:
        return encode_element(Element("room", {"roomId": message.room_id}))
    return room(message.room_id, encode_element(message.data))


def _element(message: Request, dialect: Dialect) -> Element:
    match message:
        case Join(game_type, revision):
            return _simple("join", gameType=game_type, revision=revision)
        case JoinRoom(room_id, revision):
            return _simple("joinRoom", roomId=room_id, revision=revision)
        case JoinPrepared(code, revision):
            return _simple("joinPrepared", reservationCode=code, revision=revision)
        case LeaveRoom(room_id):
            return _simple("left", roomId=room_id)
        case CloseRequest():
            return Element(dialect.close_tag)
        case Authenticate(password, revision):
            return _simple(
                "authenticate", **{dialect.password_attribute: password, "revision": revision}
            )
        case Prepare():
            return _prepare_element(message, dialect)
        case Observe(room_id):
            return _simple("observe", roomId=room_id)
        case Pause(room_id, pause):
            return _simple("pause", roomId=room_id, pause=pause)
        case Step(room_id, forced):
            return _simple("step", roomId=room_id, forced=forced)
        case Cancel(room_id):
            return _simple("cancel", roomId=room_id)
        case Timeout(room_id, slot, activate):
            return _simple("timeout", roomId=room_id, activate=activate, slot=slot)
        case TestMode(on):
            return _simple("testMode", testMode=on)
        case ScoreForPlayer(display_name, game_type):
            return _simple("scoreForPlayer", displayName=display_name, gameType=game_type)
        case FreeReservation(code):
            return _simple("freeReservation", reservation=code)
        case _:
            raise TypeError(f"{message!r} is not a request")


def _prepare_element(message: Prepare, dialect: Dialect) -> Element:
    on_slots = dialect.pause_on_slots
    # In a season without ``reserved`` every seat is reserved. Only an open one has to be said.
    element = _simple(
        "prepare",
        gameType=message.game_type,
        # An older dialect has no slot to say it on if there is none.
        pause=message.paused if not on_slots or not message.slots else None,
        revision=message.revision,
        seed=message.seed,
        variant=message.variant,
        load=message.load_file,
        turn=message.turn,
    )
    element.children.extend(
        _simple(
            "slot",
            displayName=slot.display_name,
            canTimeout=slot.can_timeout,
            reserved=slot.reserved if dialect.slot_has_reserved or not slot.reserved else None,
            shouldBePaused=message.paused if on_slots else None,
        )
        for slot in message.slots
    )
    if message.load is not None:
        element.children.append(message.load)
    return element


def _simple(tag: str, **attributes: str | int | bool | None) -> Element:
    """Return an element with the attributes that have a value."""
    return Element(
        tag, {name: _text(value) for name, value in attributes.items() if value is not None}
    )


def _text(value: str | int | bool) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
