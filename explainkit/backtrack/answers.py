"""Which version of which answer a backtrack starts from."""

from dataclasses import dataclass
from typing import Final

from explainkit.errors import UnknownRecordError
from explainkit.graph.evidence import Evidence
from explainkit.safety import shorten

_SHOWN: Final = 8
Answer = str | int | tuple[str, int]


@dataclass(frozen=True, slots=True)
class Chosen:
    """An answer version.

    Attributes:
        node: Its place; ``None`` when the run has no answer.
        seq: Its record.
        version: Its number; 0 when nobody said which output is the answer.
        slot: Its answer slot.
    """

    node: int | None
    seq: int | None
    version: int
    slot: str

    @property
    def inferred(self) -> bool:
        """Whether the last output of a model stands for an answer that nobody gave."""
        return self.node is not None and self.version == 0


def choose(evidence: Evidence, answer: Answer | None) -> Chosen:
    """Choose an answer version.

    Args:
        evidence: The run.
        answer: ``None`` for the version that the reader got; a slot; a version of the slot
            ``answer``; or both.

    Raises:
        UnknownRecordError: There is no such slot or version.
    """
    slot, version = _asked(answer)
    versions = evidence.answers.get(slot)
    if versions is None and answer is None:
        node = evidence.last_model_output()
        return Chosen(node, None if node is None else evidence.places.seq[node], 0, slot)
    if versions is None:
        known = ", ".join([shorten(each, 60) for each in evidence.answers][:_SHOWN]) or "none"
        if len(evidence.answers) > _SHOWN:
            known += f" and {len(evidence.answers) - _SHOWN:,} more"
        raise UnknownRecordError(f"The run has no answer slot {slot!r:.60}. It has: {known}.")
    number = len(versions) if version is None else version
    if not 1 <= number <= len(versions):
        raise UnknownRecordError(
            f"The answer slot {slot!r:.60} has versions 1 to {len(versions)}, not {number}."
        )
    node = versions[number - 1]
    return Chosen(node, evidence.places.seq[node], number, slot)


def _asked(answer: Answer | None) -> tuple[str, int | None]:
    if answer is None:
        return "answer", None
    if isinstance(answer, str):
        return answer, None
    return ("answer", answer) if isinstance(answer, int) else answer
