"""What can be a bot, and what a bot has from the start."""

from __future__ import annotations

import pytest

import spielleiter
from spielleiter.client.bot import (
    Bot,
    BotMistake,
    Debug,
    FunctionBot,
    Mark,
    PlayerBot,
    make_bot,
    name_of,
    overwritten,
    take_hints,
    take_thoughts,
)
from spielleiter.games import get_game
from spielleiter.rules import FreeClock

STATE = get_game("blokus-2027").start(0)
CLOCK = FreeClock()


def with_clock(state, clock):
    return state, clock


def without_clock(state):
    return state


def any_arguments(*arguments):
    return arguments


def with_default(state, clock, depth=3):
    return depth


@pytest.mark.parametrize(
    ("function", "answer"),
    [
        (with_clock, (STATE, CLOCK)),
        (without_clock, STATE),
        (any_arguments, (STATE, CLOCK)),
        (with_default, 3),
        (lambda state: 7, 7),
    ],
)
def test_functions(function, answer):
    bot = make_bot(function)
    assert isinstance(bot, FunctionBot)
    assert bot.choose(STATE, CLOCK) == answer
    assert name_of(bot) == name_of(function) == function.__name__


class First(Bot):
    def choose(self, state, clock):
        return state.legal_moves()[0]


def test_everything_is_there_before_init_runs():
    class Forgetful(First):
        def __init__(self):
            self.hint("early")
            self.debug.note("early")
            self.first = self.rng.random()

    one, two, other = make_bot(Forgetful, 1), make_bot(Forgetful, 1), make_bot(Forgetful, 2)
    assert one.first == two.first != other.first
    assert one.seat == 0
    assert one.take_hints() == ("early",)
    assert one.take_hints() == ()


def test_a_class_keeps_what_it_calls_like_ours():
    class Own(First):
        debug = False

        def rng(self):
            return 4

    bot = make_bot(Own, 3)
    assert (bot.debug, bot.rng()) == (False, 4)
    assert make_bot(Own(), 3).rng() == 4
    assert take_thoughts(bot) == ((), ())
    assert len(overwritten(bot)) == 1


def test_a_debug_of_the_same_kind_is_as_good():
    bot = First()
    bot.debug = Debug()
    bot.debug.note("kept")
    assert take_thoughts(bot) == (("kept",), ())
    assert overwritten(bot) == []


def test_a_method_hint_that_refines_ours_is_no_trouble():
    class Polite(First):
        def hint(self, text):
            super().hint(f"{text}, please")

    bot = Polite()
    bot.hint("move")
    assert take_hints(bot) == ("move, please",)
    assert overwritten(bot) == []


def test_a_bot_made_before_is_seeded_after():
    one, two = First(), First()
    assert make_bot(one, 5) is one
    make_bot(two, 5)
    assert one.rng.random() == two.rng.random()
    assert make_bot(one) is one


def test_house_players_get_the_seed():
    make = get_game("blokus-2027").players["random"]
    moves = {str(make_bot(make, seed).choose(STATE, CLOCK)) for seed in (1, 1, 1)}
    assert len(moves) == 1
    assert isinstance(make_bot(make(1)), PlayerBot)
    assert name_of(make_bot(make, 1)) == "RandomPlayer"


def test_objects_keep_their_hooks_and_fallback():
    class Own:
        seen = None

        def choose(self, state, clock):
            return "move"

        def on_start(self, state):
            self.seen = state

        def fallback(self, state):
            return "last"

    own = Own()
    bot = make_bot(own)
    bot.on_start(STATE)
    bot.on_state(STATE)
    assert own.seen is STATE
    assert bot.fallback(STATE) == "last"
    assert isinstance(make_bot(Own), PlayerBot)  # made without a seed, as it takes none


@pytest.mark.parametrize("thing", [None, 5, "bot.py", int, object()])
def test_what_is_no_bot_is_refused(thing):
    with pytest.raises(BotMistake, match="choose"):
        make_bot(thing)


@pytest.mark.parametrize(
    "choose",
    [
        lambda self: None,
        lambda self, state: None,
        lambda self, state, clock, more: None,
        lambda: None,
    ],
)
def test_a_choose_that_takes_something_else_is_refused_before_it_plays(choose):
    wrong = type("Wrong", (Bot,), {"choose": choose})
    with pytest.raises(BotMistake) as caught:
        make_bot(wrong)
    assert str(caught.value) == (
        "choose of Wrong does not take a state and a clock: write def choose(self, state, clock):"
    )


@pytest.mark.parametrize(
    "choose",
    [
        lambda self, *rest: None,
        lambda self, state, clock=None, more=1: None,
        staticmethod(max),
        staticmethod(lambda a, b: a),
    ],
)
def test_a_choose_that_takes_both_in_whatever_way_is_taken(choose):
    assert make_bot(type("Right", (Bot,), {"choose": choose}))


def test_a_bot_without_choose_is_refused_before_it_plays():
    with pytest.raises(BotMistake, match="Bot has no method choose"):
        make_bot(Bot)


def test_debug():
    debug = Debug()
    debug.note(3)
    debug.mark(1, 2)
    debug.mark(3, 4, 5, "#ff0000")
    assert debug.take() == (("3",), (Mark(1, 2), Mark(3, 4, "5", "#ff0000")))
    assert debug.take() == ((), ())


def test_the_package_offers_what_authors_need():
    for name in spielleiter.__all__:
        assert getattr(spielleiter, name) is not None
    assert spielleiter.Bot is Bot
    with pytest.raises(AttributeError, match="nothing"):
        spielleiter.nothing  # noqa: B018
