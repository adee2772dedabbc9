"""The game server with its connections, lobby, rooms and administration, over asyncio TCP."""

from spielleiter.server.app import Server
from spielleiter.server.errors import ServerError
from spielleiter.server.program import serve
from spielleiter.server.settings import Settings

__all__ = ["Server", "ServerError", "Settings", "serve"]
