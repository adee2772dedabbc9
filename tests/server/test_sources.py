"""Settings come from files, environment and flags, and mistakes are named with their place."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.server.limits import ServerLimits
from spielleiter.server.settings import Settings, SettingsError
from spielleiter.server.sources import load_settings


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def properties(text: str) -> Settings:
    Path("server.properties").write_text(text)
    return load_settings(Path("server.properties"), None, {}, {})


def toml(text: str) -> Settings:
    Path("spielleiter.toml").write_text(text)
    return load_settings(None, Path("spielleiter.toml"), {}, {})


def test_nothing_given_is_the_defaults() -> None:
    assert load_settings(None, None, {"PATH": "/bin"}, {"port": None}) == Settings()


def test_each_source_wins_over_the_ones_before() -> None:
    Path("server.properties").write_text("password=a\nport=1\npaused=true\nturn=1\ntestMode=true")
    Path("spielleiter.toml").write_text("[server]\nport=2\nturn=2\npassword='b'\nhost='::1'")
    environ = {"SPIELLEITER_PORT": "3", "SPIELLEITER_TURN": "3", "SPIELLEITER_LIMIT_ROOMS": "3"}
    settings = load_settings(
        Path("server.properties"), Path("spielleiter.toml"), environ, {"port": "4", "paused": False}
    )
    assert settings == Settings(
        port=4,
        turn=3,
        password="b",
        host="::1",
        paused=False,
        test_mode=True,
        limits=ServerLimits(rooms=3),
    )


def test_the_official_file_works_as_it_is() -> None:
    settings = properties(
        "# Passwort fuer Administratoren\npassword = geheim\npaused = true\nport: 13051\nlocal = "
        "false\n"
        "timeout = false\nsaveReplay = true\ntestMode = true\nloadGameFile = old.xml.gz\n"
        "turnToLoad = 12\n"
        "plugins = ./plugins\n"
    )
    assert settings == Settings(
        password="geheim",
        paused=True,
        port=13051,
        host="*",
        no_timeout=True,
        save_replays=Path("replays"),
        test_mode=True,
        load=Path("old.xml.gz"),
        turn=12,
    )
    assert settings.notes == (
        "server.properties, line 11: plugins has no effect, the games are built in",
    )


def test_the_other_words_of_the_official_file() -> None:
    settings = properties(
        "password = p\nlocal = true\ntimeout = true\nsaveReplay = false\nturn = 3\nloadGameFile =\n"
    )
    assert settings == Settings(password="p", turn=3)
    assert settings.notes == ()


def test_a_file_without_a_password_locks_everybody_out_until_somebody_else_names_one() -> None:
    settings = properties("paused = false\n")
    assert settings.password is None
    assert settings.notes == (
        "server.properties: no password, so nobody can authenticate; add a line password = ...",
    )
    again = load_settings(Path("server.properties"), None, {"SPIELLEITER_PASSWORD": "p"}, {})
    assert again.password == "p"
    assert properties("password =\n").password is None


def test_an_unknown_property_is_noted_and_no_more() -> None:
    settings = properties("password = p\nsaveReplays = true\nTIMEOUT = 1\ntimeout = 2000\n")
    assert settings == Settings(password="p")
    assert settings.notes == (
        "server.properties, line 2: saveReplays is unknown and ignored; did you mean saveReplay?",
        "server.properties, line 3: TIMEOUT is unknown and ignored",
        "server.properties, line 4: timeout has no effect; it is true or false",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "\nport = 1305O",
            "server.properties, line 2: port: '1305O' is not a whole number from 0 to 65535",
        ),
        ("paused = ja", "server.properties, line 1: paused: 'ja' is not true or false"),
        ("local = no way", "server.properties, line 1: local: 'no way' is not true or false"),
        ("saveReplay = dir", "server.properties, line 1: saveReplay: 'dir' is not true or false"),
        (
            "turnToLoad = -1",
            "server.properties, line 1: turnToLoad: '-1' is not a whole number from 0",
        ),
        (
            "a\nb = \\u00",
            (
                "server.properties, line 2: text: \\u00 is not a character: \\u needs four "
                "hexadecimal "
                "digits"
            ),
        ),
    ],
)
def test_a_mistake_in_the_properties_is_named(text: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        properties(text)
    assert str(caught.value) == message


def test_toml_with_limits_and_either_spelling() -> None:
    settings = toml(
        "[server]\nport = 1\nsoft-timeout = 1\nuvloop = false\n"
        "variants = ['blokus-2021-official']\nsave_replays = 'games'\nlog_level = 'DEBUG'\n"
        "[server.limits]\nunread-bytes = '1M'\nlobby_seconds = 5\n"
    )
    assert settings == Settings(
        port=1,
        soft_timeout=1.0,
        variants=("blokus-2021-official",),
        save_replays=Path("games"),
        log_level="debug",
        limits=ServerLimits(unread_bytes=1048576, lobby_seconds=5.0),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[server]\n\nprot = 1",
            "spielleiter.toml, line 3: server.prot: there is no such setting; did you mean port?",
        ),
        (
            "[server]\nport = '99999'",
            "spielleiter.toml, line 2: server.port: '99999' is not a whole number from 0 to 65535",
        ),
        (
            "server.log_level = 'loud'",
            "spielleiter.toml: server.log_level: 'loud' is not one of debug, info, warning, error",
        ),
        (
            "[server.limits]\nrooms = 0",
            "spielleiter.toml, line 2: server.limits.rooms: 0 is not a whole number from 1",
        ),
        ("server.limits = 3", "spielleiter.toml: server.limits: is a table: [server.limits]"),
        (
            "[server]\nlimits = 3",
            "spielleiter.toml, line 2: server.limits: is a table: [server.limits]",
        ),
        (
            "port = 1",
            "spielleiter.toml, line 1: port: does not belong here; settings stand below [server]",
        ),
        (
            "[arena]\n",
            "spielleiter.toml, line 1: arena: does not belong here; settings stand below [server]",
        ),
        (
            "server = 1",
            "spielleiter.toml, line 1: server: does not belong here; settings stand below [server]",
        ),
    ],
)
def test_a_mistake_in_toml_is_named(text: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        toml(text)
    assert str(caught.value) == message


def test_an_unlike_key_lists_those_there_are() -> None:
    with pytest.raises(
        SettingsError,
        match=r"server.limits.zzz: there is no such setting; there are message_bytes, ",
    ):
        toml("[server.limits]\nzzz = 1")


@pytest.mark.parametrize(
    "text", ["[server", "a = \ud800", "a = " + "[" * 5000, "a = " + "9" * 5000]
)
def test_what_is_no_toml_says_so(text: str) -> None:
    Path("spielleiter.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(
        SettingsError, match=r"spielleiter.toml: (text: is not TOML: |a: does not belong)"
    ):
        load_settings(None, Path("spielleiter.toml"), {}, {})


def test_a_password_that_is_no_text_is_not_shown() -> None:
    with pytest.raises(SettingsError) as caught:
        toml("[server]\npassword = 1234")
    assert (
        str(caught.value) == "spielleiter.toml, line 2: server.password: this value is not a text"
    )


def test_missing_files_are_named() -> None:
    with pytest.raises(SettingsError, match=r"none.properties: file: cannot be read: "):
        load_settings(Path("none.properties"), None, {}, {})
    with pytest.raises(SettingsError, match=r"none.toml: file: cannot be read: "):
        load_settings(None, Path("none.toml"), {}, {})


def test_environment() -> None:
    environ = {
        "SPIELLEITER_SAVE_REPLAYS": "x",
        "SPIELLEITER_VARIANTS": "a,b",
        "SPIELLEITER_PROT": "1",
    }
    settings = load_settings(None, None, environ, {})
    assert settings == Settings(save_replays=Path("x"), variants=("a", "b"))
    assert settings.notes == (
        "environment: SPIELLEITER_PROT is unknown and ignored; did you mean SPIELLEITER_PORT?",
    )
    with pytest.raises(SettingsError) as caught:
        load_settings(None, None, {"SPIELLEITER_PAUSED": "perhaps"}, {})
    assert str(caught.value) == "environment: SPIELLEITER_PAUSED: 'perhaps' is not true or false"


def test_the_game_is_set_once_for_everything() -> None:  # W118
    assert load_settings(None, None, {"SPIELLEITER_GAME": "blokus-2027"}, {}).game == "blokus-2027"
    assert (
        load_settings(None, None, {"SPIELLEITER_GAME": "swc_2027_blokus"}, {}).game == "blokus-2027"
    )
    assert load_settings(None, None, {"SPIELLEITER_GAME": ""}, {}).game == "blokus-2021"
    assert (
        load_settings(None, None, {"SPIELLEITER_GAME": "blokus-2021"}, {"game": "blokus-2027"}).game
        == "blokus-2027"
    )
    for environ, flags, place in (
        ({"SPIELLEITER_GAME": "chess"}, {}, "environment: SPIELLEITER_GAME"),
        ({}, {"game": "chess"}, "command line: --game"),
    ):
        with pytest.raises(SettingsError) as caught:
            load_settings(None, None, environ, flags)
        assert str(caught.value).startswith(
            f"{place}: there is no game 'chess'; there are: blokus-20"
        )


def test_a_mistake_in_a_flag_is_named_as_it_is_typed() -> None:
    for key, raw, message in (
        ("port", "x", "command line: --port: 'x' is not a whole number from 0 to 65535"),
        ("replay_gzip", "x", "command line: --gzip: 'x' is not true or false"),
        (
            "limit_rooms",
            "x" * 99,
            f"command line: --limit-rooms: '{'x' * 56}... is not a whole number from 1",
        ),
    ):
        with pytest.raises(SettingsError) as caught:
            load_settings(None, None, {}, {key: raw})
        assert str(caught.value) == message


@given(st.binary(max_size=60), st.binary(max_size=60), st.text(max_size=20))
def test_any_bytes_give_settings_or_a_settings_error(
    first: bytes, second: bytes, value: str
) -> None:
    Path("any.properties").write_bytes(b"port=" + first)
    Path("any.toml").write_bytes(b"[server]\nport=" + second)
    for properties_file, toml_file in ((Path("any.properties"), None), (None, Path("any.toml"))):
        try:
            settings = load_settings(properties_file, toml_file, {"SPIELLEITER_TURN": value}, {})
        except SettingsError:
            continue
        assert 0 <= settings.port <= 65535
