"""Write reviews as JSON values, for programs and for the page (docs/analysis.md has every key)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spielleiter.engine.review import Estimate, JudgedMove, Review
from spielleiter.rules import AnyGame, Text


def tell_review(review: Review, sentences: Sequence[Text]) -> dict[str, Any]:
    """Return a review with what was said about it."""
    return {
        "seconds": review.seconds,
        "slips": list(review.slips),
        "complete": review.is_complete,
        "positions": [tell_estimate(one) for one in review.estimates],
        "moves": [tell_move(review.game, one) for one in review.moves],
        "sentences": [tell_text(one) for one in sentences],
        "problems": [tell_text(one) for one in review.problems],
    }


def tell_estimate(estimate: Estimate | None) -> dict[str, float] | None:
    """Return an estimate, rounded to what means anything."""
    if estimate is None:
        return None
    return {"win": round(estimate.win, 3), "points": round(estimate.points, 1)}


def tell_move(game: AnyGame, move: JudgedMove | None) -> dict[str, Any] | None:
    """Return a judged move, with moves in notation."""
    if move is None:
        return None
    return {
        "turn": move.turn,
        "seat": move.seat,
        "move": game.format_move(move.move),
        "verdict": move.verdict.value,
        "lost": round(move.lost, 1),
        "lost_win": round(move.lost_win, 3),
        "before": tell_estimate(move.before),
        "after": tell_estimate(move.after),
        "best": game.format_move(move.best),
        "continuation": [game.format_move(one) for one in move.continuation],
        "remark": None if move.remark is None else tell_text(move.remark),
    }


def tell_text(text: Text) -> dict[str, str]:
    """Return a sentence in both languages."""
    return {"de": text.de, "en": text.en}
