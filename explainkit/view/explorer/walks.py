"""How an exploration walks: as its session does, or plainly, from a given answer."""

from typing import TYPE_CHECKING, Protocol

from explainkit.backtrack import walk as plain_walk
from explainkit.backtrack.results import Walk
from explainkit.view.explorer.material import RUN

if TYPE_CHECKING:
    from explainkit.graph import Evidence

Span = tuple[int, int] | None


class Walks(Protocol):
    """Walks back from an answer: what a session knows how to do for every way that a run ends."""

    def __call__(self, slot: str, version: int | None, span: Span, grade: str, /) -> Walk:
        """Walk from an answer slot, its effective version when none is given."""


def plain_walks(evidence: "Evidence") -> Walks:
    """Walks of a run that nobody holds."""

    def walked(slot: str, version: int | None, span: Span, grade: str, /) -> Walk:
        if version is None:
            return plain_walk(
                evidence, answer=None if slot == RUN else slot, span=span, grade=grade
            )
        return plain_walk(evidence, answer=(slot, version), span=span, grade=grade)

    return walked
