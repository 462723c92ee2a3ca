"""Where one item stands while its flow runs: its versions, what was said of them, how it ended."""

from dataclasses import dataclass, field
from typing import Any

from explainkit.answering.shapes import READY, AnswerItem, AnswerResult, AnswerStatus
from explainkit.flow.checks import UNSET, CheckResult, Issue


@dataclass(slots=True)
class Standing:
    """One item of a batch that is answered.

    Attributes:
        item: The item.
        index: Its place in the batch.
        value: Its present value.
        checks: What checks said.
        reviews: What reviews said.
        issues: What was found last.
        rounds: In how many rounds it was generated for.
        why: Why it is not accepted, in words.
        again: Whether a repair may put that right.
        slot: Its answer slot, once it has one.
        version: The present version in that slot.
        seq: The record of that version; below 0 where there is none.
        digest: What the record holds of that version; None where there is none.
        result: What came of it; None while it goes on.
    """

    item: AnswerItem[Any]
    index: int
    value: Any = UNSET
    checks: list[CheckResult] = field(default_factory=list)
    reviews: list[CheckResult] = field(default_factory=list)
    issues: tuple[Issue, ...] = ()
    rounds: int = 0
    why: str = ""
    again: bool = False
    slot: str | None = None
    version: int = 0
    seq: int = -1
    digest: str | None = None
    result: AnswerResult[Any, Any] | None = None

    @property
    def id(self) -> str:
        """The item's id."""
        return self.item.id

    @property
    def is_ready(self) -> bool:
        """Whether its source is."""
        return self.item.source_status == READY

    def rejected(self, why: str, *issues: Issue, again: bool) -> None:
        """Its value is not taken, or there is none."""
        self.why, self.issues, self.again = why, issues, again

    def ended(self, status: AnswerStatus, reason: str) -> AnswerResult[Any, Any]:
        """Nothing more happens to it."""
        self.result = AnswerResult(
            self.item,
            status,
            UNSET if status == "blocked" else self.value,
            tuple(self.checks),
            tuple(self.reviews),
            self.issues,
            self.rounds,
            reason,
        )
        return self.result
