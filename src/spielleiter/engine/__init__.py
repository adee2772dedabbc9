"""Judge positions and whole matches, with the engine of the package ``spielleiter-engine``.

``Analyser`` thinks about one position, ``Reviewer`` walks a match and says what each move cost.
Without the package, and for games without an engine, both say so with an ``EngineError``.
"""

from spielleiter.engine.analyser import Analyser, can_analyse
from spielleiter.engine.patience import PatientThinker
from spielleiter.engine.review import Estimate, JudgedMove, Review, Reviewer
from spielleiter.engine.sentences import explain_review
from spielleiter.engine.verdicts import Verdict
from spielleiter.rules.engine import (
    BudgetError,
    Engine,
    EngineError,
    EngineMissing,
    Line,
    NoEngine,
    NothingToJudge,
)

__all__ = [
    "Analyser",
    "BudgetError",
    "Engine",
    "EngineError",
    "EngineMissing",
    "Estimate",
    "JudgedMove",
    "Line",
    "NoEngine",
    "NothingToJudge",
    "PatientThinker",
    "Review",
    "Reviewer",
    "Verdict",
    "can_analyse",
    "explain_review",
]
