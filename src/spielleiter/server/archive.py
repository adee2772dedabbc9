"""Save the replays of matches that are over, in a thread of its own behind the event loop."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

from spielleiter.replays import MatchRecord
from spielleiter.replays.saves import write_replay
from spielleiter.server.feed import MatchEnded, RoomEvent
from spielleiter.server.logs import log_event

logger = logging.getLogger("spielleiter.replays")


class ReplaySaver:
    """Writes replays in one thread, so that a slow disk never holds up a match."""

    def __init__(self, folder: Path, *, compress: bool = False) -> None:
        self._folder = folder
        self._compress = compress
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="replays")
        self._pending: set[Future[None]] = set()

    def hear(self, event: RoomEvent) -> None:
        """Save the match that has ended, unless it never began and there is nothing to keep."""
        if isinstance(event, MatchEnded) and event.record.shown:
            self.save(event.record)

    def save(self, record: MatchRecord) -> None:
        future = self._thread.submit(self._save, record, datetime.now())
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)

    async def close(self) -> None:
        """Wait until everything is on disk."""
        await asyncio.to_thread(self._thread.shutdown)

    def _save(self, record: MatchRecord, when: datetime) -> None:
        try:
            path = write_replay(record, self._folder, when, compress=self._compress)
        except OSError as error:
            # A full disk costs replays, never games.
            log_event(
                logger,
                "replay not saved",
                level=logging.WARNING,
                room=record.room_id,
                reason=str(error),
            )
        except Exception as error:
            log_event(
                logger, "replay not saved", level=logging.ERROR, room=record.room_id, error=error
            )
        else:
            log_event(
                logger, "replay saved", level=logging.DEBUG, room=record.room_id, file=path.name
            )
