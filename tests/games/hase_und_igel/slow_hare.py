"""Hase und Igel once more: slow, plain, written from the German documents sentence by sentence.

It shares nothing with the fast implementation, not even a type: fields, cards and moves are
strings, a position is a dictionary of lists that is copied for every step. Every function carries
the sentence it obeys.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

CARDS = ["TAKE_OR_DROP_CARROTS", "EAT_SALAD", "HURRY_AHEAD", "FALL_BACK"]


@dataclass
class Slow:
    """Player 0 is red.

    ``last`` holds the last action that was no skip, as a word of the notation.
    """

    board: list[str]
    turn: int = 0
    index: list[int] = field(default_factory=lambda: [0, 0])
    carrots: list[int] = field(default_factory=lambda: [68, 68])
    salads: list[int] = field(default_factory=lambda: [5, 5])
    cards: list[list[str]] = field(default_factory=lambda: [list(CARDS), list(CARDS)])
    last: list[str] = field(default_factory=lambda: ["", ""])

    @property
    def player(self) -> int:
        return self.turn % 2

    @property
    def opponent(self) -> int:
        return 1 - self.turn % 2

    def is_first(self, player: int) -> bool:
        return self.index[player] > self.index[1 - player]

    def field_of(self, player: int) -> str:
        return self.board[self.index[player]]


def race_card(distance: int) -> int:
    """Die Rennkarte: 1 Feld kostet 1, das zweite 2 mehr, das dritte 3 mehr …"""
    return sum(range(1, distance + 1))


def may_win(game: Slow, player: int) -> bool:
    """„höchstens zehn Karotten und keine Salate“"""
    return game.carrots[player] <= 10 and game.salads[player] == 0


def can_stand_on(game: Slow, player: int, target: int) -> bool:
    """What is said of all kinds of fields, whoever comes by walking forward or by card."""
    if game.board[target] == "START":
        return False  # „Es ist nicht erlaubt das Startfeld erneut zu betreten“
    if game.board[target] == "HEDGEHOG":
        return False  # „Darf nur durch einen Rückzug betreten werden.“
    if target == game.index[1 - player] and game.board[target] != "GOAL":
        return (
            False  # „… bereits durch den Gegner besetzt ist, außer es handelt sich um das Zielfeld“
        )
    if game.board[target] == "SALAD" and game.salads[player] == 0:
        return False  # „Darf nur betreten werden, wenn der Spieler mindestens einen Salat besitzt.“
    return game.board[target] != "GOAL" or may_win(game, player)


def must_eat(game: Slow) -> bool:
    """„… auf einem Salatfeld befindet und er in seiner letzten Aktion, die kein Aussetzzug war,
    keinen Salat gefressen hat, muss er einen Salat fressen.“
    """
    return game.field_of(game.player) == "SALAD" and game.last[game.player] not in (
        "E",
        "C:EAT_SALAD",
    )


def eat(game: Slow, player: int) -> None:
    """„Der Spieler verliert einen Salat und erhält je nach Position (Erster/Zweiter) Karotten
    (10/30).“
    """
    game.salads[player] -= 1
    game.carrots[player] += 10 if game.is_first(player) else 30


def advance(before: Slow, distance: int) -> Slow | None:
    game = deepcopy(before)
    me = game.player
    target = game.index[me] + distance
    if target > 64 or race_card(distance) > game.carrots[me]:
        return None
    game.carrots[me] -= race_card(distance)
    if not can_stand_on(game, me, target):
        return None
    game.index[me] = target
    game.last[me] = f"A{distance}"
    return game


def fall_back(before: Slow) -> Slow | None:
    """„… zieht der Spieler zu dem nächsten Igelfeld mit kleinerem Index, sollte dies nicht besetzt
    sein. … 10 mal zurückgezogene Felder viele Karotten“
    """
    game = deepcopy(before)
    me = game.player
    behind = [place for place in range(game.index[me]) if game.board[place] == "HEDGEHOG"]
    if not behind or behind[-1] == game.index[game.opponent]:
        return None
    game.carrots[me] += 10 * (game.index[me] - behind[-1])
    game.index[me] = behind[-1]
    game.last[me] = "F"
    return game


def exchange(before: Slow, value: int) -> Slow | None:
    """„… entweder 10 Karotten abgeben (dafür muss der Spieler mindestens 10 Karotten besitzen) oder
    nehmen“
    """
    game = deepcopy(before)
    me = game.player
    if game.field_of(me) != "CARROT" or game.carrots[me] + value < 0:
        return None
    game.carrots[me] += value
    game.last[me] = f"X{value:+d}"
    return game


def play_card(before: Slow, word: str) -> Slow | None:
    game = deepcopy(before)
    me, other = game.player, game.opponent
    card, _, value = word.partition(":")
    if card not in game.cards[me]:
        return None
    game.cards[me].remove(card)
    game.last[me] = f"C:{word}"
    if card == "TAKE_OR_DROP_CARROTS":  # „… 20 Karotten abgeben oder aufnehmen oder nichts tun“
        game.carrots[me] += int(value)
        return game if game.carrots[me] >= 0 else None
    if (
        card == "EAT_SALAD"
    ):  # „… nur eingesetzt werden, wenn der Spieler mindestens einen Salat hat“
        if game.salads[me] == 0:
            return None
        eat(game, me)
        return game
    if card == "HURRY_AHEAD":  # „… an zweiter Position … auf das Feld vor dem gegnerischen Spieler“
        if game.is_first(me) or game.field_of(other) == "GOAL":
            return None
        target = game.index[other] + 1
    else:  # „… an erster Position … auf das Feld hinter dem gegnerischen Spieler“
        if not game.is_first(me) or game.field_of(other) == "START":
            return None
        target = game.index[other] - 1
    if not can_stand_on(game, me, target):
        return None
    game.index[me] = target
    return game


CARD_WORDS = [
    *(f"TAKE_OR_DROP_CARROTS:{value}" for value in (20, 0, -20)),
    "EAT_SALAD",
    "HURRY_AHEAD",
    "FALL_BACK",
]


def finish(game: Slow, words: list[str], found: dict[str, Slow]) -> None:
    """„Eine Karte muss ausgespielt werden, wenn ein Hasenfeld neu betreten wird“, so long as it
    takes.
    """
    entered = words[-1][0] == "A" or words[-1] in ("C:HURRY_AHEAD", "C:FALL_BACK")
    if not (entered and game.field_of(game.player) == "HARE"):
        found[" ".join(words)] = game
        return
    for word in CARD_WORDS:
        after = play_card(game, word)
        if after is not None:
            finish(after, [*words, f"C:{word}"], found)


def end_turn(game: Slow) -> Slow:
    """The next player may stand on the position field of his rank „am Anfang seines Zuges“."""
    game.turn += 1
    me = game.player
    if game.field_of(me) == "POSITION_1" and game.is_first(me):
        game.carrots[me] += 10
    if game.field_of(me) == "POSITION_2" and not game.is_first(me):
        game.carrots[me] += 30
    return game


def is_over(game: Slow) -> bool:
    """„… Rundenlimit von 30 Runden erreicht ist oder sich mindestens ein Spieler am Ende einer
    Runde im Ziel“
    """
    return game.turn == 60 or (game.turn % 2 == 0 and 64 in game.index)


def winner(game: Slow) -> int:
    """„Es gewinnt der Spieler, der am nächsten am Ziel …, mit weniger Karotten …, der
    Startspieler“
    """
    if game.index[0] != game.index[1]:
        return 0 if game.index[0] > game.index[1] else 1
    return 0 if game.carrots[0] <= game.carrots[1] else 1


def legal_moves(game: Slow) -> dict[str, Slow]:
    """Every legal move in notation, with the position after it."""
    if is_over(game):
        return {}
    found: dict[str, Slow] = {}
    me = game.player
    if must_eat(game):
        after = deepcopy(game)
        eat(after, me)
        after.last[me] = "E"
        found["E"] = after
    else:
        for distance in range(1, 65):
            after = advance(game, distance)
            if after is not None:
                finish(after, [f"A{distance}"], found)
        for word, result in (
            ("X+10", exchange(game, 10)),
            ("X-10", exchange(game, -10)),
            ("F", fall_back(game)),
        ):
            if result is not None:
                found[word] = result
    if not found:  # „… nur Aussetzen, sollte sonst kein anderer Zug möglich sein“
        found["S"] = deepcopy(game)
    return {move: end_turn(after) for move, after in found.items()}


def perft(game: Slow, depth: int) -> int:
    """How many sequences of ``depth`` moves there are."""
    if depth == 0:
        return 1
    return sum(perft(after, depth - 1) for after in legal_moves(game).values())
