"""Strong players and exact analysis for the games of Spielleiter.

Everything is done in the native module. Here its names are given out.
"""

from spielleiter_engine._native import (
    API_VERSION,
    BlokusPosition,
    BlokusSearch,
    HaresLine,
    HaresPosition,
    HaresSearch,
    Line,
    __version__,
)

__all__ = [
    "API_VERSION",
    "BlokusPosition",
    "BlokusSearch",
    "HaresLine",
    "HaresPosition",
    "HaresSearch",
    "Line",
    "__version__",
]
