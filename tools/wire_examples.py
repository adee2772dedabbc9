"""Make the examples of the wire for the pages in docs/protocol.

Clients have said them to the real server, and the server to them.

The server is that of the tests, without sockets and with a clock that is moved by hand, so every
run says the same. Nothing here writes XML by itself: requests come from the protocol's own writer,
moves from the games' codecs.
"""

from __future__ import annotations

import itertools
import random
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from uuid import UUID

from server.stage import Line, Stage, tag
from spielleiter.games import get_game
from spielleiter.games.blokus import Color, Piece, SetMove, SkipMove
from spielleiter.games.blokus.rules.pieces import FULL_HAND, Rotation
from spielleiter.games.blokus.rules.state import BlokusState
from spielleiter.games.hase_und_igel import (
    Advance,
    Card,
    EatSalad,
    ExchangeCarrots,
    FallBack,
    HareMove,
    PlayCard,
    Skip,
)
from spielleiter.rules import State
from spielleiter.wire import messages, writer
from spielleiter.wire.codec import Codec
from spielleiter.wire.dialects import Dialect
from spielleiter.wire.requests import encode_request
from spielleiter.wire.responses import encode_response

GAMES = {"2018": "hase-und-igel-2018", "2021": "blokus-2021", "2027": "blokus-2027"}
NAMES = ("Ada", "Bert")
PASSWORD = "examplepassword"

CLIENT, SERVER = "client", "server"


@dataclass(frozen=True, slots=True)
class Said:
    """One packet in column 0, who said it, and for packets of a game the codec that reads it."""

    who: str
    text: str
    codec: Codec[Any, Any] | None = None
    state: State[Any] | None = None
    """The position in which a move was sent."""


@dataclass
class Talk:
    """A conversation of several connections with one server.

    It keeps what everybody said, in order.
    """

    game_id: str
    revision: str
    paused: bool = False
    log: dict[str, list[Said]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.game = get_game(self.game_id)
        self.codec: Codec[Any, Any] = self.game.codecs[self.revision]
        self.dialect: Dialect = self.codec.dialect
        self._ids = map(_id, itertools.count())
        self.stage = Stage(
            new_id=lambda: next(self._ids), variants=(self.game_id,), revision=self.revision
        )
        self.stage.start_from(self.game.start(seed=1))
        self._lines: dict[str, Line] = {}

    def say(
        self, who: str, message: messages.Request | str, state: State[Any] | None = None
    ) -> list[Said]:
        """Send one packet, and return what the server says to this connection then."""
        packet = message if isinstance(message, str) else encode_request(message, self.dialect)
        if who not in self._lines:
            self._lines[who] = self.stage.line()
            self._lines[who].say(writer.OPEN)
            self.log[who] = []
        self.log[who].append(Said(CLIENT, packet, None if state is None else self.codec, state))
        self._lines[who].say(writer.frame(packet))
        return self.hear(who)

    def hear(self, who: str) -> list[Said]:
        """Note what the server has said to everybody, and give what is new for this one."""
        new: list[Said] = []
        for name, line in self._lines.items():
            said = [
                Said(SERVER, textwrap.dedent(packet.strip("\n")), self.codec)
                for packet in line.heard()
            ]
            self.log[name] += said
            if name == who:
                new = said
        return new

    def hang_up(self, who: str) -> None:
        """Close a connection without a word."""
        self._lines[who].hang_up()
        self.hear(who)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.stage.time.advance(seconds)
        self.hear("")

    @property
    def room(self) -> Any:
        return next(iter(self.stage.server.lobby.rooms.values()))

    def join(self) -> None:
        """Let two players join without a reservation, ``one`` and ``two``."""
        for _ in range(2):  # so that the room is called as in prepared games
            next(self._ids)
        self.say("one", messages.Join(self.game.game_type))
        self.say("two", messages.Join(self.game.game_type))

    def prepare(self, *, paused: bool) -> None:
        """Prepare a match as an administrator, watch it, and let two players take their seats."""
        self.say("admin", messages.Authenticate(PASSWORD))
        slots = tuple(messages.Slot(name) for name in NAMES)
        self.say("admin", messages.Prepare(self.game.game_type, paused, slots))
        codes = [seat.code for seat in self.room.seats]
        self.say("admin", messages.Observe(self.room.id))
        for who, code in zip(("one", "two"), codes, strict=True):
            self.say(who, messages.JoinPrepared(code))

    def move(self, move: Any = None, who: str | None = None) -> list[Said]:
        """Send a move of whoever is asked, or of ``who``, which is the largest if none is given."""
        room = self.room
        state = room.referee.state
        seat = room.referee.asked if who is None else ("one", "two").index(who)
        chosen = _pick(state) if move is None else move
        packet = writer.room(room.id, self.codec.encode_move(chosen))
        return self.say(("one", "two")[seat], packet, state)

    def play_out(self) -> None:
        """Play to the end."""
        while self.stage.server.lobby.rooms:
            self.move()

    def packets(self, who: str, kind: str) -> list[Said]:
        """Return what the server said to somebody, of one kind.

        A kind is an element's name, or the class of a room's data.
        """
        return [said for said in self.log[who] if said.who is SERVER and tag(said.text) == kind]


def _id(number: int) -> str:
    """Return an id. The codes of a prepared match are 0 and 1, its room is 2."""
    return str(UUID(int=random.Random(number + 1).getrandbits(128), version=4))


def _pick(state: State[Any]) -> Any:
    dice = random.Random(state.turn)
    moves = state.legal_moves()
    most = max(getattr(move, "size", 0) for move in moves)
    return dice.choice([move for move in moves if getattr(move, "size", 0) == most])


# What is shown of a packet ------------------------------------------------------------------------


def shorten(text: str, keep: int = 2) -> str:
    """Return the same packet, with runs of equal elements cut to the first few and the last one."""
    lines = text.split("\n")
    shown: list[str] = []
    for kind, run in itertools.groupby(lines, key=_kind):
        group = list(run)
        if kind and len(group) > keep + 3:
            left = len(group) - keep - 1
            pad = group[0][: len(group[0]) - len(group[0].lstrip())]
            group = [*group[:keep], f"{pad}<!-- {left} more -->", group[-1]]
        shown += group
    return "\n".join(shown)


def _kind(one: str) -> str:
    """Return the element that is whole on this line, so that neighbours of the same kind can be
    left out.
    """
    found = re.fullmatch(r"\s*<(\w+)(?:[^<>]*/>|[^<>]*>[^<>]*</\1>)", one)
    return found[1] if found else ""


def without_position(text: str) -> str:
    """Return the same packet with what is inside ``<state>`` left out."""
    return re.sub(r"(<state [^>]*>).*(</state>)", r"\1<!-- ... -->\2", text, flags=re.DOTALL)


def part(text: str, name: str) -> str:
    """Return one element of a packet, in column 0."""
    found = re.search(rf"^( *)<{name}\b(?:[^>]*/>|.*?^\1</{name}>)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError(f"there is no <{name}> in this packet")
    return textwrap.dedent(found[0])


def fenced(text: str) -> str:
    return f"```xml\n{text}\n```"


def _transcript(log: Iterable[Said], you: str = "you send") -> str:
    lines: list[str] = []
    speaker, opened = "", set()
    for said in log:
        if said.who != speaker:
            speaker = said.who
            lines.append(f"<!-- {you if speaker is CLIENT else 'the server sends'} -->")
        if speaker not in opened:
            opened.add(speaker)
            lines.append(writer.OPEN)
        lines.append(without_position(said.text))
    return "\n".join(lines)


# The conversations --------------------------------------------------------------------------------


@cache
def joined(season: str, revision: str) -> Talk:
    """Play a whole match of two players who just join."""
    talk = Talk(GAMES[season], revision)
    talk.join()
    talk.play_out()
    for who in ("one", "two"):
        talk.say(who, writer.CLOSE.strip())
    return talk


@cache
def prepared(season: str, revision: str) -> Talk:
    """Play a prepared match that begins paused, is stepped, goes on, and comes to its end."""
    talk = Talk(GAMES[season], revision)
    talk.prepare(paused=True)
    talk.say("admin", messages.Step(talk.room.id))
    talk.move()
    talk.say("admin", messages.Pause(talk.room.id, pause=False))
    talk.play_out()
    return talk


def _illegal(talk: Talk) -> Any:
    if talk.game_id.startswith("blokus"):
        state = talk.room.referee.state
        return SetMove(Color.BLUE, state.start_piece, Rotation.NONE, False, 8, 8)
    return HareMove((Advance(11),))


@cache
def faults(season: str, revision: str) -> Mapping[str, Talk]:
    """Matches that end because of somebody's mistake."""
    talks: dict[str, Talk] = {}

    def begun(name: str) -> Talk:
        talk = talks[name] = Talk(GAMES[season], revision)
        talk.prepare(paused=False)
        return talk

    talk = begun("violation")
    talk.move(_illegal(talk))
    talk = begun("out-of-turn")
    talk.move(_pick(talk.room.referee.state), who="two")
    talk = begun("unreadable")
    talk.say("one", writer.room(talk.room.id, '<data class="sc.plugin.Zug"/>'))
    talk = begun("soft")
    talk.wait(3)
    talk.move()
    talk = begun("hard")
    talk.wait(11)
    talk = begun("left")
    talk.hang_up("two")
    return talks


@cache
def administration(season: str, revision: str) -> Talk:
    """Make the requests of an administrator that are not part of a match.

    These are about test mode, scores, reservations and cancelling.
    """
    talk = Talk(GAMES[season], revision)
    talk.say("admin", messages.Authenticate(PASSWORD))
    talk.say("admin", messages.TestMode(on=True))
    slots = tuple(messages.Slot(name) for name in NAMES)
    for _ in range(2):
        talk.say("admin", messages.Prepare(talk.game.game_type, paused=False, slots=slots))
        room = talk.room
        for who, seat in zip(("one", "two"), room.seats, strict=True):
            talk.say(who, messages.JoinPrepared(seat.code))
        talk.say("admin", messages.Timeout(room.id, slot=1, activate=False))
        talk.move()
        talk.say("admin", messages.Pause(room.id, pause=True))
        talk.say("admin", messages.Cancel(room.id))
    talk.say("admin", messages.ScoreForPlayer(NAMES[0]))
    talk.say("admin", messages.ScoreForPlayer("Nobody"))
    talk.say("admin", messages.Prepare(talk.game.game_type, paused=False, slots=slots))
    talk.say("admin", messages.FreeReservation(talk.room.seats[1].code))
    talk.say("three", messages.Join(talk.game.game_type))
    return talk


@cache
def refusals() -> Mapping[str, Said]:
    """Requests that are not granted, each with the answer."""
    found: dict[str, Said] = {}

    def ask(name: str, packet: messages.Request | str) -> None:
        talk = Talk(GAMES["2021"], "2021-newest")
        talk.say("one", packet)
        talk.wait(60)  # a wrong password is not answered at once
        found[name] = talk.packets("one", "errorpacket")[0]

    ask("reservation", messages.JoinPrepared("1234"))
    ask("room", messages.JoinRoom("1234"))
    ask("game-type", messages.Join("swc_1999_chess"))
    ask("password", messages.Authenticate("guessed"))
    ask("not-admin", messages.Cancel("1234"))
    ask("unknown-message", "<hello/>")
    ask("broken", "<join></leave>")
    ask("flag", '<prepare gameType="swc_2021_blokus" pause="perhaps"/>')
    return found


# Positions and moves that a short match does not show ---------------------------------------------


def _blokus_moves(season: str, revision: str) -> Mapping[str, Said]:
    game = get_game(GAMES[season])
    state = game.start(seed=1)
    codec = game.codecs[revision]
    moves = {
        "set": SetMove(Color.YELLOW, Piece.PENTO_L, Rotation.RIGHT, True, 11, 4),
        "skip": SkipMove(Color.YELLOW),
    }
    return {name: _as_sent(codec, move, state) for name, move in moves.items()}


def _hare_moves(season: str, revision: str) -> Mapping[str, Said]:
    game = get_game(GAMES[season])
    state = game.start(seed=1)
    codec = game.codecs[revision]
    moves = {
        "advance": HareMove((Advance(6),)),
        "cards": HareMove(
            (Advance(3), PlayCard(Card.HURRY_AHEAD), PlayCard(Card.TAKE_OR_DROP_CARROTS, -20))
        ),
        "exchange": HareMove((ExchangeCarrots(10),)),
        "eat": HareMove((EatSalad(),)),
        "fall-back": HareMove((FallBack(),)),
        "skip": HareMove((Skip(),)),
    }
    return {name: _as_sent(codec, move, state) for name, move in moves.items()}


def _as_sent(codec: Codec[Any, Any], move: Any, state: State[Any]) -> Said:
    return Said(CLIENT, writer.room(_id(2), codec.encode_move(move)), codec, state)


def _with_hint(season: str, revision: str) -> Said:
    game = get_game(GAMES[season])
    codec = game.codecs[revision]
    state = game.start(seed=1)
    packet = writer.room(_id(2), codec.encode_move(_pick(state), ("depth 3", "value 17")))
    return Said(CLIENT, packet, codec, state)


def _mono(season: str, revision: str) -> Said:
    """Return a position in which BLUE has placed everything, MONO last.

    The board is empty, since only the list matters here.
    """
    game = get_game(GAMES[season])
    state = BlokusState.build(
        game,
        cells={},
        hands=(0, FULL_HAND, FULL_HAND, FULL_HAND),
        valid_colors=(Color.YELLOW, Color.RED, Color.GREEN),
        turn=81,
        start_piece=game.start(seed=1).start_piece,
        last_move=SetMove(Color.BLUE, Piece.MONO, Rotation.NONE, False, 9, 9),
        mono_last=1,
    )
    codec = game.codecs[revision]
    memento = messages.Memento(_id(2), codec.encode_state(state, NAMES))
    return Said(SERVER, encode_response(memento, codec.dialect), codec)


# All of it, by name -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Example:
    """What a page shows, and the packets it was made from, which a test reads back."""

    shown: str
    packets: tuple[Said, ...]


def _one(said: Said, *, short: bool = True) -> Example:
    return Example(fenced(shorten(said.text) if short else said.text), (said,))


def _of_match(season: str, revision: str) -> dict[str, Example]:
    """Return what the server and the players say in a match, by kind."""
    talk, joins = prepared(season, revision), joined(season, revision)
    states = talk.packets("one", "memento")
    asked = talk.dialect.move_request_class
    found = {
        "welcome": _one(talk.packets("one", "welcomeMessage")[0]),
        "first-state": _one(states[0]),
        "second-state": _one(
            next(said for said in states if re.search("<lastMove[ >]", said.text))
        ),
        "last-state": _one(states[-1]),
        "request": _one(talk.packets("one", asked)[0]),
        "result": _one(talk.packets("one", "result")[0]),
        "left": _one(talk.packets("one", "left")[0]),
        "joined": _one(joins.packets("one", "joined")[0]),
        "close": _one(Said(CLIENT, encode_request(messages.CloseRequest(), talk.dialect))),
        "hint": _one(_with_hint(season, revision)),
    }
    for name, fault in faults(season, revision).items():
        log = _since_fault(fault.log["two" if name == "out-of-turn" else "one"])
        shown = "\n".join(shorten(without_position(said.text)) for said in log)
        found[f"fault-{name}"] = Example(fenced(shown), log)
        result = next(said for said in log if tag(said.text) == "result")
        found[f"result-{name}"] = Example(fenced(_scores(result.text)), (result,))
    return found


def _since_fault(log: list[Said]) -> tuple[Said, ...]:
    """Return what the server says after the wrong or late move.

    If there was no move, it is what the server says from the result on.
    """
    last = max(number for number, said in enumerate(log) if said.who is CLIENT)
    if log[last].text.startswith("<room"):
        return tuple(log[last + 1 :])
    return tuple(itertools.dropwhile(lambda said: tag(said.text) != "result", log))


def _scores(text: str) -> str:
    """Return a result without its definition, which says who got what, and why."""
    return re.sub(r"\n *<definition>.*</definition>", "", text, flags=re.DOTALL)


def _conversation(season: str, revision: str) -> Example:
    """Return a whole match as its first player sees it, with its middle left out."""
    log = joined(season, revision).log["one"]
    moves = [
        number for number, said in enumerate(log) if said.who is CLIENT and said.state is not None
    ]
    first, last = moves[1] + 1, moves[-1]
    middle = f"<!-- {len(moves) - 3} more requests and moves -->"
    shown = "\n".join(
        (_transcript(log[:first]), middle, _transcript(log[last:]).replace(writer.OPEN + "\n", ""))
    )
    return Example(fenced(shown), tuple(log))


def _paused_conversation(season: str, revision: str) -> Example:
    """Return what an administrator says and hears until the match goes on, and at its end."""
    log = prepared(season, revision).log["admin"]
    until = next(
        n for n, said in enumerate(log) if said.who is CLIENT and said.text.startswith("<pause")
    )
    end = next(n for n, said in enumerate(log) if tag(said.text) == "result")
    beginning = _transcript(log[: until + 3])
    rest = _scores(_transcript(log[end:]).replace(writer.OPEN + "\n", ""))
    middle = f"<!-- {end - until - 4} more positions -->"
    return Example(fenced("\n".join((beginning, middle, rest))), tuple(log))


def _requests(season: str, revision: str) -> dict[str, Example]:
    """Return every request, as clients of this season write it."""
    talk = Talk(GAMES[season], revision)
    kind, room, code = talk.game.game_type, _id(2), _id(0)
    slots = (messages.Slot("Ada"), messages.Slot("Bert", can_timeout=False))
    asked: dict[str, messages.Request] = {
        "join": messages.Join(kind),
        "join-room": messages.JoinRoom(room),
        "join-prepared": messages.JoinPrepared(code),
        "leave": messages.LeaveRoom(room),
        "authenticate": messages.Authenticate(PASSWORD),
        "prepare": messages.Prepare(kind, paused=True, slots=slots),
        "prepare-ours": messages.Prepare(
            kind, paused=False, slots=slots, revision=revision, seed=42, variant=talk.game_id
        ),
        "observe": messages.Observe(room),
        "pause": messages.Pause(room, pause=True),
        "step": messages.Step(room),
        "cancel": messages.Cancel(room),
        "timeout": messages.Timeout(room, slot=0, activate=False),
        "test-mode": messages.TestMode(on=True),
        "score-for-player": messages.ScoreForPlayer(NAMES[0]),
        "free-reservation": messages.FreeReservation(code),
    }
    return {
        name: _one(Said(CLIENT, encode_request(one, talk.dialect))) for name, one in asked.items()
    }


def _answers(season: str, revision: str) -> dict[str, Example]:
    """Return what an administrator hears."""
    talk = administration(season, revision)
    scores = talk.packets("admin", "playerScore")
    found = {
        "prepared": _one(talk.packets("admin", "prepared")[0]),
        "testing": _one(talk.packets("admin", "testing")[0]),
        "player-score": _one(scores[0]),
        "player-score-empty": _one(scores[1]),
        "observed": _one(prepared(season, revision).packets("admin", "observed")[0]),
        "joined-game-room": _one(talk.packets("admin", "joinedGameRoom")[0]),
        "administrator": _paused_conversation(season, revision),
    }
    notices = prepared(season, revision).packets("admin", "paused")
    if notices:
        found["paused-notice"] = _one(notices[0])
    return found


def _differences(season: str) -> str:
    """Return, for each revision but the default, the examples that differ from the default's.

    What an earlier one of them has shown is not shown again.
    """
    default, *others = get_game(GAMES[season]).codecs
    said = _examples_of(season, default)
    lines: list[str] = []
    for place, revision in enumerate(others):
        mine = _examples_of(season, revision)
        lines.append(f"### {revision}")
        known: dict[str, list[str]] = {}
        new: list[str] = []
        for name, title in _COMPARED.items():
            if mine[name].shown == said[name].shown:
                continue
            like = [
                one
                for one in others[:place]
                if _examples_of(season, one)[name].shown == mine[name].shown
            ]
            if like:
                known.setdefault(like[0], []).append(title)
            else:
                new += [f"{title[0].upper()}{title[1:]}:", mine[name].shown]
        lines += [f"As in `{one}`: {', '.join(titles)}." for one, titles in known.items()]
        lines += new
    return "\n\n".join(lines) if lines else "There is one revision of this season."


_COMPARED = {
    "welcome": "the welcome",
    "second-state": "a state after the first move",
    "last-state": "the last state of a match",
    "fault-violation": "what an offender hears who has broken a rule",
    "result": "the result",
    "prepare": "what an administrator writes to prepare a game",
    "move-skip": "passing",
    "close": "the goodbye",
}


@cache
def _examples_of(season: str, revision: str) -> Mapping[str, Example]:
    moves = _hare_moves if season == "2018" else _blokus_moves
    found = {
        **_of_match(season, revision),
        **_requests(season, revision),
        **_answers(season, revision),
        "conversation": _conversation(season, revision),
        **{f"move-{name}": _one(said) for name, said in moves(season, revision).items()},
    }
    if season != "2018":
        mono = _mono(season, revision)
        found["mono"] = Example(fenced(part(mono.text, "lastMoveMono")), (mono,))
    return found


@cache
def examples() -> Mapping[str, Example]:
    """Return every example by the name that a page gives it.

    ``2021/welcome`` is that of the default revision.
    """
    found: dict[str, Example] = {}
    for season, game in GAMES.items():
        default, *_ = get_game(game).codecs
        for name, example in _examples_of(season, default).items():
            found[f"{season}/{name}"] = example
        others = [
            said
            for revision in get_game(game).codecs
            if revision != default
            for example in _examples_of(season, revision).values()
            for said in example.packets
        ]
        found[f"{season}/revisions"] = Example(_differences(season), tuple(others))
    for name, said in refusals().items():
        found[f"refused/{name}"] = _one(said)
    return found
