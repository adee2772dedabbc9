"""Every setting has help and a flag, and settings that cannot work are refused with a reason."""

import logging
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from spielleiter import games
from spielleiter.server import kinds
from spielleiter.server.limits import ServerLimits
from spielleiter.server.settings import (
    EXAMPLE_PASSWORD,
    SPECS,
    Settings,
    SettingsError,
    check_settings,
)


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three games by name, so that these tests need no rules."""
    codecs = {"2021-newest": None, "2021-oldest": None}
    shelf = (
        SimpleNamespace(id="blokus-2021", game_type="swc_2021_blokus", codecs=codecs),
        SimpleNamespace(id="blokus-2021-official", game_type="swc_2021_blokus", codecs=codecs),
        SimpleNamespace(id="hui-2018", game_type="swc_2018_hase_und_igel", codecs={"2018": None}),
    )
    monkeypatch.setattr(games, "_HOUSE", ())
    monkeypatch.setattr(games, "_installed", lambda: shelf)


def test_the_documented_defaults() -> None:
    settings = Settings()
    assert (settings.host, settings.port, settings.password) == (
        "localhost",
        13050,
        "examplepassword",
    )
    assert (settings.soft_timeout, settings.hard_timeout, settings.no_timeout) == (2.0, 10.0, False)
    assert (settings.paused, settings.save_replays, settings.revision) == (
        False,
        None,
        "2021-newest",
    )
    limits = settings.limits
    assert (limits.message_bytes, limits.token_bytes, limits.nesting) == (65536, 8192, 16)
    assert (limits.attributes, limits.names, limits.unread_bytes) == (32, 256, 4194304)
    check_settings(settings)


def test_every_field_is_a_setting_with_help() -> None:
    documented = {field.name for field in (*fields(Settings), *fields(ServerLimits))} - {
        "limits",
        "notes",
    }
    assert {spec.name for spec in SPECS.values()} == documented
    assert all(len(spec.help) > 10 for spec in SPECS.values())


def test_flags_are_unique() -> None:
    flags = [part for spec in SPECS.values() for flag in spec.flags for part in flag.split("/")]
    assert len(flags) == len(set(flags))
    assert {
        "-p",
        "--port",
        "--no-uvloop",
        "--gzip",
        "--variant",
        "--loadGameFile",
        "--limit-rooms",
    } <= set(flags)
    assert {
        "--no-timeout",
        "--soft-timeout",
        "--save-replays",
        "--allow-example-password",
        "--paused",
    } <= set(flags)


@pytest.mark.parametrize("spec", SPECS.values(), ids=lambda spec: spec.key)
def test_defaults_are_values_their_own_kind_accepts(spec: object) -> None:
    assert spec.kind.read(spec.default) == spec.default


def test_log_levels_are_those_of_logging() -> None:
    for word in SPECS["log_level"].kind.metavar.split("|"):
        assert isinstance(logging.getLevelName(word.upper()), int)


def test_the_password_does_not_show() -> None:
    assert "secret" not in repr(Settings(password="secret"))


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.5.6.7", True),
        ("::1", True),
        ("a.localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("*", False),
        ("", False),
        ("192.168.0.7", False),
        ("fe80::1%eth0", False),
        ("localhost.example.org", False),
        ("example.org", False),
    ],
)
def test_the_example_password_stays_on_this_machine(host: str, local: bool) -> None:
    settings = Settings(host=host)
    assert settings.is_local is local
    if local:
        check_settings(settings)
    else:
        with pytest.raises(SettingsError, match=r"settings: password: .* example password"):
            check_settings(settings)
    check_settings(replace(settings, password="another"))
    check_settings(replace(settings, password=None))
    check_settings(replace(settings, password=EXAMPLE_PASSWORD, allow_example_password=True))


def test_every_interface_is_none_for_the_event_loop() -> None:
    assert [Settings(host=host).bind_host for host in ("*", "", "::", "localhost")] == [
        None,
        None,
        "::",
        "localhost",
    ]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(soft_timeout=3, hard_timeout=2), "hard_timeout: 2 s is below soft_timeout, 3 s"),
        (
            Settings(limits=ServerLimits(message_bytes=10)),
            "limit_token_bytes: 8192 is above limit_message_bytes, 10",
        ),
        (Settings(turn=3), "turn: says where in a replay to begin; name the replay with load"),
        (Settings(load=Path("missing.xml")), "load: 'missing.xml' is not a file that is there"),
        (Settings(load=Path("n" * 9999)), "load: '.*' cannot be looked at: "),
        (Settings(save_replays=Path(__file__)), "save_replays: .* is a file; name a folder"),
        (
            Settings(variants=("chess",)),
            "variants: there is no game 'chess'; there are: blokus-2021, ",
        ),
        (
            Settings(variants=("blokus-2021", "blokus-2021-official")),
            "variants: blokus-2021 and blokus-2021-official are both swc_2021_blokus; choose one",
        ),
        (
            Settings(revision="1999"),
            "revision: '1999' is not one of 2018, 2021-newest, 2021-oldest",
        ),
    ],
)
def test_what_cannot_work_is_refused(settings: Settings, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        check_settings(settings)


def test_a_loaded_replay_and_its_turn(tmp_path: Path) -> None:
    replay = tmp_path / "replay.xml"
    replay.write_text("<protocol/>")
    check_settings(Settings(load=replay, turn=0, save_replays=tmp_path / "new"))


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        (kinds.BOOLEAN, " TRUE ", True),
        (kinds.BOOLEAN, "off", False),
        (kinds.BOOLEAN, True, True),
        (kinds.PORT, " 13050 ", 13050),
        (kinds.PORT, 0, 0),
        (kinds.SECONDS, "1.5", 1.5),
        (kinds.SECONDS, 2, 2.0),
        (kinds.SIZE, "64k", 65536),
        (kinds.SIZE, "4 MiB", 4194304),
        (kinds.SIZE, "10B", 10),
        (kinds.SIZE, 7, 7),
        (kinds.FOLDER, "", None),
        (kinds.FOLDER, "a/b", Path("a/b")),
        (kinds.NAMES, "a, b,", ("a", "b")),
        (kinds.NAMES, ["a"], ("a",)),
        (kinds.PASSWORD, "", None),
        (kinds.PASSWORD, " x ", " x "),
        (kinds.optional(kinds.COUNT), "", None),
        (kinds.choice("on", "off"), "ON", "on"),
    ],
)
def test_kinds_read(kind: kinds.Kind, raw: object, value: object) -> None:
    read = kind.read(raw)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        (kinds.BOOLEAN, "maybe"),
        (kinds.BOOLEAN, 1),
        (kinds.PORT, 65536),
        (kinds.PORT, "-1"),
        (kinds.PORT, "1_0"),
        (kinds.PORT, "٣"),
        (kinds.PORT, True),
        (kinds.PORT, 1.0),
        (kinds.COUNT, 0),
        (kinds.SECONDS, "0"),
        (kinds.SECONDS, "nan"),
        (kinds.SECONDS, float("inf")),
        (kinds.SECONDS, 10**400),
        (kinds.SECONDS, "soon"),
        (kinds.SECONDS, True),
        (kinds.SIZE, "0"),
        (kinds.SIZE, "4G"),
        (kinds.TEXT, 3),
        (kinds.NAMES, [3]),
        (kinds.NAMES, {}),
        (kinds.PASSWORD, 1234),
        (kinds.FOLDER, 3),
        (kinds.FOLDER, "~nobody-of-this-name/x"),
        (kinds.choice("on", "off"), "auto"),
    ],
)
def test_kinds_refuse(kind: kinds.Kind, raw: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  the words are for nobody: the setting's own message is tested
        kind.read(raw)
