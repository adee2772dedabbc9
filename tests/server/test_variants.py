"""Which rules and which revision a match has, from what was asked for and what is set."""

from __future__ import annotations

import pytest

from spielleiter.games import get_game
from spielleiter.server.errors import Refusal
from spielleiter.server.settings import Settings
from spielleiter.server.variants import choose_revision, choose_variant, variant_for

BLOKUS, HARE = "swc_2021_blokus", "swc_2018_hase_und_igel"


def test_a_variant_that_is_named_wins_over_the_servers_choice() -> None:
    assert choose_variant(Settings(), BLOKUS).id == "blokus-2021"
    assert choose_variant(Settings(), BLOKUS, "blokus-2021-official").id == "blokus-2021-official"


@pytest.mark.parametrize(
    ("game_type", "variant", "words"),
    [
        ("swc_1999_chess", None, "swc_1999_chess"),
        (BLOKUS, "nonsense", "prepare: there is no game 'nonsense'"),
        (BLOKUS, "blokus-2027", "blokus-2027 is a variant of swc_2027_blokus, not of"),
    ],
)
def test_a_variant_that_does_not_fit_is_refused(
    game_type: str, variant: str | None, words: str
) -> None:
    with pytest.raises(Refusal, match=words):
        choose_variant(Settings(), game_type, variant)


def test_the_revision_wanted_comes_before_the_servers_and_the_games_own() -> None:
    game, settings = get_game("blokus-2021"), Settings(revision="2021-older")
    assert choose_revision(settings, game, "2021-oldest") == "2021-oldest"
    assert choose_revision(settings, game, "2018") == "2021-older"
    assert choose_revision(settings, get_game(HARE)) == next(iter(get_game(HARE).codecs))


def test_the_variant_asked_for_is_the_one_played() -> None:
    usual, official = Settings(), Settings(variants=("hase-und-igel-2018", "blokus-2021-official"))
    assert variant_for(usual, "swc_2021_blokus").id == "blokus-2021"
    assert variant_for(official, "swc_2021_blokus").id == "blokus-2021-official"
    assert variant_for(official, "swc_2018_hase_und_igel").id == "hase-und-igel-2018"
    assert variant_for(official, "swc_1999_chess") is None


def test_the_default_game_keeps_its_variant() -> None:
    named = Settings(game="blokus-2021-official")
    assert variant_for(named, "swc_2021_blokus").id == "blokus-2021-official"
