"""A real server with the page, and a real Chromium to look at it.

``make browser`` runs these tests. Without a Chromium they are skipped in one line, unless
BROWSER_TESTS says "required".
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

import children
from browsing import (
    MISSING,
    PATIENCE_MS,
    Opener,
    Served,
    Visit,
    end,
    find_chromium,
    read_address,
    serve,
    watch,
)

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium for all tests. Each test has contexts of its own."""
    path = find_chromium()
    if path is None:
        (pytest.fail if os.environ.get("BROWSER_TESTS") == "required" else pytest.skip)(MISSING)
    with children.kept():
        playwright = sync_playwright().start()
        # A container has no user namespaces, and root may not use the sandbox without them.
        chromium = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
    yield chromium
    chromium.close()
    playwright.stop()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server in a folder of its own. Tests share it and see each other's finished matches."""
    folder = tmp_path_factory.mktemp("served")
    with children.kept():
        process = serve(folder)
    try:
        yield read_address(process, folder)
    finally:
        end(process)


@pytest.fixture
def context_of(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Make contexts, which are as different browsers, and close them after the test."""
    contexts: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        options.setdefault("viewport", {"width": 1280, "height": 800})
        options.setdefault("locale", "en-GB")
        options.setdefault("reduced_motion", "reduce")
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def visit(served: Served, context_of: Callable[..., BrowserContext]) -> Iterator[Opener]:
    """Open a path of the page, with the owner's key unless told otherwise.

    At the end of the test no match is on any more, and no page may have complained.
    """
    visits: list[Visit] = []

    def open_path(
        path: str, *, key: bool = True, context: BrowserContext | None = None, **options: Any
    ) -> Visit:
        page = (context or context_of(**options)).new_page()
        one = watch(page)
        visits.append(one)
        base, _, fragment = path.partition("#")
        parts = [f"key={served.key}"] if key else []
        parts += [fragment] if fragment else []
        address = path if "://" in path else f"{served.address}{base}#{'&'.join(parts)}"
        page.goto(address)
        return one

    yield open_path
    served.end_all()
    for one in visits:
        one.check()
