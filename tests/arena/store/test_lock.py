"""One process at a time writes a run, and a process that is gone holds nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import children
from arena.store.samples import store
from spielleiter.arena.store.errors import StoreError, StoreFault
from spielleiter.arena.store.writer import StoreWriter


def refusal(folder: Path) -> StoreError:
    with pytest.raises(StoreError) as caught:
        StoreWriter(folder)
    return caught.value


def test_two_writers_at_once_are_refused(tmp_path: Path) -> None:
    with StoreWriter(tmp_path):
        error = refusal(tmp_path)
        assert error.fault is StoreFault.IN_USE
        assert str(os.getpid()) in error.message
    StoreWriter(tmp_path).close()


HOLDER = """
import sys
from pathlib import Path
from spielleiter.arena.store.lock import WriterLock
lock = WriterLock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_writer_in_another_process_is_refused_until_it_is_gone(tmp_path: Path) -> None:
    path = store(tmp_path)
    with children.running(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        error = refusal(tmp_path)
        assert error.fault is StoreFault.IN_USE
        assert f"process {holder.pid} on" in error.message
        holder.kill()
        holder.wait(children.PATIENCE)
        StoreWriter(tmp_path).close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_does_not_keep_the_lock(tmp_path: Path) -> None:
    """A worker that outlives the runner must not keep the run from being resumed."""
    path = store(tmp_path)
    program = HOLDER.replace('print("held"', 'import os\nif os.fork(): os._exit(0)\nprint("held"')
    with children.running(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline().strip() == b"held"
        parent.wait(children.PATIENCE)
        StoreWriter(tmp_path).close()
