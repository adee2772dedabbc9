"""A bot for Hase und Igel that looks at the opponent's best answer to every move.

It counts the turns that both hares still need.

spielleiter play examples/hare_bot.py          one game against greedy
spielleiter play human examples/hare_bot.py    against you
"""

from spielleiter import Bot, run
from spielleiter.games.hase_und_igel.bots.players import turns_to_goal  # greedy's estimate


class HareBot(Bot):
    game = "hase-und-igel-2018"

    def choose(self, state, clock):
        best, best_value = None, float("-inf")
        for move in state.legal_moves():
            value = self.value_after_reply(state.play(move))
            if value > best_value:
                best, best_value = move, value
            if clock.remaining < 0.5:
                break
        # The servers of this season show hints to whoever watches.
        self.hint(f"ahead by {best_value:.1f} turns")
        return best

    def value_after_reply(self, state):
        """Return what a position is worth if the opponent answers as well as they can."""
        if state.is_over:
            return self.value(state)
        return min(self.value(state.play(reply)) for reply in state.legal_moves())

    def value(self, state):
        """Return how many turns we are ahead, or ±100 once the match is over."""
        if state.is_over:
            return 100 if state.outcome().winner == self.seat else -100
        mine, theirs = (
            turns_to_goal(state.board, state.hares[seat]) for seat in (self.seat, 1 - self.seat)
        )
        return theirs - mine + self.rng.random() / 1000  # dice decide between equals

    def fallback(self, state):
        return state.legal_moves()[0]


run(HareBot)
