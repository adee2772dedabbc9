"""``spielleiter watch``: the page of another server, and what can be wrong with its address."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request

import pytest
from click.testing import CliRunner

import children
from spielleiter import cli
from spielleiter.cli.errors import CliError
from spielleiter.cli.watch import parse_address

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("localhost:13050", ("localhost", 13050)),
        ("192.168.1.20", ("192.168.1.20", 13050)),
        ("[::1]:7", ("::1", 7)),
        ("[::1]", ("::1", 13050)),
    ],
)
def test_addresses(text: str, found: tuple[str, int]) -> None:
    assert parse_address(text) == found


@pytest.mark.parametrize("text", ["", ":", "host:", "host:0", "host:65536", "host:x", ":13050"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(CliError, match="is not the address of a server"):
        parse_address(text)


def test_no_server_is_one_clear_line() -> None:
    result = CliRunner().invoke(
        cli.main, ["watch", "--server", "127.0.0.1:9", "--web-port", "0", "--password", "x"]
    )
    assert result.exit_code == 1
    assert result.stderr.startswith("spielleiter: no server answers at 127.0.0.1:9")


@posix
def test_a_server_is_watched_until_ctrl_c() -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY")
    } | {"SSH_CONNECTION": "so that no browser is opened"}
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    ourselves = [sys.executable, "-m", "spielleiter"]
    serve = [*ourselves, "serve", "--port", "0", "--password", "secret", "--no-web"]
    with children.running(serve, **options, env=environment) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        watch = [*ourselves, "watch", "--server", address, "--web-port", "0"]
        secret = environment | {"SPIELLEITER_PASSWORD": "secret"}
        with children.running(watch, **options, env=secret) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == f"Watching {address}; Ctrl+C ends.\n"
            link = process.stdout.readline().removeprefix("The page: ").partition("#")[0]
            with urllib.request.urlopen(f"{link}api/info", timeout=30) as answer:
                info = json.load(answer)
            assert (info["server"], info["remote"]) == (None, address)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (130, "\nspielleiter: interrupted\n")
