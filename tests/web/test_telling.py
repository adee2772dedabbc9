"""Stories as JSON: every position once, everything that the page is promised."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace

import pytest

from spielleiter.arena.thoughts import PlacedMark, Thoughts
from spielleiter.games import all_games
from spielleiter.rules import AnyGame, AnyState
from spielleiter.web import telling
from spielleiter.web.endings import make_ending
from spielleiter.web.telling import Teller
from web.browsing import BLOKUS, new_story, play_some


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_whole_match_of_every_game(game: AnyGame) -> None:
    story = new_story(game, count=5)
    teller = Teller()
    told = json.loads(teller.match(story))
    assert len(told["positions"]) == len(story.positions) == len(told["moves"]) + 1
    for state, view in zip(story.positions, told["positions"], strict=True):
        assert view.pop("mobility") is None
        assert game.from_view(view) == state
    assert told["view"]["turn"] == told["turn"] == story.positions[-1].turn
    assert (told["game"], told["names"], told["phase"]) == (game.id, ["A", "B"], "running")
    assert (told["limit"], told["asked"], told["result"]) == (2.0, None, None)


def test_moves_are_counted_on_demand_and_shown_from_then_on() -> None:
    teller, state = Teller(), play_some(BLOKUS, 4)[-1]
    assert teller.lacks_mobility(state)
    teller.count_mobility(state)
    told = json.loads(teller.view(state))["mobility"]
    assert told == list(BLOKUS.mobility(state))
    assert not teller.lacks_mobility(state)


def test_a_game_whose_moves_take_long_to_count_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(telling, "QUICK", -1.0)
    story, teller = new_story(count=1), Teller()
    first = json.loads(teller.position_message(story, 0))
    second = json.loads(teller.position_message(story, 1))
    assert first["view"]["mobility"] is not None
    assert second["view"]["mobility"] is None


def test_old_texts_are_forgotten() -> None:
    teller, states = Teller(most=3), play_some(BLOKUS, 6)
    for state in states:
        teller.view(state)
        teller.count_mobility(state)
    assert [teller.is_written(state) for state in states] == [False] * 4 + [True] * 3


def test_thoughts_marks_and_hints_stand_beside_their_move() -> None:
    story = new_story(count=2)
    thoughts = Thoughts(
        0, ("n" * 9000,), problem="<b>", is_fallback=True, places=(PlacedMark(1, 2, "x", "red"),)
    )
    story.add_thoughts(0, 0, thoughts)
    move = json.loads(Teller().match(story))["moves"][0]
    assert move["hints"] == ["so"]
    assert move["thoughts"]["marks"] == [{"x": 1, "y": 2, "text": "x", "color": "red"}]
    assert (move["thoughts"]["problem"], move["thoughts"]["is_fallback"]) == ("<b>", True)
    assert len(move["thoughts"]["notes"][0]) == telling.LONGEST_NOTE


def test_hints_that_no_server_takes_and_hooks_that_failed_are_told_too() -> None:
    story = new_story(count=2)
    unsent = replace(story.moves[0], hints=())
    story.moves[0] = unsent
    story.add_thoughts(
        0, 0, Thoughts(0, hints=("aha",), failed_hooks=("on_state: oh", "on_state: oh"))
    )
    move = json.loads(Teller().match(story))["moves"][0]
    assert move["hints"] == ["aha"]
    assert move["thoughts"]["failed"] == ["on_state: oh"]


def test_reservations_are_told_to_who_may_start_matches_only() -> None:
    story, teller = new_story(), Teller()
    story.reservations = ("code", None)
    assert "code" not in teller.summary(story) + teller.match(story)
    assert json.loads(teller.summary(story, may_do=True))["reservations"] == ["code", None]


def test_the_result_has_its_reason_in_both_languages() -> None:
    story = new_story(count=2)
    story.finish(make_ending(story, story.positions[-1].outcome()))
    result = json.loads(Teller().summary(story))["result"]
    assert result["index"] == 2
    assert (result["regular"], result["fault"]) == (True, None)
    assert result["reason"] == {
        "de": "Die Partie wurde abgebrochen.",
        "en": "The match was cancelled.",
    }


def test_who_is_asked_is_told_with_the_seconds_since() -> None:
    story = new_story()
    story.ask(0)
    story.asked_at -= 1.5
    assert json.loads(Teller().match(story))["asked"] == {"seat": 0, "seconds": 1.5}


def test_tables_are_made_once_and_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    count, here = BLOKUS.mobility, threading.get_ident()
    threads: list[int] = []

    def noted(state: AnyState) -> tuple[int | None, ...]:
        threads.append(threading.get_ident())
        return count(state)

    monkeypatch.setattr(type(BLOKUS), "mobility", lambda _, state: noted(state))
    teller, state = Teller(), BLOKUS.start(1)

    async def main() -> None:
        await asyncio.gather(*(teller.warm_up(state) for _ in range(3)))

    asyncio.run(main())
    assert len(threads) == 1
    assert here not in threads
