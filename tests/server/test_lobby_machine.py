"""Any clients doing anything in any order, against a small model of what must hold."""

from __future__ import annotations

import re

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from server.stage import Line, Stage, tag
from spielleiter.match import Phase

GAME_TYPES = ("swc_2027_blokus", "swc_2021_blokus", "swc_2018_hase_und_igel")
ROOMLESS = (
    '<observe roomId="nowhere"/><pause roomId="nowhere" pause="true"/><cancel roomId="nowhere"/>'
)


REQUESTS = [
    "step",
    'step forced="true"',
    "cancel",
    'pause pause="true"',
    'pause pause="false"',
    "observe",
    'timeout slot="1" activate="false"',
    'timeout slot="0" activate="true"',
]


class LobbyMachine(RuleBasedStateMachine):
    """Players join, play and leave while an administrator prepares, pauses, steps and cancels."""

    def __init__(self) -> None:
        super().__init__()
        self.stage = Stage()
        self.lines: list[Line] = []
        self.admin = self.stage.line('<protocol><authenticate password="examplepassword"/>')
        self.asked: dict[Line, int] = {}

    lines_open = Bundle("lines_open")
    codes = Bundle("codes")

    def connect(self, opening: str) -> Line:
        line = self.stage.line("<protocol>" + opening)
        self.lines.append(line)
        return line

    @rule(
        target=lines_open,
        kind=st.sampled_from(GAME_TYPES),
        revision=st.sampled_from(["", ' revision="2021-older"']),
    )
    def join(self, kind: str, revision: str) -> Line:
        return self.connect(f'<join gameType="{kind}"{revision}/>')

    @rule(target=lines_open)
    def join_anything(self) -> Line:
        return self.connect("<join/>")

    @rule(
        target=codes, kind=st.sampled_from(GAME_TYPES), paused=st.booleans(), observed=st.booleans()
    )
    def prepare(self, kind: str, paused: bool, observed: bool) -> str:
        self.admin.say(
            f'<prepare gameType="{kind}" pause="{str(paused).lower()}"><slot/><slot/></prepare>'
        )
        packet = self.admin.packets[-1]
        assert tag(packet) == "prepared"
        if observed:
            room = re.search(r'roomId="([^"]+)"', packet)
            assert room is not None
            self.admin.say(f'<observe roomId="{room[1]}"/>')
        return "|".join(re.findall(r"<reservation>([^<]+)<", packet))

    @rule(target=lines_open, pair=codes, number=st.integers(0, 1))
    def join_prepared(self, pair: str, number: int) -> Line:
        return self.connect(f'<joinPrepared reservationCode="{pair.split("|")[number]}"/>')

    @rule(line=lines_open, choice=st.integers(0, 1000))
    def move(self, line: Line, choice: int) -> None:
        """A legal move of the position, whether it was asked for or not."""
        room = line.connection.room
        if room is not None and not line.closed and room.referee.phase is Phase.PLAYING:
            legal = room.referee.state.legal_moves()
            text = room.audience.codec(line.connection).encode_move(legal[choice % len(legal)])
            line.say(f'<room roomId="{room.id}">{text}</room>')

    @rule(seconds=st.sampled_from([0.1, 1.9, 2.5, 11.0, 70.0, 4000.0]))
    def wait(self, seconds: float) -> None:
        self.stage.time.advance(seconds)
        self.stage.look_after()

    @rule(line=lines_open, kind=st.sampled_from(GAME_TYPES))
    def join_again(self, line: Line, kind: str) -> None:
        line.say(f'<join gameType="{kind}"/>')

    @rule(line=lines_open)
    def give_up(self, line: Line) -> None:
        line.say("<left/>")

    @rule(line=lines_open, password=st.sampled_from(["examplepassword", "wrong"]))
    def authenticate(self, line: Line, password: str) -> None:
        line.say(f'<authenticate password="{password}"/>')

    @rule(line=lines_open, data=st.data())
    def join_room(self, line: Line, data: st.DataObject) -> None:
        rooms = list(self.stage.server.lobby.rooms)
        if rooms:
            line.say(f'<joinRoom roomId="{data.draw(st.sampled_from(rooms))}"/>')

    @rule(pair=codes, number=st.integers(0, 1))
    def free_reservation(self, pair: str, number: int) -> None:
        self.admin.say(f'<freeReservation reservation="{pair.split("|")[number]}"/>')

    @rule(line=lines_open)
    def stop_reading(self, line: Line) -> None:
        line.reads = False

    @rule(steps=st.integers(1, 8), choice=st.integers(0, 1000))
    def everybody_plays(self, steps: int, choice: int) -> None:
        for _ in range(steps):
            for line in self.lines:
                room = line.connection.room
                if (
                    room is not None
                    and not line.closed
                    and room.referee.asked == line.connection.seat
                ):
                    self.move(line, choice)

    @rule(
        line=consumes(lines_open),
        how=st.sampled_from(["hang up", "</protocol>", "<close/>", "<x", "</wrong>"]),
    )
    def leave(self, line: Line, how: str) -> None:
        if how == "hang up":
            line.hang_up()
        else:
            line.say(how)

    @rule(data=st.data(), request=st.sampled_from(REQUESTS))
    def administrate(self, data: st.DataObject, request: str) -> None:
        rooms = list(self.stage.server.lobby.rooms)
        if not rooms:
            return
        room = data.draw(st.sampled_from(rooms))
        verb, _, more = request.partition(" ")
        self.admin.say(f'<{verb} roomId="{room}" {more}/>')

    @rule()
    def ask_for_nothing(self) -> None:
        self.admin.say(ROOMLESS)

    @invariant()
    def the_administrator_stays(self) -> None:
        assert not self.admin.closed

    @invariant()
    def seats_and_peers_agree(self) -> None:
        lobby = self.stage.server.lobby
        for room in lobby.rooms.values():
            assert room.referee.phase is not Phase.OVER
            for number, seat in enumerate(room.seats):
                if seat.peer is not None:
                    assert seat.peer.room is room
                    assert seat.peer.seat == number
            if room.referee.phase is Phase.PLAYING:
                assert room.players == len(room.seats)
        for line in self.lines:
            room = line.connection.room
            assert room is None or (not line.closed and lobby.rooms.get(room.id) is room)

    @invariant()
    def nothing_is_kept_of_what_is_gone(self) -> None:
        lobby = self.stage.server.lobby
        assert all(room.id in lobby.rooms for room, _ in lobby._reservations.values())
        assert len(self.stage.server.admission.connections) == 1 + sum(
            not line.closed for line in self.lines
        )
        assert self.stage.server.outbox.is_empty
        for peer in self.stage.server.admission.connections:
            assert set(peer.observing) <= set(lobby.rooms)
        assert all(peer in self.stage.server.admission.connections for peer in lobby.admins)

    @invariant()
    def what_a_player_hears_is_in_order(self) -> None:
        for line in self.lines:
            names = [tag(packet) for packet in line.packets]
            assert "/protocol" not in names[:-1]
            for number, name in enumerate(names):
                if name == "result":
                    assert names[number + 1] == "left"
            requests = sum(name.lower().endswith("moverequest") for name in names)
            assert requests <= names.count("memento")

    def teardown(self) -> None:
        self.stage.server.lobby.close()
        self.stage.server.outbox.flush()
        assert self.stage.server.lobby.rooms == {}
        assert self.stage.server.lobby._reservations == {}


TestLobby = LobbyMachine.TestCase
