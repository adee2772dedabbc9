"""The game server: asyncio TCP, connections, lobby, rooms, administration."""

from spielleiter.server.app import Server, ServerError, serve
from spielleiter.server.settings import Settings

__all__ = ["Server", "ServerError", "Settings", "serve"]
