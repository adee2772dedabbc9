"""Find out whether a browser that is opened here would be seen. Opens nothing."""

from __future__ import annotations

import sys
from collections.abc import Mapping

_FAR_AWAY = ("SSH_CONNECTION", "SSH_TTY")
"""What is set where somebody sits at another machine."""


def has_display(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Return whether whoever started us would see a browser that we open."""
    if platform in ("win32", "darwin"):
        return not any(environ.get(name) for name in _FAR_AWAY)
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
