"""Run beside the main process, start bots for it, and end them with everything they started.

``guard`` starts this once, as a script. It takes orders over a socket and has a keeper for every
bot. The keeper is the bot's parent. It reports the bot's exit, and ends whatever is left when it is
told to, or when the main process is gone, however it went. On Linux a keeper adopts the orphans
among its bot's descendants, so that none of them can leave by a double fork or a session of its
own. Elsewhere a keeper knows the bot's process group only. Keepers are forked from here, and one
that has nobody left to keep takes the next bot.

It imports the standard library only, and little of it, because its start delays the first bot.
Forking is safe here, because this program has no threads.

With ``--prepare MODULE:FUNCTION WORD ...`` it calls that function first, which loads what Python
bots need. Bots that are modules then begin in a fork of this interpreter and save its start, see
``prepared_starts``.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import select
import signal
import socket
import struct
import sys
import time
from typing import Any, NoReturn

HEADER = struct.Struct("!I")
"""The length of an order. Its file descriptors come with it."""
TERMINATE, KILL = b"T", b"K"
"""What a keeper is told, which is to ask the bot to end, or to end everything.

A closed connection means the latter.
"""
_FREE = b"."
"""What a keeper says when it can take the next bot."""
_PR_SET_CHILD_SUBREAPER = 36
_KILL_SECONDS = 10.0
"""How long a keeper tries. What survives SIGKILL for so long hangs in the kernel."""
_LOOK_SECONDS = 0.05
_PREPARE = "--prepare"


class BotBegins(BaseException):
    """Leaves all frames of the keeper, in the process of a bot that runs in this interpreter."""

    def __init__(self, module: str, words: list[str]) -> None:
        super().__init__(module)
        self.module = module
        self.words = words


def main() -> None:
    """Carry out orders from the socket that is our standard input, until it ends.

    Raises BotBegins in the processes of bots that run in this interpreter.
    """
    os.chdir("/")  # the folder we were started in may be removed
    orders = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.close(nothing)
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        # The socket says when to end. A handler, unlike SIG_IGN, is not inherited by the bots.
        if signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:
            signal.signal(getattr(signal, name), lambda *_: None)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers that have ended leave no zombies
    adopt = find_adopt() if "--no-adopting" not in sys.argv else None
    prepared = _prepare(sys.argv[sys.argv.index(_PREPARE) + 1 :]) if _PREPARE in sys.argv else None
    keepers = _Keepers(orders, adopt, prepared)
    folders: set[str] = set()
    while (received := keepers.next_order()) is not None:
        data, files = received
        order = json.loads(data)
        if "argv" in order:
            keepers.start(data, files)
        elif "folder" in order:
            folders.add(order["folder"])
        else:
            folders.discard(order["done"])
    keepers.close()
    with contextlib.suppress(ChildProcessError):
        # Keepers end first, because their bots may still write into the folders. While SIGCHLD is
        # ignored, ``wait`` returns for no single child and raises when the last one has ended.
        while True:
            os.wait()
    if folders:
        import shutil

        for folder in folders:
            shutil.rmtree(folder.encode("latin-1"), ignore_errors=True)


def _prepare(words: list[str]) -> Any:
    """Load what bots need. Return how they begin here, or None if they must start as usual."""
    try:
        from spielleiter.processes import prepared_starts

        prepared_starts.prepare(*words)
    except Exception:
        return None
    return prepared_starts


class _Keepers:
    """The keepers that were forked here, each with our end of a socket to it."""

    def __init__(self, orders: socket.socket, adopt: Any, prepared: Any) -> None:
        self._orders = orders
        self._adopt = adopt
        self._prepared = prepared
        self._busy: dict[int, socket.socket] = {}
        self._free: dict[int, socket.socket] = {}

    def next_order(self) -> tuple[bytes, list[int]] | None:
        """Return the next order and its files, None at the end. See meanwhile who is free."""
        while True:
            poll = select.poll()
            for file in (self._orders.fileno(), *self._busy, *self._free):
                poll.register(file, select.POLLIN)
            ready = {file for file, _ in poll.poll()}
            for file in ready & (self._busy.keys() | self._free.keys()):
                keeper = self._busy.pop(file, None) or self._free.pop(file)
                if _read_some(keeper) == _FREE:
                    self._free[file] = keeper
                else:
                    keeper.close()  # it has ended, or somebody has killed it
            if self._orders.fileno() in ready:
                return _receive(self._orders)

    def start(self, order: bytes, files: list[int]) -> None:
        """Hand the order to a keeper that is free, or to a new one."""
        if not self._hand_over(order, files):
            self._fork(order, files)
        for file in files:
            os.close(file)

    def _hand_over(self, order: bytes, files: list[int]) -> bool:
        while self._free:
            file, keeper = self._free.popitem()
            try:
                _send(keeper, order, files)
            except OSError:  # somebody has killed it just now
                keeper.close()
            else:
                self._busy[file] = keeper
                return True
        return False

    def _fork(self, order: bytes, files: list[int]) -> None:
        ours, theirs = socket.socketpair()
        if os.fork() == 0:
            # Nobody but us may hold these. A keeper knows by the end of its socket that we ended.
            self._orders.close()
            ours.close()
            self.close()
            _run_keeper(theirs, order, files, self._adopt, self._prepared)
        theirs.close()
        self._busy[ours.fileno()] = ours

    def close(self) -> None:
        """Let those go who are free, and the others as soon as they are."""
        for keeper in (*self._busy.values(), *self._free.values()):
            keeper.close()


def _read_some(keeper: socket.socket) -> bytes:
    try:
        return keeper.recv(1)
    except OSError:
        return b""


def _send(orders: socket.socket, order: bytes, files: list[int]) -> None:
    data = HEADER.pack(len(order)) + order
    sent = socket.send_fds(orders, [data], files)
    orders.sendall(data[sent:])


def _receive(orders: socket.socket) -> tuple[bytes, list[int]] | None:
    """Return the next order and the files that came with it, None at the end."""
    try:
        header, files, _, _ = socket.recv_fds(orders, HEADER.size, 4)
        for file in files:
            os.set_inheritable(file, False)
        header += _read_exactly(orders, HEADER.size - len(header))
        return _read_exactly(orders, HEADER.unpack(header)[0]), files
    except (OSError, EOFError):
        return None


def _read_exactly(orders: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = orders.recv(count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


def find_adopt() -> Any:
    """Return a function that makes its caller the parent of orphans below it.

    Returns None where the system has none.
    """
    if sys.platform != "linux":
        return None
    try:
        import ctypes

        prctl = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return None
    return lambda: prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


# One keeper


def _run_keeper(
    orders: socket.socket, order: bytes, files: list[int], adopt: Any, prepared: Any
) -> NoReturn:
    try:
        # Each keeper is a process of its own, so that it adopts the orphans of its own bot only and
        # knows whom to end. One parent for all bots could not tell whose they are.
        keeper = _Keeper(orders, prepared, adopts=adopt is not None and adopt())
        received: tuple[bytes, list[int]] | None = order, files
        while received is not None:
            order, (control, *pipes) = received
            with socket.socket(fileno=control) as told:
                if not keeper.keep(told, json.loads(order), pipes):
                    break  # whoever is left would be taken for the next bot's
                orders.sendall(_FREE)  # before the end of ``told`` says that it is done
            received = _receive(orders)
    except BotBegins:
        raise
    except BaseException:
        os._exit(1)
    os._exit(0)


class _Keeper:
    """The parent of one bot, and then of another."""

    def __init__(self, orders: socket.socket, prepared: Any, *, adopts: bool) -> None:
        self._orders = orders
        self._prepared = prepared
        self._adopts = adopts
        self._awake, self._wake = os.pipe()
        os.set_blocking(self._awake, False)
        os.set_blocking(self._wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)

    def keep(self, control: socket.socket, order: dict[str, Any], pipes: list[int]) -> bool:
        """Start a bot and keep it until we are told to end it. Return whether nobody is left.

        ``pipes`` are its output, its errors and maybe its input.
        """
        self._control = control
        self._pid = 0
        self._has_ended = False
        failure = self._start(order, pipes)
        self._say(f"failed {failure}" if failure else f"started {self._pid}")
        for pipe in pipes:
            os.close(pipe)
        if not failure:
            with contextlib.suppress(OSError):
                self._obey()
        self._end_everything()
        return not self._has_children()

    def _start(self, order: dict[str, Any], pipes: list[int]) -> int:
        """Start the bot in a session of its own. Return 0, or the number of the error."""
        problem, report = os.pipe()
        argv = [word.encode("latin-1") for word in order["argv"]]
        env = {key.encode("latin-1"): word.encode("latin-1") for key, word in order["env"].items()}
        self._pid = os.fork()
        if self._pid == 0:
            try:
                os.setsid()
                for pipe, standard in zip(pipes, (1, 2, 0), strict=False):
                    os.dup2(pipe, standard)
                if self._prepared is not None and "module" in order:
                    os.chdir(order["cwd"].encode("latin-1"))
                    self._leave([problem, report, *pipes])
                    self._prepared.become_bot(env)
                    raise BotBegins(order["module"], [os.fsdecode(word) for word in argv])
                # Python ignores these two, and bots would inherit that.
                for name in ("SIGPIPE", "SIGXFSZ"):
                    signal.signal(getattr(signal, name), signal.SIG_DFL)
                os.chdir(order["cwd"].encode("latin-1"))
                os.execvpe(argv[0], argv, env)  # noqa: S606 - what somebody named
            except BotBegins:
                raise
            except BaseException as error:
                os.write(report, str(getattr(error, "errno", errno.EINVAL)).encode())
                os._exit(127)
        # The child's end of this pipe closes by itself when another program takes its place. So
        # nothing to read means that the bot runs, and a number says why it does not.
        os.close(report)
        said = os.read(problem, 16)
        os.close(problem)
        return int(said or b"0")

    def _leave(self, files: list[int]) -> None:
        """Close everything that is the keeper's, as the start of another program would."""
        signal.set_wakeup_fd(-1)
        self._control.close()
        self._orders.close()
        for file in (self._awake, self._wake, *files):
            os.close(file)

    def _say(self, line: str) -> None:
        with contextlib.suppress(OSError):
            self._control.sendall(f"{line}\n".encode())

    def _obey(self) -> None:
        """Do as we are told until we are told to end everything."""
        while True:
            ready, _, _ = select.select([self._control.fileno(), self._awake], [], [])
            self._has_children()
            if self._control.fileno() in ready:
                words = self._control.recv(16)
                if not words or KILL in words:
                    return
                self._signal_group(signal.SIGTERM)

    def _has_children(self) -> bool:
        """Collect the processes that have ended, and return whether any still lives.

        If we adopt orphans and have no child, there is no descendant either.
        """
        with contextlib.suppress(BlockingIOError):
            os.read(self._awake, 4096)
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return True
                if pid == self._pid:
                    self._has_ended = True
                    self._say(f"exit {os.waitstatus_to_exitcode(status)}")
        except ChildProcessError:
            return False

    def _signal_group(self, number: int) -> None:
        """Tell the bot and whoever is still in its process group.

        Once the bot's exit is collected its number may belong to another group. A keeper that
        adopts does not need the group any more then, because every member of it is a descendant.
        """
        if self._has_ended and self._adopts:
            return
        with contextlib.suppress(OSError):  # nobody is left to hear it
            os.killpg(self._pid, number)

    def _end_everything(self) -> None:
        self._signal_group(signal.SIGKILL)
        deadline = time.monotonic() + _KILL_SECONDS
        # Again and again, because a process may fork between our look and our signal. A killed
        # parent leaves its children to us, so in the end none is left to fork.
        while self._has_children() and time.monotonic() < deadline:
            if self._adopts:
                for pid in descendants(os.getpid()):
                    with contextlib.suppress(OSError):
                        os.kill(pid, signal.SIGKILL)
            elif self._has_ended:
                return
            select.select([self._awake], [], [], _LOOK_SECONDS)


def descendants(ancestor: int) -> list[int]:
    """Return all processes below this one that Linux shows, parents before their children."""
    children: dict[int, list[int]] = {}
    # Without pathlib, which takes longer to load than everything else here.
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():  # noqa: PTH112, PTH208
        if name.isdecimal():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                    parent = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError):  # it has just ended
                continue
            children.setdefault(parent, []).append(int(name))
    found = [ancestor]
    for pid in found:
        found += children.get(pid, [])
    return found[1:]


if __name__ == "__main__":
    bot = None
    try:
        main()
    except BotBegins as beginning:
        bot = beginning.module, beginning.words
    if bot is not None:  # out here nothing of the keeper is left
        from spielleiter.processes.prepared_starts import run_bot

        run_bot(*bot)
