"""Begins or goes on with a run, and prints a line for each match that is over. It may be killed.

python run_child.py FOLDER WAY PARALLEL PLAN, where PLAN is JSON
"""

import asyncio
import json
import sys
from pathlib import Path

from spielleiter.arena.runs.events import MatchFinished, RunEvent
from spielleiter.arena.runs.jobs import MatchPlayer
from spielleiter.arena.runs.plan import RunPlan
from spielleiter.arena.runs.runner import Runner
from spielleiter.arena.runs.saved_run import find_bots, has_run, read_run
from spielleiter.games import get_game


def tell(event: RunEvent) -> None:
    if isinstance(event, MatchFinished):
        print(event.number, flush=True)


def make_player(way: str) -> MatchPlayer:
    if way == "sockets":
        from spielleiter.arena.runs.socket_player import SocketPlayer

        return SocketPlayer()
    from arena.fake_players import FakePlayer

    return FakePlayer()


async def main() -> None:
    folder, way, parallel, text = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
    player = make_player(way)
    plan = RunPlan.from_json(json.loads(text))
    bots = find_bots(plan, get_game(plan.game))
    if folder.is_dir() and has_run(folder):
        saved = read_run(folder)
        runner = Runner.resume(saved, folder, bots, [player], listen=tell, parallel=parallel)
    else:
        runner = Runner(folder, plan, bots, [player], listen=tell, parallel=parallel)
    last = await runner.run()
    print(type(last).__name__, flush=True)


asyncio.run(main())
