"""Explain a wrong command line in one line of our own words, and say what to do about it."""

from __future__ import annotations

import difflib
import re

import click

_EXTRA = re.compile(r"unexpected extra arguments? \((.*)\)", re.DOTALL)


def explain_usage(error: click.UsageError, path: str, command: click.Command) -> tuple[str, str]:
    """Say what is wrong and what to do.

    ``path`` and ``command`` are what was called, for errors that do not know.
    """
    if error.ctx is not None:
        path, command = error.ctx.command_path, error.ctx.command
    see = f"see: {path} --help"
    match error:
        case click.NoSuchOption():
            name = error.option_name
            return f"there is no option {name}{_suggest(name, command)}", see
        case click.MissingParameter():
            return f"missing argument {_called(error.param)}", f"{_usage(error)}{see}"
        case click.BadParameter():
            return f"{_called(error.param)}: {error.message.rstrip('.')}", see
        case click.BadOptionUsage():
            return f"{error.option_name} {_needed(error, command)}", see
    if extra := _EXTRA.search(error.message):
        return f"too many arguments: {extra[1]}", f"{_usage(error)}{see}"
    message = error.format_message()
    return message[:1].lower() + message[1:].rstrip("."), see


def _suggest(name: str, command: click.Command) -> str:
    known = [flag for param in command.params for flag in (*param.opts, *param.secondary_opts)]
    close = difflib.get_close_matches(name, [flag for flag in known if flag.startswith("--")], n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _called(param: click.Parameter | None) -> str:
    """Return what people call a parameter, which is the flag they type or the word that stands for
    an argument.
    """
    if param is None:
        return "argument"
    if isinstance(param, click.Option):
        return "/".join(param.opts)
    return (param.metavar or param.name or "").rstrip(".")


def _needed(error: click.BadOptionUsage, command: click.Command) -> str:
    if "requires" not in error.message:
        return "takes no value"
    param = next((param for param in command.params if error.option_name in param.opts), None)
    allowed = getattr(param.type, "allowed", "") if param is not None else ""
    if allowed:
        return f"needs a value: {allowed}"
    metavar = param.metavar if param is not None else None
    return f"needs a value: {error.option_name} {metavar}" if metavar else "needs a value"


def _usage(error: click.UsageError) -> str:
    """Return how the command is called, as a line that something may follow."""
    if error.ctx is None:
        return ""
    words = " ".join(error.ctx.get_usage().split())
    return f"usage: {words.removeprefix('Usage: ')}; "
