"""Find the runs and games that the options of ``spielleiter results`` name. Prints only trouble."""

from __future__ import annotations

import contextlib
import difflib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from spielleiter.arena.results.choice import TROUBLE, Choice
from spielleiter.arena.results.collection import CollectedMatch, Collection
from spielleiter.arena.results.exports import Chosen
from spielleiter.arena.results.failures import RunFailure, first_failures
from spielleiter.arena.results.joining import join
from spielleiter.arena.results.places import databases_below
from spielleiter.arena.results.reading import collect
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.reader import RunPlace, StoreReader, join_runs
from spielleiter.arena.store.values import FILE_NAME
from spielleiter.cli.errors import CliError, ExitCode, echo_error
from spielleiter.rules import LOSS, WIN, one_line


def find_databases(dirs: Sequence[Path]) -> list[Path]:
    """Return the databases in these places, each once. Raises CliError where there is none."""
    found: dict[Path, None] = {}
    for place in dirs or (Path(),):
        path = Path(os.path.expanduser(place))  # noqa: PTH111 - Path's raises where there is no such user
        if path.is_dir():
            here = list(databases_below(path))
            if not here:
                raise CliError(
                    f"there is no run in {one_line(str(path))}",
                    f"name the folder of a run, which has a file {FILE_NAME}, or one above it; "
                    "spielleiter match and tournament make them",
                )
            found.update(dict.fromkeys(here))
        elif path.exists():
            found[path] = None
        else:
            raise CliError(
                f"there is no {one_line(str(path))}", "name the folder of a run, or one above it"
            )
    return list(found)


class Runs:
    """All runs in some places, with how many of these could not be read."""

    def __init__(self, dirs: Sequence[Path], game_id: str | None) -> None:
        self.readers = contextlib.ExitStack()
        self.problems = 0
        readers = []
        for path in find_databases(dirs):
            try:
                readers.append(self.readers.enter_context(StoreReader(path)))
            except StoreError as error:
                self._tell(error)
        self.collections: list[Collection] = []
        try:
            places, left_out = join_runs(readers)
        except StoreError as error:
            self.readers.close()
            raise explained(error) from error
        for sentence in left_out:
            click.echo(f"note: {one_line(sentence, 2000)}", err=True)
        self.places: list[RunPlace] = []
        for place in places:
            if game_id is not None and place.stored.run.game != game_id:
                continue
            try:
                self.collections.append(collect(place))
                self.places.append(place)
            except StoreError as error:
                self._tell(error)
        if not self.collections and not self.problems:
            self.readers.close()
            what = f" of {game_id}" if game_id else ""
            raise CliError(f"there is no run{what} there", "spielleiter match plays one")

    def __enter__(self) -> Runs:
        return self

    def __exit__(self, *_: object) -> None:
        self.readers.close()

    def by_game(self) -> list[Collection]:
        """Return all runs, those of one game joined."""
        games: dict[str, list[Collection]] = {}
        for collection in self.collections:
            games.setdefault(collection.game.id, []).append(collection)
        return [join(collections) for collections in games.values()]

    def with_failures(self) -> Iterator[tuple[Collection, Mapping[int, RunFailure]]]:
        """Yield each run, and why bots of it failed first, by number."""
        for place, collection in zip(self.places, self.collections, strict=True):
            figures = collection.findings.sheet.figures
            try:
                yield collection, first_failures(place.reader, place.stored.id, figures)
            except StoreError as error:
                self._tell(error)
                yield collection, {}

    @property
    def exit_code(self) -> int:
        """What the command returns if nothing else goes wrong."""
        return ExitCode.FAILED if self.problems else ExitCode.OK

    def _tell(self, error: StoreError) -> None:
        self.problems += 1
        echo_error(error.message, error.advice)


def explained(error: StoreError) -> CliError:
    """Return trouble with a database as an error that ends the command."""
    return CliError(error.message, error.advice)


class Filter:
    """What the options for single games ask for, whatever the bots' numbers are."""

    def __init__(
        self,
        bot: str | None,
        opponent: str | None,
        points: str | None,
        cause: str | None,
        seat: str | None,
        numbers: Sequence[int],
    ) -> None:
        self._bot, self._opponent = bot, opponent
        self._points = None if points is None else int(points)
        self._causes = None if cause is None else TROUBLE[cause]
        self._seat = None if seat is None else ("first", "second").index(seat)
        self._numbers = frozenset(numbers)
        self.asks = any(
            value is not None for value in (bot, opponent, points, cause, seat)
        ) or bool(numbers)

    def choose(self, collections: Sequence[Collection]) -> Iterator[Chosen]:
        """Yield the games that are asked for. Raises CliError for a bot that nobody knows."""
        for name in (self._bot, self._opponent):
            if name is not None and not any(_find_bots(one, name) for one in collections):
                raise _unknown_bot(name, collections)
        for one in collections:
            yield Chosen(one, tuple(self._chosen(one)))

    def _chosen(self, collection: Collection) -> Iterator[CollectedMatch]:
        bots: Sequence[int | None] = self._numbers_of(collection, self._bot)
        if self._bot is None and (self._points in (WIN, LOSS) or self._seat is not None):
            bots = [0]  # as match A B asks about A
        choices = [
            Choice(bot, opponent, self._points, self._seat, self._causes, self._numbers)
            for bot in bots
            for opponent in self._numbers_of(collection, self._opponent)
        ]
        for match in collection.matches:
            if any(match in choice for choice in choices):
                yield match

    @staticmethod
    def _numbers_of(collection: Collection, name: str | None) -> Sequence[int | None]:
        return [None] if name is None else _find_bots(collection, name)


def _find_bots(collection: Collection, name: str) -> list[int]:
    """Return the bots that are meant, which are several where versions share a name."""
    wanted = name.casefold()
    labels = [label.casefold() for label in collection.labels]
    if wanted in labels:
        return [labels.index(wanted)]
    return [
        number for number, bot in enumerate(collection.bots) if bot.bot.name.casefold() == wanted
    ]


def _unknown_bot(name: str, collections: Sequence[Collection]) -> CliError:
    known = list(dict.fromkeys(label for one in collections for label in one.labels))
    close = difflib.get_close_matches(name, known, n=1)
    some = ", ".join(known[:20]) + (", ..." if len(known) > 20 else "")
    hint = f"did you mean {close[0]}?" if close else f"there are {some}"
    return CliError(f"no bot there is called {name!r}", hint, ExitCode.USAGE)
