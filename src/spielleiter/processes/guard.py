"""Start bots through a small program beside us, which ends them when we are gone, however we went.

That program is ``keeper``, and here is our side of it. It also removes temporary folders that we
can no longer remove ourselves. Windows has neither process groups nor sockets that carry files.
There bots are started directly (see ``program``) and end when their connection does.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from spielleiter.processes import keeper

START_SECONDS = 30.0
"""How long the program beside us may take to start a bot, which are usually milliseconds."""
_CLOSE_SECONDS = 5.0
_OUR_MODULES = ("spielleiter", "spielleiter.launch")
"""How bots are started that run in this Python, with ``python -P -m``."""


class KeptProcess:
    """A program that a keeper has started. Each method may be called from any thread."""

    def __init__(
        self,
        control: socket.socket,
        pid: int,
        said: bytes,
        *,
        stdout: int,
        stderr: int,
        stdin: int | None,
    ) -> None:
        self.pid = pid
        self.stdout = stdout
        self.stderr = stderr
        self.stdin = stdin
        self._control = control
        self._said = said
        self._lock = threading.Lock()
        self._is_orphan = False
        """Somebody has killed the keeper, so nobody but us can end the program."""

    def wait(self) -> int:
        """Wait until the program has ended, and return its exit code, below 0 the signal.

        Call this once. Then ``wait_for_rest`` waits for everything the program has started.
        """
        while b"\n" not in self._said:
            piece = self._receive()
            if not piece:
                self._is_orphan = True
                return -9  # the keeper is gone, which nothing but SIGKILL does
            self._said += piece
        return int(self._said.split()[1])

    def wait_for_rest(self) -> None:
        """Wait until ``kill`` is done."""
        while self._receive():
            pass
        with self._lock:
            self._control.close()

    def terminate(self) -> None:
        """Ask the program and what it started to end."""
        self._tell(keeper.TERMINATE)

    def kill(self) -> None:
        """End the program and everything it started. Call this in any case, also after its end."""
        self._tell(keeper.KILL)
        if self._is_orphan:
            with contextlib.suppress(OSError):  # it has ended by itself
                os.killpg(self.pid, signal.SIGKILL)

    def _receive(self) -> bytes:
        try:
            return self._control.recv(64)
        except OSError:
            return b""

    def _tell(self, word: bytes) -> None:
        with self._lock, contextlib.suppress(OSError):  # the keeper has done its work already
            self._control.send(word)


class Guard:
    """Our end of the program beside us. One for the whole process, started with the first bot."""

    # Ending the bots in our own process would fail when it is killed by SIGKILL or for want of
    # memory. Linux can signal a child when its parent dies (PR_SET_PDEATHSIG), but only the child
    # itself and not what it started, and already when the thread ends that started it. The end of
    # a socket is noticed on every system, whatever ended us.

    def __init__(self, *options: str, prepare: Sequence[str] = ()) -> None:
        """``prepare`` names a function that loads what bots need, and what it is called with.

        Bots of this package that run in this Python then begin in a fork that has it all.
        """
        self._options = options
        self._prepare = tuple(prepare)
        self._environment: dict[str, str] = {}
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._orders: socket.socket | None = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._leave_to_parent)

    def start(
        self,
        argv: Sequence[str],
        folder: Path | None,
        environment: Mapping[str, str],
        *,
        talks: bool = False,
    ) -> KeptProcess:
        """Start a program in a session of its own. Raises OSError or ValueError.

        With ``talks`` its standard input is a pipe to it, otherwise it is empty.
        """
        order = self._order(argv, folder, environment)
        with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
            (stdout, out), (stderr, err) = os.pipe(), os.pipe()
            files, stdin = [out, err], None
            if talks:
                read_end, stdin = os.pipe()
                files.append(read_end)
            for file in files:
                theirs.callback(os.close, file)
            for file in (stdout, stderr, *(() if stdin is None else (stdin,))):
                ours.callback(os.close, file)
            control, keepers = socket.socketpair()
            ours.callback(control.close)
            theirs.callback(keepers.close)
            self._send(order, [keepers.fileno(), *files])
            # Our copies of their ends must go, or we would never see the end of the bot's output
            # nor of the keeper's socket.
            theirs.close()
            control.settimeout(START_SECONDS)
            said = _read_line(control)
            control.settimeout(None)
            line, _, rest = said.partition(b"\n")
            word, _, number = line.partition(b" ")
            if word != b"started":
                code = int(number or errno.ECHILD)
                raise OSError(code, os.strerror(code))
            ours.pop_all()
            return KeptProcess(
                control, int(number), rest, stdout=stdout, stderr=stderr, stdin=stdin
            )

    def _order(
        self, argv: Sequence[str], folder: Path | None, environment: Mapping[str, str]
    ) -> dict[str, Any]:
        order: dict[str, Any] = {
            "argv": [_text(word) for word in argv],
            # Where we are now, not where we were when the first bot was started.
            "cwd": _text(str(folder or Path.cwd())),
            "env": {_text(name): _text(value) for name, value in environment.items()},
        }
        if self._prepare and self._begins_here(argv, environment):
            order["module"] = argv[3]
        return order

    def watch_folder(self, folder: str) -> None:
        """Have this folder removed if we are gone before ``forget_folder``."""
        self._send({"folder": _text(folder)})

    def forget_folder(self, folder: str) -> None:
        self._send({"done": _text(folder)})

    def _send(self, order: dict[str, Any], files: Sequence[int] = ()) -> None:
        body = json.dumps(order).encode()
        data = keeper.HEADER.pack(len(body)) + body
        with self._lock:
            for _ in range(2):
                if self._orders is None:
                    self._orders = self._open()
                try:
                    sent = socket.send_fds(self._orders, [data], files)
                    self._orders.sendall(data[sent:])
                except OSError:  # somebody has killed it; another one takes over
                    self._close()
                else:
                    return
        raise OSError(errno.ECHILD, "the program that starts bots ends at once")

    def _begins_here(self, argv: Sequence[str], environment: Mapping[str, str]) -> bool:
        """Return whether a fork of the program beside us can become this bot.

        What Python reads in its environment when it starts must be the same, because a fork does
        not start it again. The first bot decides what that is.
        """
        if tuple(argv[:3]) != (sys.executable, "-P", "-m") or argv[3] not in _OUR_MODULES:
            return False
        with self._lock:
            if self._orders is None:
                self._environment = dict(environment)
            return _read_by_python(environment) == _read_by_python(self._environment)

    def _open(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        # Isolated and without site-packages, so that no file of the user's can stand in for a
        # module of the standard library, and the first bot starts sooner. Where bots begin in a
        # fork, they must find all that they would find in a Python of their own.
        options = ("-P",) if self._prepare else ("-I", "-S")
        prepare = ("--prepare", *self._prepare) if self._prepare else ()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, *options, keeper.__file__, *self._options, *prepare],
                env=self._environment or None,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl+C is not for it
            )
        atexit.register(self._close_at_exit)
        return ours

    def close(self) -> None:
        """End what is left of what was started here, and the program beside us."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._orders is not None:
            self._orders.close()
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_CLOSE_SECONDS)
        self._orders = self._process = None
        atexit.unregister(self._close_at_exit)

    def _close_at_exit(self) -> None:
        """Close, but do not wait for somebody who presses Ctrl+C once more.

        The program beside us ends everything by itself as soon as it has no more orders.
        """
        with contextlib.suppress(KeyboardInterrupt):
            self.close()

    def _leave_to_parent(self) -> None:
        """Forget, in a forked process, what its parent has started and looks after."""
        # Another thread may have held the lock when the process was forked. The copy would then
        # never be released here.
        self._lock = threading.Lock()
        if self._orders is not None:
            self._orders.close()
        if self._process is not None:
            self._process.returncode = 0  # not ours to wait for
        self._orders = self._process = None
        atexit.unregister(self._close_at_exit)


GUARD = Guard()


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder that is gone afterwards. If we are killed, the program beside us removes it."""
    with contextlib.ExitStack() as stack:
        made = tempfile.TemporaryDirectory(prefix="spielleiter-", ignore_cleanup_errors=True)
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                GUARD.watch_folder(made.name)
                stack.callback(_forget_folder, made.name)
        yield Path(stack.enter_context(made))


def _forget_folder(folder: str) -> None:
    with contextlib.suppress(OSError):
        GUARD.forget_folder(folder)


def _read_by_python(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what of an environment Python and the system's libraries read when they start."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(("PYTHON", "LC_", "LANG", "LD_", "DYLD_", "MALLOC_", "TZ"))
    }


def _text(value: str) -> str:
    """Return any name or word of the system's as text that JSON can carry."""
    if "\0" in value:
        raise ValueError("embedded null byte")
    return os.fsencode(value).decode("latin-1")


def _read_line(control: socket.socket) -> bytes:
    """Read at least a line. More may follow at once."""
    data = b""
    while b"\n" not in data:
        piece = control.recv(64)
        if not piece:
            break
        data += piece
    return data
