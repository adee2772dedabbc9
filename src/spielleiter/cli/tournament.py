"""Let many bots play against each other, and make the table (``spielleiter tournament``)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from spielleiter.arena.bots import BotError, BotSpec
from spielleiter.arena.lookup import ENTRIES, choose_game, find_bot, path_of
from spielleiter.arena.pairing.schedule import MOST_BOTS
from spielleiter.arena.runs.bot_folder import BotFolder, read_bot_folder
from spielleiter.arena.runs.plan import Form, PlanError, RunPlan, Way
from spielleiter.arena.runs.saved_run import planned_bot
from spielleiter.arena.runs.tournament_file import (
    FORMS,
    MOST_GAMES,
    Entrant,
    TournamentFile,
    TournamentFileError,
    read_tournament,
)
from spielleiter.cli import debug_option
from spielleiter.cli.errors import CliError, ExitCode, unknown_game
from spielleiter.cli.match import start
from spielleiter.cli.run_options import (
    bad_bot,
    bad_plan,
    choose_form,
    choose_moves,
    choose_seed,
    choose_time,
    form_options,
    game_option,
    playing_options,
    refuse_people,
    tell_warnings,
    working_folder,
)
from spielleiter.cli.run_session import say
from spielleiter.cli.values import WholeNumber, Word
from spielleiter.games import get_game
from spielleiter.rules import AnyGame, UnknownGame, one_line

_SUFFIX = ".toml"
_HELP = """\
Let many bots play against each other, and print the table.

WHAT is a file that says all about the tournament (docs/tournaments.md), a folder with a bot in each
file or folder of it, or a list of bots.

The table is the championship's: victory points first, then the mean score. Beside it are ratings
with their errors, and a cross table. Ctrl+C ends with the table so far, and spielleiter resume goes
on.

\b
Examples:
  spielleiter tournament club.toml
  spielleiter tournament pupils
  spielleiter tournament pupils greedy --form swiss --csv > table.csv
  spielleiter tournament --bots greedy random mybot.py --games 20

\b
Exit codes:
  0    all games have been played
  1    the games could not be played
  2    the command line, the file or a bot is wrong
  130  interrupted with Ctrl+C
  143  ended by SIGTERM; 129 by SIGHUP
"""


@dataclass(frozen=True, slots=True)
class _Player:
    """A bot that takes part."""

    text: str
    name: str
    spec: BotSpec
    entrant: Entrant | None = None
    """What the file says about it."""


@click.command("tournament", help=_HELP)
@click.argument("what", metavar="[WHAT]...", nargs=-1)
@click.option(
    "--bots",
    "more",
    multiple=True,
    metavar="BOT...",
    help="Bots that take part, as many as you like.",
)
@game_option
@click.option(
    "--form",
    "order",
    type=Word(*FORMS),
    metavar="|".join(FORMS),
    help=f"Who meets whom.  [default: {FORMS[0]}]",
)
@click.option(
    "--games",
    type=WholeNumber(1, MOST_GAMES),
    metavar="N",
    help="Games of each two bots that meet, who begin by turns.  [default: 6]",
)
@click.option(
    "--rounds",
    type=WholeNumber(1, MOST_BOTS),
    metavar="N",
    help="Rounds of a swiss tournament.  [default: as many as are usual]",
)
@click.option(
    "--challenger",
    "challengers",
    multiple=True,
    metavar="NAME",
    help="Who plays against all others in a gauntlet.  [default: the first bot]",
)
@click.option("--third-place", is_flag=True, help="Play for the third place of a knockout, too.")
@playing_options
@form_options
@debug_option
def command(
    what: tuple[str, ...],
    more: tuple[str, ...],
    game: str | None,
    order: str | None,
    games: int | None,
    rounds: int | None,
    challengers: tuple[str, ...],
    third_place: bool,
    parallel: int | None,
    time: float | None,
    opening_moves: int | None,
    seed: int | None,
    sockets: bool,
    out: Path | None,
    as_json: bool,
    as_csv: bool,
    as_markdown: bool,
) -> int:
    """Run ``spielleiter tournament``. Return the exit code."""
    form = choose_form(as_json, as_csv, as_markdown)
    # What is typed wins over what the file says.
    said = {
        "game": game,
        "form": order,
        "games": games,
        "rounds": rounds,
        "challengers": challengers,
        "third_place": third_place,
        "time": time,
        "opening_moves": opening_moves,
        "seed": seed,
        "parallel": parallel,
        "sockets": sockets,
        "out": out,
    }
    typed = {key: value for key, value in said.items() if value not in (None, (), False)}
    try:
        file, words = _read(what, more)
        # The keys of ``said`` are the fields' own names, which mypy cannot see in a dictionary.
        wanted = replace(file, **typed)  # type: ignore[arg-type]
        _check_form(wanted)
        # Whoever writes a file means paths and commands from where it is.
        with contextlib.chdir(wanted.path.parent):
            chosen, players = _find(wanted, words)
            plan = _checked_plan(wanted, chosen, players)
    except TournamentFileError as error:
        raise CliError(error.message, error.hint, ExitCode.USAGE) from None
    except UnknownGame as error:
        raise unknown_game(error) from None
    except BotError as error:
        raise bad_bot(error) from None
    tell_warnings([player.spec for player in players])
    return start(plan, chosen, form, wanted.out, wanted.parallel)


def _read(what: Sequence[str], more: Sequence[str]) -> tuple[TournamentFile, list[str]]:
    """Return what the file says, or nothing if there is none, and the bots that were typed."""
    files = [text for text in what if text.endswith(_SUFFIX)]
    words = [*more, *(text for text in what if text not in files)]
    if len(files) > 1:
        raise click.UsageError(f"a tournament has one file, and these are {len(files)}")
    if files:
        if words:
            raise click.UsageError(f"{files[0]} says who takes part; write {words[0]} into it, too")
        return read_tournament(path_of(files[0])), []
    if not words:
        raise click.UsageError("name a file, a folder with bots, or the bots")
    return TournamentFile(Path()), words


def _check_form(wanted: TournamentFile) -> None:
    for is_said, option, form in (
        (wanted.rounds is not None, "--rounds", "swiss"),
        (bool(wanted.challengers), "--challenger", "gauntlet"),
        (wanted.third_place, "--third-place", "knockout"),
    ):
        if is_said and wanted.form != form:
            raise click.UsageError(f"{option} is for --form {form}, and this is {wanted.form}")


# Who takes part


def _find(wanted: TournamentFile, words: Sequence[str]) -> tuple[AnyGame, list[_Player]]:
    if wanted.lines:
        game, players = _of_file(wanted)
    elif len(words) == 1:
        game, players = _of_one(words[0], wanted.game)
    else:
        game, players = _of_words(words, wanted.game)
    for player in players:
        refuse_people(player.spec)
    _check_names(wanted, players)
    if len(players) < 2:
        raise CliError(
            f"a tournament needs two bots, and there is {len(players) or 'none'}",
            "name more of them, such as greedy",
            ExitCode.USAGE,
        )
    return game, players


def _of_file(wanted: TournamentFile) -> tuple[AnyGame, list[_Player]]:
    folder = None
    if wanted.game is not None:
        game = _known_game(wanted)
    else:
        texts = [entrant.start for entrant in wanted.bots]
        game = choose_game(None, texts, os.environ)
    players = []
    if wanted.folder is not None:
        try:
            folder = read_bot_folder(wanted.folder, wanted.game, os.environ)
        except BotError as error:
            raise wanted.error(("folder",), error.message, error.hint) from None
        if not wanted.bots:
            game = folder.game
        players = _of_folder(folder, wanted.folder)
    for entrant in wanted.bots:
        try:
            spec = find_bot(entrant.start, game)
        except BotError as error:
            raise wanted.error_about(entrant, error.message, error.hint) from None
        name = one_line(entrant.name).strip() if entrant.name else spec.name
        players.append(_Player(entrant.start, name or spec.name, spec, entrant))
    return game, players


def _known_game(wanted: TournamentFile) -> AnyGame:
    assert wanted.game is not None
    try:
        return get_game(wanted.game)
    except UnknownGame as error:
        if ("game",) not in wanted.lines:
            raise
        raise wanted.error(("game",), str(error), "choose one of them") from None


def _of_one(text: str, game: str | None) -> tuple[AnyGame, list[_Player]]:
    """Return the bots in a folder that was named alone."""
    path = path_of(text)
    if not path.is_dir():
        chosen = choose_game(game, [text], os.environ)
        return chosen, [_player(text, chosen)]
    entry = next((name for name in ENTRIES if (path / name).is_file()), None)
    folder = read_bot_folder(path, game, os.environ)
    if entry is not None and len(folder.bots) < 2:
        raise CliError(
            f"{path} is one bot, which plays with its {entry}",
            "name the folder that has the bots in it, or more bots",
            ExitCode.USAGE,
        )
    return folder.game, _of_folder(folder, path)


def _of_words(words: Sequence[str], game: str | None) -> tuple[AnyGame, list[_Player]]:
    """Return bots that were named one by one. A folder that is not a bot is a folder of bots."""
    chosen = choose_game(game, words, os.environ)
    players: list[_Player] = []
    for text in words:
        try:
            players.append(_player(text, chosen))
        except BotError:
            path = path_of(text)
            if not path.is_dir():
                raise
            folder = read_bot_folder(path, chosen.id, os.environ)
            if not folder.bots:
                raise
            players += _of_folder(folder, path)
    return chosen, players


def _player(text: str, game: AnyGame) -> _Player:
    spec = find_bot(text, game)
    return _Player(text, spec.name, spec)


def _of_folder(folder: BotFolder, path: Path) -> list[_Player]:
    """Return the bots in a folder, and say what is left out."""
    for entry in folder.left_out:
        if entry.is_mistake:
            hint = f" ({entry.hint})" if entry.hint else ""
            say(one_line(f"{entry.name} does not take part: {entry.reason}{hint}", 1000))
    others = [entry.name for entry in folder.left_out if not entry.is_mistake]
    if others:
        shown = ", ".join(others[:5]) + (", ..." if len(others) > 5 else "")
        say(one_line(f"in {path}, without a bot and therefore left out: {shown}", 1000))
    return [_Player(bot.text, bot.name, bot.spec) for bot in folder.bots]


def _check_names(wanted: TournamentFile, players: Sequence[_Player]) -> None:
    seen: dict[str, _Player] = {}
    for player in players:
        other = seen.setdefault(player.name, player)
        if other is player:
            continue
        message = f"two bots are called {player.name}: {other.text} and {player.text}"
        if player.entrant is not None:
            raise wanted.error_about(
                player.entrant, message, f'give it a name: start = ... and name = "{player.name} 2"'
            )
        raise CliError(
            message,
            "rename one of them, or give them names in a file: see docs/tournaments.md",
            ExitCode.USAGE,
        )


# The plan


def _checked_plan(wanted: TournamentFile, game: AnyGame, players: Sequence[_Player]) -> RunPlan:
    try:
        return _plan(wanted, game, players)
    except PlanError as error:
        for key in ("rounds", "challengers", "third-place", "form", "games"):
            if (key,) in wanted.lines:
                raise wanted.error((key,), str(error), "see docs/tournaments.md") from None
        raise bad_plan(error) from None


def _plan(wanted: TournamentFile, game: AnyGame, players: Sequence[_Player]) -> RunPlan:
    return RunPlan(
        kind="tournament",
        game=game.id,
        bots=tuple(planned_bot(one.spec, one.text, game, one.name) for one in players),
        form=Form(wanted.form),
        matches=wanted.games,
        seed=choose_seed(wanted.seed),
        opening_moves=choose_moves(wanted.opening_moves, game),
        time=choose_time(wanted.time),
        rounds=wanted.rounds,
        challengers=_challengers(wanted, players),
        third_place=wanted.third_place,
        way=Way.SOCKETS if wanted.sockets else Way.AUTO,
        folder=working_folder(),
    )


def _challengers(wanted: TournamentFile, players: Sequence[_Player]) -> tuple[int, ...]:
    if not wanted.challengers:
        return (0,)
    names = [player.name for player in players]
    numbers = []
    for number, name in enumerate(wanted.challengers):
        if name not in names:
            shown = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
            message, hint = f"no bot is called {name!r}", f"there are {shown}"
            if ("challengers",) in wanted.lines:
                raise wanted.error(("challengers", number), message, hint)
            raise CliError(message, hint, ExitCode.USAGE)
        numbers.append(names.index(name))
    return tuple(numbers)
