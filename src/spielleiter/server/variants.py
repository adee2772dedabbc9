"""Choose the rules and the revision of a match, from what was asked for and what is set.

Several variants of the rules may share one game type, which is the name that clients send.
"""

from __future__ import annotations

from spielleiter.games import all_games, find_game_type, get_game
from spielleiter.rules import AnyGame, UnknownGame
from spielleiter.server.errors import Refusal
from spielleiter.server.peer import Peer
from spielleiter.server.settings import Settings
from spielleiter.wire import complaints


def variant_for(
    settings: Settings,
    game_type: str,
    revision: str | None = None,
) -> AnyGame | None:
    """Return the variant this server plays for a game type of the wire, None if there is none.

    A variant that is named wins. Otherwise whoever asks for a revision of the documents gets the
    rules that belong to it, where a variant has this revision for its own.
    """
    for name in settings.variants:
        game = get_game(name)
        if game.game_type == game_type:
            return game
    default = get_game(settings.game)
    own = default if default.game_type == game_type else None
    same_type = [game for game in all_games() if game.game_type == game_type]
    for wanted in (revision, settings.revision):
        fitting = [game for game in same_type if next(iter(game.codecs)) == wanted]
        if fitting:
            return own if own in fitting else fitting[0]
    return own or find_game_type(game_type)


def choose_variant(
    settings: Settings,
    game_type: str,
    variant: str | None = None,
    revision: str | None = None,
) -> AnyGame:
    """Return the variant asked for of a game type, or else the server's choice. Raises Refusal."""
    chosen = variant_for(settings, game_type, revision)
    if chosen is None:
        raise unknown_type(game_type)
    if variant is None:
        return chosen
    try:
        game = get_game(variant)
    except UnknownGame as error:
        raise Refusal(f"prepare: {error}") from None
    if game.game_type != game_type:
        raise Refusal(f"prepare: {variant} is a variant of {game.game_type}, not of {game_type}")
    return game


def unknown_type(game_type: str) -> Refusal:
    """Return the refusal of a game type that nobody knows, which names those there are."""
    known = dict.fromkeys(game.game_type for game in all_games())
    return Refusal(complaints.unknown_game_type(game_type, known))


def choose_revision(settings: Settings, game: AnyGame, wanted: str | None = None) -> str:
    """Return the revision wanted, or else the server's, or else the game's own.

    Each counts only where the game has it.
    """
    for revision in (wanted, settings.revision):
        if revision is not None and revision in game.codecs:
            return revision
    return next(iter(game.codecs))


def set_revision(peer: Peer, revision: str | None) -> None:
    """Let this peer read this revision from now on, where a game has it. None changes nothing.

    Raises Refusal if no game has it.
    """
    if revision is not None:
        known = {name for game in all_games() for name in game.codecs}
        if revision not in known:
            raise Refusal(
                f"there is no revision {revision!r}; there are: {', '.join(sorted(known))}"
            )
        peer.revision = revision
