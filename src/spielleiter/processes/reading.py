"""Read what a program writes, to its end, in a thread or in the event loop.

What is done with it is left to the caller.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from spielleiter.processes.output import OutputPipe

Take = Callable[[bytes], None]


def read_to_end(output: OutputPipe, take: Take, end: Callable[[], None]) -> None:
    """Read until nothing more can come, in the thread of the caller."""
    while data := output.read():
        take(data)
    end()


class LoopReader:
    """Reads in the running event loop. Windows has no loop that can.

    A thread has to wake up the loop for each answer of a program that somebody waits for, which
    takes longer than to read it.
    """

    def __init__(self, output: OutputPipe, take: Take, end: Callable[[], None]) -> None:
        self._output = output
        self._take = take
        self._end = end
        self._is_reading = True
        self._loop = asyncio.get_running_loop()
        os.set_blocking(output.fileno(), False)
        self._loop.add_reader(output.fileno(), self._read)

    def is_alive(self) -> bool:
        """Return whether something may still come, as a thread says whether it runs."""
        return self._is_reading

    def close(self) -> None:
        """Read no more."""
        if self._is_reading:
            self._is_reading = False
            self._loop.remove_reader(self._output.fileno())
            self._output.close()
            self._end()

    def _read(self) -> None:
        try:
            data = self._output.read_ready()
        except BlockingIOError:
            return
        if data:
            self._take(data)
        else:
            self.close()
