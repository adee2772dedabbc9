from spielleiter.client import Bot as Bot
from spielleiter.client import Clock as Clock
from spielleiter.client import Exit as Exit
from spielleiter.client import MoveClock as MoveClock
from spielleiter.client import run as run

__version__: str
