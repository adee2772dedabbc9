"""Prepares a game on a server, starts two house bots for it, and tells how it goes.

For whoever runs many games.

spielleiter serve --password secret
python examples/watch_admin.py --password secret
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from spielleiter.client.admin import AdminClient, AdminError
from spielleiter.client.events import Closed, ErrorReceived, MatchOver, StateShown
from spielleiter.games import DEFAULT, get_game
from spielleiter.wire.messages import Slot


async def start_bot(
    name: str, game: str, options: argparse.Namespace, code: str
) -> asyncio.subprocess.Process:
    """Start a house bot in a process of its own, on the seat that the code was given for."""
    command = [sys.executable, "-m", "spielleiter", "bot", name, "--game", game]
    address = ["--host", options.host, "--port", str(options.port), "--reservation", code]
    return await asyncio.create_subprocess_exec(
        *command, *address, stderr=asyncio.subprocess.DEVNULL
    )


async def main(options: argparse.Namespace) -> int:
    game = get_game(options.game)
    async with await AdminClient.connect(options.host, options.port, options.password) as admin:
        room = await admin.prepare(game, [Slot(name) for name in options.bots], seed=options.seed)
        watching = await admin.observe(
            room.room_id
        )  # before the bots come, so that nothing is missed
        bots = [
            await start_bot(name, game.id, options, code)
            for name, code in zip(options.bots, room.codes, strict=True)
        ]
        print(f"{game.title} in room {room.room_id}: {' against '.join(options.bots)}")
        result = 1
        async for event in watching:
            match event:
                case StateShown(state) if state.last_move is not None:
                    scores = " : ".join(
                        "/".join(map(str, parts)) for parts in state.outcome().scores
                    )
                    print(f"{state.turn:3}  {state.last_move!s:<30}  {scores}")
                case ErrorReceived(text):
                    print(f"the server complains: {text}")
                case MatchOver(outcome) if outcome is not None:
                    winner = "nobody" if outcome.winner is None else options.bots[outcome.winner]
                    print(f"{winner} wins. {outcome.reason}")
                    result = 0
                case Closed():
                    print("the server went away")
        for bot in bots:
            await bot.wait()
        return result


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="watch a game between two house bots", add_help=False
    )
    parser.add_argument(
        "bots", nargs="*", metavar="BOT", default=["greedy", "random"], help="two house bots"
    )
    parser.add_argument("--game", default=DEFAULT)
    parser.add_argument(
        "--seed", type=int, default=1, help="the same number gives the same first position"
    )
    parser.add_argument("-h", "--host", default="localhost")
    parser.add_argument("-p", "--port", type=int, default=13050)
    parser.add_argument("--password", default="examplepassword", help="the server's")
    parser.add_argument("--help", action="help")
    options = parser.parse_args(arguments)
    if len(options.bots) != 2:
        parser.error("name two bots, such as: greedy random")
    return options


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main(parse(sys.argv[1:]))))
    except AdminError as error:
        sys.exit(f"watch_admin: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
