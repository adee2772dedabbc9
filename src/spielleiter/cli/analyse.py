"""Say for each move of a recorded match what it cost (``spielleiter analyse``).

The engine judges, ``analysing`` asks it, and ``analysis_text`` shows what it said.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import click

from spielleiter import __version__
from spielleiter.cli import debug_option
from spielleiter.cli.analysing import Analysis, analyse_recording
from spielleiter.cli.analysis_text import draw_curve, list_moves
from spielleiter.cli.errors import CliError, ExitCode, echo_error
from spielleiter.cli.replay_files import read_games
from spielleiter.cli.replay_html import ENDINGS, write_page
from spielleiter.cli.replay_pages import format_result, player_title
from spielleiter.cli.results_files import print_exactly
from spielleiter.cli.terminal import can_show, system_language
from spielleiter.cli.values import Ranges, Seconds, Turns, Word
from spielleiter.engine.telling import tell_text
from spielleiter.replays import RecordedMatch
from spielleiter.rules import Outcome, Text, one_line

_LANGUAGES = ("de", "en")
_WIDEST = 160
_BLOCKS = "▄▀█─│"
_INTERRUPTED = Text(
    "Unterbrochen, bewertet sind {done} von {total} Zügen.",
    "Interrupted, {done} of {total} moves are judged.",
)


@click.command("analyse")
@click.argument("file", metavar="REPLAY", type=click.Path(path_type=Path))
@click.option(
    "--seconds",
    metavar="S",
    type=Seconds(above_zero=True),
    default=1.0,
    show_default=True,
    help="how long to think about each position",
)
@click.option(
    "--turns", metavar="LIST", type=Turns(), help="only these turns, such as 31, 10-20 or 3,40-"
)
@click.option("--player", metavar="WHO", help="speak to this player, who is 1, 2 or a name")
@click.option("--json", "as_json", is_flag=True, help="print JSON")
@click.option(
    "--html",
    "page",
    metavar="PAGE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="also write the match with its analysis as one HTML page",
)
@click.option("--room", metavar="ID", help="the game of this room, if a file has several")
@click.option(
    "--language",
    metavar="|".join(_LANGUAGES),
    type=Word(*_LANGUAGES),
    help="of the text  [default: German where the system is, else English]",
)
@debug_option
def command(
    file: Path,
    seconds: float,
    turns: Ranges | None,
    player: str | None,
    as_json: bool,
    page: Path | None,
    room: str | None,
    language: str | None,
) -> int:
    """Say for each move of a recorded match how good it was and what would have been better.

    The engine thinks about every position: how it stands before and after the move, what the move
    lost, and whether it was good, an inaccuracy, a mistake or a blunder. At the end three sentences
    say how the match went. It needs the package spielleiter-engine. Replays are those that
    spielleiter replay reads, also of matches that ended by a broken rule or on time.

    Ctrl+C ends the thinking, and what is known by then is shown.

    \b
    Examples:
      spielleiter analyse game.xml.gz
      spielleiter analyse game.xml.gz --turns 20-40 --seconds 5 --player 2
      spielleiter analyse game.xml.gz --html match.html
    """
    if page is not None and not page.name.lower().endswith(ENDINGS):
        raise click.UsageError(f"a page ends in {ENDINGS[0]}, and {str(page)!r} does not")
    recorded = next(read_games([file], room))
    if isinstance(recorded, CliError):
        raise recorded
    you = None if player is None else _find_player(recorded, player)
    analysis = analyse_recording(recorded, seconds, turns=turns, you=you)
    if page is not None:
        write_page(recorded, page, analysis.tell())
    if as_json:
        print_exactly(json.dumps(_as_json(recorded, analysis), ensure_ascii=False, indent=1) + "\n")
    else:
        _print(recorded, analysis, language or system_language())
    if page is not None:
        click.echo(f"{one_line(str(page))} written. Open it in a browser.", err=as_json)
    return ExitCode.INTERRUPTED if analysis.was_interrupted else ExitCode.OK


def _find_player(recorded: RecordedMatch, wanted: str) -> int:
    """Return the seat that is meant by a number or a name. Raises CliError."""
    names = [name.strip().lower() for name in recorded.names]
    if wanted in ("1", "2"):
        return int(wanted) - 1
    if names.count(wanted.strip().lower()) == 1:
        return names.index(wanted.strip().lower())
    seats = range(recorded.game.seats)
    titles = ", ".join(f"{seat + 1} {player_title(recorded, seat)}" for seat in seats)
    raise CliError(
        f"there is no player {one_line(wanted)!r}, or there are two", f"choose 1 or 2: {titles}"
    )


# Text


def _print(recorded: RecordedMatch, analysis: Analysis, language: str) -> None:
    review, names = analysis.review, recorded.names
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    versus = {"de": " gegen ", "en": " against "}[language]
    titles = versus.join(_title(recorded, seat, language) for seat in range(recorded.game.seats))
    result = "" if recorded.outcome is None else f", {format_result(recorded)}"
    click.echo(f"{one_line(recorded.source)}: {recorded.game.title}, {titles}{result}\n")
    for line in draw_curve(review, names, width, fancy=can_show(_BLOCKS)):
        click.echo(getattr(line, language))
    click.echo()
    for row in list_moves(review, names, language):
        click.echo(row)
    for problem in review.problems:
        echo_error(getattr(problem, language))
    if analysis.was_interrupted:
        done = sum(move is not None for move in review.moves)
        text = _INTERRUPTED.format(done=done, total=len(review.moves))
        click.echo(f"\n{getattr(text, language)}")
    click.echo()
    for sentence in analysis.sentences:
        click.echo(one_line(getattr(sentence, language), 1000))


def _title(recorded: RecordedMatch, seat: int, language: str) -> str:
    name, title = one_line(recorded.names[seat]).strip(), recorded.game.seat_names[seat]
    return f"{name} ({getattr(title, language)})" if name else getattr(title, language)


# JSON


def _as_json(recorded: RecordedMatch, analysis: Analysis) -> dict[str, Any]:
    return {
        "spielleiter": __version__,
        "source": recorded.source,
        "room": recorded.room_id,
        "game": recorded.game.id,
        "names": list(recorded.names),
        "turns": list(recorded.turns),
        "result": None if recorded.outcome is None else _tell_outcome(recorded.outcome),
        **analysis.tell(),
    }


def _tell_outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "winner": outcome.winner,
        "scores": [list(parts) for parts in outcome.scores],
        "code": outcome.code,
        "regular": outcome.is_regular,
        "causes": [line.cause.value for line in outcome.seats],
        "reason": tell_text(outcome.reason),
    }
