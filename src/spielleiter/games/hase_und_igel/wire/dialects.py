"""What the official server of Hase und Igel spells and does around the game."""

from __future__ import annotations

from spielleiter.rules.frozen import replace
from spielleiter.wire.dialects import EARLIER, JoinNotice

DIALECT_2018 = replace(
    EARLIER,
    join_notice=JoinNotice.EXISTING,
    password_attribute="passphrase",  # noqa: S106 - the name of an attribute
    observers_see_pauses=False,
    seat_labels=("RED", "BLUE"),
    out_of_turn_format="It's not your turn yet.",
    unrequested_format="We didn't request a data from you yet.",
)
"""The server 18.2.6."""

DOCUMENTED_2018 = replace(
    DIALECT_2018,
    original_tag="data",
    error_in_room=True,
    end_in_state=True,
)
"""The documents to the letter (H25, W87)."""
