"""A judgement bound to one answer version or one link, so that it can go visibly stale."""

from typing import Literal

from explainkit.records.base import Attributes, RecordBase, Seq


class Verdict(RecordBase):
    """A judgement.

    Attributes:
        slot: The answer slot judged; ``None`` when a link is judged.
        version: The version judged.
        link: ``seq`` of the link judged.
        status: passed, failed, unavailable, not-run, or refused for a terminal verdict.
        judge: Who judged.
        issues: What was found, each ``{code, message, path}``.
        reason: Why.
        terminal: Kind of the terminal verdict, when it ends a run.
        detail: What a terminal verdict carries.
    """

    kind: Literal["verdict"] = "verdict"
    slot: str | None = None
    version: int | None = None
    link: Seq | None = None
    status: Literal["passed", "failed", "unavailable", "not-run", "refused"]
    judge: str | None = None
    issues: tuple[Attributes, ...] = ()
    reason: str | None = None
    terminal: str | None = None
    detail: Attributes | None = None
