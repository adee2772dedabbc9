"""Say in words for people how a match ended and why. Reads results and decides nothing."""

from __future__ import annotations

from collections import Counter

from spielleiter.arena.arena_match import ArenaMatch, BotReport, Trouble
from spielleiter.arena.bots import BotKind
from spielleiter.arena.thoughts import Thoughts, parse_thoughts
from spielleiter.client.watchdog import tidy_dump
from spielleiter.processes.program import describe_exit
from spielleiter.rules import Cause, one_line

LAST_LINES = 15
"""How much of a failed bot's output is shown, which is enough for most tracebacks."""
OUTPUT_LINES = 200
"""How much of each output of a bot is shown to those who ask for it."""


def explain(played: ArenaMatch) -> str:
    """Say in a sentence or two who won by how much, and why the match ended."""
    outcome, names = played.outcome, played.record.names
    guilty = [seat for seat, line in enumerate(outcome.seats) if line.cause is not Cause.REGULAR]
    if played.was_cancelled:
        standing = played.game.describe_scores(outcome.scores).en
        return (
            f"The game took longer than {played.patience.match:g} s and was stopped at {standing}."
        )
    if not guilty:
        won = "Draw" if outcome.winner is None else f"{names[outcome.winner]} wins"
        return f"{won}, {played.game.describe_result(outcome).en}. {outcome.reason.en}"
    faults = " ".join(_fault(played, seat) for seat in guilty)
    return (
        f"{faults} Nobody wins."
        if outcome.winner is None
        else f"{faults} {names[outcome.winner]} wins."
    )


def _fault(played: ArenaMatch, seat: int) -> str:
    bot, line = played.bots[seat], played.outcome.seats[seat]
    final = played.record.final
    turn = "" if final is None else f" in turn {final.turn}"
    settings = played.settings
    match line.cause:
        case Cause.SOFT_TIMEOUT:
            return (
                f"{bot.name} took longer than the {settings.soft_timeout:g} s it has for a "
                f"move{turn}."
            )
        case Cause.HARD_TIMEOUT:
            return f"{bot.name} did not move within {settings.hard_timeout:g} s{turn}."
        case Cause.RULE_VIOLATION:
            return f"{bot.name} broke a rule{turn}: {_sentence(line.reason.en)}"
    return _departure(played, bot, turn, line.reason.en)


def _departure(played: ArenaMatch, bot: BotReport, turn: str, reason: str) -> str:
    ended = "" if bot.exit_code is None else describe_exit(bot.exit_code)
    match bot.trouble:
        case Trouble.NOT_STARTED:
            return _sentence(f"{bot.name} could not be started: {bot.problem}")
        case Trouble.ENDED_EARLY:
            return f"{bot.name} ended before it joined the game ({ended})."
        case Trouble.NEVER_JOINED:
            return f"{bot.name} did not join the game within {played.patience.join:g} s."
    if ended and not bot.was_ended:
        return f"{bot.name} left the game{turn}: its program ended ({ended})."
    return _sentence(f"{bot.name} left the game{turn}: {reason}")


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else text + "."


def last_words(played: ArenaMatch) -> list[str]:
    """Return what the bots that lost by a fault said last, as lines safe for a terminal."""
    lines: list[str] = []
    for bot, outcome in zip(played.bots, played.outcome.seats, strict=True):
        if outcome.cause is Cause.REGULAR:
            continue
        said = bot.stderr.strip() or bot.stdout.strip()
        if said:
            lines.append(f"The last that {bot.name} said:")
            last = tidy_dump(said.splitlines())[-LAST_LINES:]
            lines += ["    " + one_line(line.rstrip()) for line in last]
    return lines


def printed_lines(played: ArenaMatch) -> list[str]:
    """Say how much each bot printed that nobody has seen yet, and how to see it.

    There is one line for each bot that printed something.
    """
    lines: list[str] = []
    for bot, outcome in zip(played.bots, played.outcome.seats, strict=True):
        # The last words of a bot that failed are all it said if they fit.
        said = [text.splitlines() for text in (bot.stdout.strip(), bot.stderr.strip()) if text]
        is_shown = (
            outcome.cause is not Cause.REGULAR and len(said) == 1 and len(said[0]) <= LAST_LINES
        )
        if bot.printed and bot.spec.kind is not BotKind.HOUSE and not is_shown:
            many = "1 line" if bot.printed == 1 else f"{bot.printed:,} lines"
            what = "it" if bot.printed == 1 else "them"
            lines.append(f"{bot.name}: {many} printed, --output shows {what}")
    return lines


def thoughts_of(bot: BotReport) -> list[Thoughts]:
    """Return what a bot kept beside its moves and after the last one."""
    return [thoughts for note in bot.notes if (thoughts := parse_thoughts(note)) is not None]


def warnings(played: ArenaMatch) -> list[str]:
    """Return what went wrong in bots that played on all the same.

    That is moves that were fallbacks and hooks that failed. Also returns what may go wrong
    elsewhere because files beside the bots are named like modules of Python.
    """
    lines: list[str] = list(
        dict.fromkeys(line for bot in played.bots for line in bot.spec.warnings)
    )
    for bot in played.bots:
        kept = thoughts_of(bot)
        fallen = [thoughts for thoughts in kept if thoughts.is_fallback]
        if fallen:
            first = fallen[0]
            many = f"{len(fallen)} moves of {bot.name} were fallback moves, the first"
            which = many if len(fallen) > 1 else f"1 move of {bot.name} was a fallback move,"
            lines.append(f"{which} in turn {first.turn}: {first.problem}")
        errors = [failed.partition(": ") for thoughts in kept for failed in thoughts.failed_hooks]
        for hook, times in Counter(hook for hook, _, _ in errors).items():
            error = next(error for other, _, error in errors if other == hook)
            often = "once" if times == 1 else f"{times} times, the first time"
            lines.append(f"{hook} of {bot.name} failed {often}: {error}")
    return [one_line(line) for line in lines]


def output_lines(played: ArenaMatch) -> list[str]:
    """Return the last of what the bots printed, each line with the bot's name.

    ``!`` marks the output for errors.
    """
    lines: list[str] = []
    for bot in played.bots:
        if bot.spec.kind is BotKind.HOUSE:
            continue
        for sign, text in (("|", bot.stdout), ("!", bot.stderr)):
            said = text.splitlines()
            if len(said) > OUTPUT_LINES:
                said = ["... what was printed before is left out", *said[-OUTPUT_LINES:]]
            # The SDK, too, begins its lines with the name.
            own = [line.removeprefix(f"{bot.name}: ").rstrip() for line in said]
            lines += [f"{bot.name} {sign} {one_line(line)}" for line in own]
    return lines
