"""The page runs beside a server, says where, and stands in nobody's way."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from spielleiter.server import Server, ServerError, Settings
from spielleiter.server.sockets import listen
from spielleiter.web import program
from spielleiter.web.program import open_page
from web.browsing import PATIENCE, Browser


def run(test: object) -> None:
    asyncio.run(asyncio.wait_for(test, PATIENCE))  # type: ignore[arg-type]


def test_the_page_of_a_running_server() -> None:
    async def main() -> None:
        settings = Settings(host="127.0.0.1", port=0, web_port=0)
        server = Server(settings)
        await server.start()
        try:
            async with open_page(server, settings) as page:
                assert page is not None
                assert page.address == f"http://127.0.0.1:{page.port}/"
                assert page.link() == f"{page.address}#key={page.site.access.key}"
                assert page.link("match/7").startswith(f"{page.address}match/7#key=")
                browser = Browser(page.site, page.port)
                info = (await browser.get("/api/info", **browser.key)).value
                assert info["server"] == {"host": "127.0.0.1", "port": server.port, "limit": 2.0}
                assert info["may"] == {"do": True, "start": True, "open": True}
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(b"<protocol><join/>")
                await reader.readuntil(b"<joined")
                (match,) = (await browser.get("/api/matches")).value["matches"]
                assert match["phase"] == "waiting"
                assert [seat["joined"] for seat in match["seats"]] == [True, False]
                writer.close()
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection("127.0.0.1", page.port)
            assert server.lobby.feed is server.feed
        finally:
            await server.stop()

    run(main())


def test_it_ends_although_somebody_watches_and_somebody_says_nothing() -> None:
    async def main() -> None:
        settings = Settings(host="127.0.0.1", web_port=0)
        async with open_page(None, settings) as page:
            assert page is not None
            browser = Browser(page.site, page.port)
            live = await browser.socket("/api/live")
            _, silent = await asyncio.open_connection("127.0.0.1", page.port)
        silent.close()
        await live.close()

    run(main())


def test_a_port_that_somebody_named_and_that_is_taken_is_an_error() -> None:
    async def main() -> None:
        (taken,) = listen("127.0.0.1", 0)
        taken.listen()
        settings = Settings(host="127.0.0.1", web_port=taken.getsockname()[1])
        with taken, pytest.raises(ServerError, match="--web-port, or leave the page out"):
            await open_page(None, settings).__aenter__()

    run(main())


def test_without_a_name_the_next_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        with ExitStack() as stack:
            taken = stack.enter_context(listen("127.0.0.1", 0)[0])
            taken.listen()
            port = taken.getsockname()[1]
            monkeypatch.setattr(program, "USUAL_PORT", port)
            monkeypatch.setattr(program, "PORTS_TRIED", 1)
            async with open_page(None, Settings(host="127.0.0.1")) as page:
                assert page is None
            monkeypatch.setattr(program, "PORTS_TRIED", 65535 - port)
            async with open_page(None, Settings(host="127.0.0.1")) as page:
                assert page is not None
                assert page.port > port

    run(main())


def test_the_page_listens_on_this_machine_alone_unless_it_is_told_otherwise() -> None:
    async def main() -> None:
        async with open_page(None, Settings(web_port=0)) as page:
            assert page is not None
            assert page.host == "localhost"
            assert not page.site.access.knows_host("elsewhere.example")
        settings = Settings(web_port=0, web_host="127.0.0.1", web_name=("room.example",))
        async with open_page(None, settings) as page:
            assert page is not None
            assert page.host == "127.0.0.1"
            assert page.site.access.knows_host("room.example:80")

    run(main())
