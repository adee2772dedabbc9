"""Find what can be wrong with a computer that is to play.

Each function of these modules asks one question and answers in words. None raises for what it
finds, waits longer than a few seconds, or leaves anything behind.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from spielleiter.cli.diagnosis import installation, machine, network
from spielleiter.cli.diagnosis.findings import Finding, Level

__all__ = ["Finding", "Level", "examine"]


def examine(port: int) -> Iterator[Finding]:
    """Answer all questions, in the order in which the answers matter."""
    yield installation.python_version(sys.version_info[:3])
    yield installation.expat_version(expat.EXPAT_VERSION)
    yield from installation.packages(installation.requirements())
    yield installation.engine()
    yield installation.command_line(shutil.which(installation.PACKAGE))
    yield installation.game_in_force(os.environ)
    yield network.port_free(port)
    yield network.local_connections()
    yield machine.clock_steps()
    yield machine.clock_steadiness()
    yield machine.processor()
    yield machine.terminal()
    yield machine.working_folder(Path.cwd())
    yield machine.shadowed_modules(Path.cwd())
    yield machine.open_files()
    yield machine.java(shutil.which("java"))
    yield machine.uvloop()
