"""Run a bot with the one call at the bottom of its file.

It reads the command line, connects, plays one game and ends the process.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import NamedTuple

from spielleiter.client.arguments import HelpAsked, Options, UsageError, parse_options
from spielleiter.client.bot import Bot, BotLike, BotMistake, make_bot, name_of, overwritten
from spielleiter.client.clock import DEFAULT_SECONDS, parse_seconds
from spielleiter.client.connection import NoServer, connect
from spielleiter.client.environment import DEBUG, IMPORT_ONLY, MOVE_SECONDS, NAME, NOTES, OWN_SERVER
from spielleiter.client.exits import Exit, Failure
from spielleiter.client.notes import NoteFile
from spielleiter.client.participant import Playing, Say
from spielleiter.client.session import JoinMessage, PlayerSession
from spielleiter.client.thinker import Thinker, own_lines
from spielleiter.client.watchdog import Watchdog
from spielleiter.games import DEFAULT, all_games, default_game, get_game
from spielleiter.rules import AnyGame, UnknownGame, one_line
from spielleiter.shadows import describe_shadow, hiding_files
from spielleiter.wire import messages

_LONGEST_SAID = 4000
"""Characters of one line for the author."""
_EXIT_SECONDS = 2.0
"""How long threads and exit handlers of a bot may go on after its game: others wait 5 s for its
end.
"""


class Offer(NamedTuple):
    """What ``run`` was called with."""

    bot: BotLike
    move_seconds: float | None = None


offered: list[Offer] = []
"""What ``run`` was called with while only importing was asked for."""


def run(
    bot: BotLike, argv: Sequence[str] | None = None, *, move_seconds: float | None = None
) -> None:
    """Play one game with this bot and end the process with an exit code (``--help`` lists them).

    ``bot`` is a class derived from Bot, a function ``choose(state, clock)``, or an object with such
    a method; ``argv`` is the command line without the program, the process's own if not given;
    ``move_seconds`` what ``clock`` counts down from. With SPIELLEITER_IMPORT_ONLY set nothing
    happens, so that tests can import the file.
    """
    if os.environ.get(IMPORT_ONLY):
        offered.append(Offer(bot, move_seconds))
        return
    code = run_match(bot, argv, move_seconds=move_seconds)
    _leave(code)


def run_match(
    bot: BotLike, argv: Sequence[str] | None = None, *, move_seconds: float | None = None
) -> Exit:
    """Play one match as ``run`` does, but return the exit code instead of ending the process."""
    debug = bool(os.environ.get(DEBUG))
    # pathlib is slow to load
    # pathlib is slow to load, and a bot that starts well needs it nowhere.
    program = one_line(os.path.basename(sys.argv[0])) if sys.argv else "bot"  # noqa: PTH119
    say = _speaker(os.environ.get(NAME) or name_of(bot))
    try:
        options = parse_options(sys.argv[1:] if argv is None else argv, program)
        debug = debug or options.debug
        return _play(bot, options, move_seconds, say, say if debug else _silence)
    except HelpAsked as asked:
        sys.stdout.write(str(asked))
        return Exit.OK
    except UsageError as error:
        say(f"{error}. See --help.")
        return Exit.USAGE
    except UnknownGame as error:
        say(f"{error}. Name one with --game, or in the bot with: game = {DEFAULT!r}")
        return Exit.USAGE
    except Failure as failure:
        say(" ".join((failure.problem, failure.advice)).rstrip())
        return failure.code
    except BotMistake as mistake:
        say(str(mistake))
        return Exit.BOT_FAILED
    except SystemExit:
        say("the bot ended itself with sys.exit() in the middle of its game")
        raise
    except KeyboardInterrupt:
        say("interrupted")
        return Exit.INTERRUPTED
    except Exception as error:
        say(f"something in the SDK failed: {type(error).__name__}: {error}. --debug shows where.")
        for path in hiding_files():
            say(describe_shadow(path, started_by_us=False))
        if debug:
            import traceback  # for nobody else

            traceback.print_exc()
        return Exit.BOT_FAILED
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):  # nobody may be listening any more
                stream.flush()


def _play(
    bot: BotLike, options: Options, move_seconds: float | None, say: Say, say_details: Say
) -> Exit:
    made = _made(bot, options.seed, say)
    for line in overwritten(made):
        say(line)
    if options.extra:
        say(f"passing over what I do not know: {' '.join(options.extra)}")
    game = _chosen_game(made, bot, options)
    seconds = _move_seconds(move_seconds)
    if options.verify:
        say("is ready to play")
        return Exit.OK
    notes = _note_file(say)
    called = os.environ.get(NAME, "")
    watchdog = Watchdog(say, called or name_of(made))
    thinker = Thinker(made, say, called, watchdog=watchdog, hook_seconds=seconds)
    try:
        _check_revision(options.revision, game)
        join = _join_message(options, game)
        session = PlayerSession(join, game, own_server=os.environ.get(OWN_SERVER) == "1")
        try:
            connection = connect(options.host, options.port, options.connect_seconds)
        except NoServer as error:
            raise Failure(
                Exit.NO_SERVER,
                f"no server answers at {options.host}:{options.port} ({error}).",
                "Start one with 'spielleiter serve', or name another with -h HOST -p PORT.",
            ) from None
        return Playing(
            thinker,
            session,
            join,
            connection,
            move_seconds=seconds,
            notes=notes,
            say=say,
            say_details=say_details,
        ).play()
    finally:
        watchdog.close()
        thinker.close()
        if notes is not None:
            notes.close()


def _made(bot: BotLike, seed: int | None, say: Say) -> Bot:
    try:
        return make_bot(bot, seed)
    except BotMistake as mistake:
        raise Failure(Exit.USAGE, str(mistake)) from None
    except Exception as error:
        say(f"!!! {name_of(bot)} could not be made: {type(error).__name__}: {error}")
        for line in own_lines(error):
            say(line)
        raise Failure(
            Exit.USAGE, "no game was played, because the bot's own __init__ failed."
        ) from None


def _chosen_game(made: Bot, bot: BotLike, options: Options) -> AnyGame | None:
    """Return the game we come for, None for whatever a reservation or room leads to (W118).

    The command line wins over the bot, and the bot over the environment.
    """
    if options.game:
        return get_game(options.game)
    for named in (made.game, getattr(bot, "game", None)):
        if isinstance(named, str) and named:
            return get_game(named, f"{name_of(bot)}.game")
    return None if options.reservation or options.room else default_game(os.environ)


def _check_revision(revision: str | None, game: AnyGame | None) -> None:
    if revision is None:
        return
    games = all_games() if game is None else (game,)
    known = list(dict.fromkeys(name for one in games for name in one.codecs))
    if revision not in known:
        of_what = "" if game is None else f" of {game.title}"
        raise Failure(
            Exit.USAGE,
            f"there is no revision {revision!r}{of_what}; there are: {', '.join(known)}.",
            "See --help.",
        )


def _join_message(options: Options, game: AnyGame | None) -> JoinMessage:
    if options.reservation:
        return messages.JoinPrepared(options.reservation, options.revision)
    if options.room:
        return messages.JoinRoom(options.room, options.revision)
    assert game is not None
    return messages.Join(game.game_type, options.revision)


def _move_seconds(given: float | None) -> float:
    if given is not None:
        return given
    told = os.environ.get(MOVE_SECONDS)
    try:
        return DEFAULT_SECONDS if not told else parse_seconds(told)
    except ValueError:
        raise Failure(
            Exit.USAGE,
            f"{MOVE_SECONDS} is {told!r}, which is not a number of seconds.",
            'Give one, or "none".',
        ) from None


def _note_file(say: Say) -> NoteFile | None:
    path = os.environ.get(NOTES)
    if not path:
        return None
    try:
        return NoteFile(path)
    except OSError as error:
        say(f"!!! notes cannot be written to {path}: {error.strerror}; playing without")
        return None


def _speaker(name: str) -> Say:
    def say(line: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # nobody may be listening any more
            sys.stderr.write(f"{one_line(name)}: {one_line(line, _LONGEST_SAID)}\n")
            sys.stderr.flush()

    return say


def _silence(line: str) -> None:
    pass


def _leave(code: int) -> None:
    """End the process, even if threads of the bot would go on for ever."""

    # ``os._exit`` at once would also end a bot that hangs, but skip its exit handlers and lose what
    # it has printed and not flushed. So it may end in the usual way, for a while.
    def force() -> None:
        time.sleep(_EXIT_SECONDS)
        _speaker("spielleiter")(
            f"a thread or exit handler of the bot still runs {_EXIT_SECONDS:g} s after the "
            "game: ending it"
        )
        os._exit(code)

    threading.Thread(target=force, name="spielleiter end", daemon=True).start()
    raise SystemExit(code)
