"""Show the matches of ``spielleiter play`` on a page in the browser.

The page belongs to the server of the match and stays when the match is over. What it shows is the
business of ``web``.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import webbrowser
from collections.abc import AsyncIterator
from dataclasses import replace

import click

from spielleiter.arena.arena_match import ArenaMatch
from spielleiter.arena.match import open_server
from spielleiter.cli.display import has_display
from spielleiter.cli.errors import CliError
from spielleiter.server import ServerError, Settings
from spielleiter.server.clock import FairClock
from spielleiter.web.answers import Mistake
from spielleiter.web.program import OpenPage, open_page
from spielleiter.web.started import Order, StartedMatch


@contextlib.asynccontextmanager
async def open_play_page(settings: Settings, clock: FairClock) -> AsyncIterator[PlayPage]:
    """Open a server with a page. Raises CliError."""
    try:
        async with (
            open_server(settings, clock) as server,
            open_page(server, replace(settings, web_host="localhost")) as page,
        ):
            if page is None:
                raise CliError(
                    "there is no free port for the page",
                    "show the game in the terminal: --watch terminal",
                )
            yield PlayPage(page)
    except ServerError as error:
        raise CliError(str(error)) from None


class PlayPage:
    """A page on which matches are shown one after the other."""

    def __init__(self, page: OpenPage) -> None:
        self._page = page
        self._is_shown = False
        self._before: StartedMatch | None = None

    async def play(self, order: Order) -> ArenaMatch:
        """Play a match and show where it can be seen."""
        desk = self._page.site.desk
        assert desk is not None
        try:
            match = await desk.start(order)
        except Mistake as error:
            raise CliError(error.text.en) from None
        if self._before is not None:
            self._before.lead_to(match)
        self._before = match
        await self._show(self._link(match))
        await self._until_over(match)
        while match.successor is not None:  # a move was taken back, and it goes on there
            match = self._before = await match.successor
            await self._until_over(match)
        if match.played is None:
            raise CliError("the game was ended before it began")
        return match.played

    @staticmethod
    async def _until_over(match: StartedMatch) -> None:
        assert match.task is not None
        try:
            await asyncio.wait({match.task})
        except asyncio.CancelledError:
            match.task.cancel()
            await asyncio.wait({match.task})
            raise

    def _link(self, match: StartedMatch) -> str:
        """Return the address of the match, with the seats of people in it."""
        link = self._page.link(f"match/{match.id}")
        if not any(match.people):
            return link
        tokens = ",".join("" if seat is None else seat.token for seat in match.people)
        return f"{link}&seats={tokens}"

    async def _show(self, link: str) -> None:
        click.echo(f"The page: {link}")
        if not self._is_shown and has_display(os.environ):
            self._is_shown = True
            # Some browsers keep whoever opens them waiting.
            with contextlib.suppress(webbrowser.Error):
                await asyncio.to_thread(webbrowser.open, link)

    async def stay(self) -> None:
        """Keep the page until somebody ends us."""
        click.echo("The page stays open; Ctrl+C ends.")
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
