"""Gather the settings from defaults, ``server.properties``, TOML, environment and flags.

These are read in this order, and the later one wins.

What the values mean is in ``settings``.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from spielleiter.rules import UnknownGame
from spielleiter.server import kinds
from spielleiter.server.limits import ServerLimits
from spielleiter.server.properties import Entry, PropertiesError, decode_properties, read_entries
from spielleiter.server.settings import (
    ALL_INTERFACES,
    SPECS,
    Settings,
    SettingsError,
    Spec,
)

PREFIX = "SPIELLEITER_"
OFFICIAL_REPLAYS = "replays"
"""The folder below the working directory into which the official servers save."""


class _RawValue(NamedTuple):
    """A value before it is read, with its setting, its place and what it is called there."""

    spec: Spec
    raw: object
    where: str
    called: str


def load_settings(
    properties: Path | None,
    toml: Path | None,
    environ: Mapping[str, str],
    flags: Mapping[str, object],
) -> Settings:
    """Return the settings from all sources. Raises SettingsError.

    A flag that is None was not given.

    Flags win over files (W60). Relative paths are relative to the working directory, as with the
    official servers.
    """
    notes: list[str] = []
    values: dict[str, Any] = {}
    for given in _all_values(properties, toml, environ, flags, notes):
        values[given.spec.key] = _read(given)
    plain = {SPECS[key].name: value for key, value in values.items() if not SPECS[key].is_limit}
    limits = {SPECS[key].name: value for key, value in values.items() if SPECS[key].is_limit}
    return Settings(**plain, limits=ServerLimits(**limits), notes=tuple(notes))


def _all_values(
    properties: Path | None,
    toml: Path | None,
    environ: Mapping[str, str],
    flags: Mapping[str, object],
    notes: list[str],
) -> Iterator[_RawValue]:
    if properties is not None:
        yield from _from_properties(properties, notes)
    if toml is not None:
        yield from _from_toml(toml)
    yield from _from_environ(environ, notes)
    for key, raw in flags.items():
        if raw is not None:
            spec = SPECS[key]
            yield _RawValue(spec, raw, "command line", _long_flag(spec))


def _read(given: _RawValue) -> object:
    try:
        return given.spec.kind.read(given.raw)
    except UnknownGame as unknown:
        raise SettingsError(given.where, given.called, str(unknown)) from None
    except ValueError:
        # Neither the value nor ValueError's own words are shown for a password: they may hold it.
        shown = "this value" if given.spec.kind is kinds.PASSWORD else _shorten(given.raw)
        raise SettingsError(
            given.where, given.called, f"{shown} is not {given.spec.kind.allowed}"
        ) from None


def _shorten(raw: object) -> str:
    shown = repr(raw)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _long_flag(spec: Spec) -> str:
    return next(flag for flag in spec.flags if flag.startswith("--")).partition("/")[0]


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(
            str(path), "file", f"cannot be read: {error.strerror or error}"
        ) from None


# -- server.properties -----------------------------------------------------------------------------


def _local_to_host(raw: str) -> object:
    return "localhost" if kinds.BOOLEAN.read(raw) else ALL_INTERFACES


def _timeout_to_no_timeout(raw: str) -> object:
    return not kinds.BOOLEAN.read(raw)


def _save_to_folder(raw: str) -> object:
    return OFFICIAL_REPLAYS if kinds.BOOLEAN.read(raw) else None


def _as_it_is(raw: str) -> object:
    return raw


_OFFICIAL: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "password": ("password", _as_it_is),
    "paused": ("paused", _as_it_is),
    "port": ("port", _as_it_is),
    "local": ("host", _local_to_host),
    "timeout": ("no_timeout", _timeout_to_no_timeout),
    "saveReplay": ("save_replays", _save_to_folder),
    "testMode": ("test_mode", _as_it_is),
    "loadGameFile": ("load", _as_it_is),
    "turn": ("turn", _as_it_is),
    "turnToLoad": ("turn", _as_it_is),
}
_WITHOUT_EFFECT = ("plugins",)
"""Keys that official files have and that do nothing, on the official servers neither (W64)."""

PROPERTIES = (*_OFFICIAL, *_WITHOUT_EFFECT)
"""Every key that ``server.properties`` may have."""


def _from_properties(path: Path, notes: list[str]) -> Iterator[_RawValue]:
    # A file without a password locks everybody out, as with the official servers (W61).
    yield _RawValue(SPECS["password"], None, str(path), "password")
    try:
        entries = list(read_entries(decode_properties(_read_bytes(path))))
    except PropertiesError as error:
        raise SettingsError(f"{path}, line {error.line}", "text", error.reason) from None
    if not any(entry.key == "password" for entry in entries):
        notes.append(f"{path}: no password, so nobody can authenticate; add a line password = ...")
    for entry in entries:
        given = _from_entry(path, entry, notes)
        if given is not None:
            yield given


def _from_entry(path: Path, entry: Entry, notes: list[str]) -> _RawValue | None:
    where = f"{path}, line {entry.line}"
    if entry.key in _WITHOUT_EFFECT:
        notes.append(f"{where}: {entry.key} has no effect, the games are built in")
        return None
    if entry.key not in _OFFICIAL:
        notes.append(f"{where}: {entry.key} is unknown and ignored{_suggest(entry.key, _OFFICIAL)}")
        return None
    key, translate = _OFFICIAL[entry.key]
    try:
        return _RawValue(SPECS[key], translate(entry.value), where, entry.key)
    except ValueError:
        # Until 2021 the key was read and never looked at, so any value may stand there (W63).
        if entry.key == "timeout":
            notes.append(f"{where}: timeout has no effect; it is true or false")
            return None
        reason = f"{_shorten(entry.value)} is not {kinds.BOOLEAN.allowed}"
        raise SettingsError(where, entry.key, reason) from None


# -- TOML ------------------------------------------------------------------------------------------


def _from_toml(path: Path) -> Iterator[_RawValue]:
    try:
        text = _read_bytes(path).decode()
        document = tomllib.loads(text)
    # RecursionError is what tomllib raises where tables are nested too deep.
    except (ValueError, RecursionError) as error:
        raise SettingsError(str(path), "text", f"is not TOML: {error}") from None
    for key, raw in document.items():
        if key != "server" or not isinstance(raw, dict):
            raise SettingsError(
                _place(path, text, key), key, "does not belong here; settings stand below [server]"
            )
    server = document.get("server", {})
    limits = server.pop("limits", {})
    if not isinstance(limits, dict):
        raise SettingsError(
            _place(path, text, "limits"), "server.limits", "is a table: [server.limits]"
        )
    yield from _from_table(path, text, server, "")
    yield from _from_table(path, text, limits, "limit_")


def _from_table(
    path: Path, text: str, table: Mapping[str, object], prefix: str
) -> Iterator[_RawValue]:
    title = "server.limits" if prefix else "server"
    known = {spec.name: spec for spec in SPECS.values() if spec.is_limit == bool(prefix)}
    for name, raw in table.items():
        where, called = _place(path, text, name), f"{title}.{name}"
        spec = known.get(name.replace("-", "_"))
        if spec is None:
            hint = _suggest(name, known) or f"; there are {', '.join(known)}"
            raise SettingsError(where, called, f"there is no such setting{hint}")
        yield _RawValue(spec, raw, where, called)


def _place(path: Path, text: str, key: str) -> str:
    """Return the file with the line of the key, where only one line can be it.

    The line is searched for, because tomllib does not tell it.
    """
    pattern = re.compile(rf"""\s*(?:\[\[?\s*)?["']?{re.escape(key)}["']?\s*[=.\]]""")
    lines = [
        number for number, line in enumerate(text.splitlines(), start=1) if pattern.match(line)
    ]
    return f"{path}, line {lines[0]}" if len(lines) == 1 else str(path)


# -- environment -----------------------------------------------------------------------------------


def _from_environ(environ: Mapping[str, str], notes: list[str]) -> Iterator[_RawValue]:
    for name, raw in environ.items():
        if name.startswith(PREFIX):
            spec = SPECS.get(name.removeprefix(PREFIX).lower())
            if spec is None:
                hint = _suggest(name, (PREFIX + key.upper() for key in SPECS))
                notes.append(f"environment: {name} is unknown and ignored{hint}")
            else:
                yield _RawValue(spec, raw, "environment", name)


def _suggest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""
