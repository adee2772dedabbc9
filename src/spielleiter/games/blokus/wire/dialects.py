"""What the official servers of Blokus spell and do around the game, season by season."""

from __future__ import annotations

from spielleiter.rules import Text
from spielleiter.rules.frozen import replace
from spielleiter.wire.dialects import BASE, EARLIER, JoinNotice

OLDER_2021 = replace(
    EARLIER,
    join_notice=JoinNotice.BOTH,  # W41
    seat_labels=("Player One", "Player Two"),
    out_of_turn_format="It's not your turn yet; expected: {expected}, got: {actual} (msg was "
    "{move}).",
    unrequested_format="We didn't request a move from you yet.",
)
"""The servers 21.0.x, for the oldest documents as well."""

NEWEST_2021 = replace(
    OLDER_2021,
    close_tag="sc.protocol.CloseConnection",
    original_tag=BASE.original_tag,
    has_paused_notice=True,
    replays_hold_errors=True,
    pause_on_slots=False,
    slot_has_reserved=True,
    default_display_name="",
    seat_labels=("Team 1", "Team 2"),
    out_of_turn_format=BASE.out_of_turn_format,
    unrequested_format=BASE.unrequested_format,
)
"""The server 21.4.0."""

DIALECT_2027 = replace(
    BASE,
    soft_timeout_text=Text(  # the official server writes no umlauts here
        "{name} hat fuer die Antwort auf die Zugaufforderung laenger als {seconds} Sekunden "
        "gebraucht.",
        BASE.soft_timeout_text.en,
    ),
)
"""The server 27.0.4, which speaks the protocol of today."""
