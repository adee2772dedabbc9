"""A bot for Blokus on one screen. It rates the position after every move and minds the clock.

spielleiter play examples/bot.py               one game against greedy
spielleiter check examples/bot.py              has it learned its duties?
python examples/bot.py -h localhost -p 13050   on a server, also on the official one
"""

from spielleiter import Bot, run
from spielleiter.games.blokus import Color
from spielleiter.games.blokus.rules.bitboard import diagonals, free_squares, sides

STEPS = 4  # how far we look for room; 7 and 12 see room that others will have taken
POINTS_PER_SQUARE = 0.3  # what a square we may reach later is worth, in points we have now


def reach(state, color):
    """Return the squares a colour may still get to, as a set in one number (bit y * 21 + x)."""
    own = state.boards[color]
    free = free_squares(own, state.occupied_squares)  # empty, and not beside one of its own
    found = diagonals(own) & free  # where its next piece may begin
    for _ in range(STEPS):
        found |= sides(found) & free
    return found


class ExampleBot(Bot):
    game = "blokus-2021"

    def on_start(self, state):
        print(f"We have seat {self.seat}; every first piece is a {state.start_piece.name}.")

    def choose(self, state, clock):
        best, best_value = None, float("-inf")
        # The biggest first: if the time is over, what was looked at was worth it.
        for move in sorted(state.legal_moves(), key=lambda move: -move.size):
            value = self.value(state.play(move))
            if value > best_value:
                best, best_value = move, value
            if clock.remaining < 0.5:
                break
        self.debug.note(f"{best} promises {best_value:+.1f} points after {clock.elapsed:.2f} s")
        return best

    def value(self, state):
        """Return our lead in points, with what both sides may still reach."""
        lead = self.rng.random() / 1000  # dice decide between equals
        for color in Color:
            worth = state.score(color) + POINTS_PER_SQUARE * reach(state, color).bit_count()
            lead += worth if color.seat == self.seat else -worth
        return lead

    def fallback(self, state):
        # If choose fails one day, the match goes on with this.
        return max(state.legal_moves(), key=lambda move: move.size)

    def on_result(self, outcome):
        if outcome is not None:
            print(
                "won" if outcome.winner == self.seat else "not won", outcome.scores, outcome.reason
            )


run(ExampleBot)
