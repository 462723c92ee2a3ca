"""Which judge decides: the user's own, else a checker that failed, the words, the type."""

from collections.abc import Callable
from typing import Any

from explainkit.errors import InterventionError, RerunError
from explainkit.whatif.judging.ends import End
from explainkit.whatif.judging.judges import (
    CheckerJudge,
    FunctionJudge,
    Judge,
    SameJudge,
    SpanJudge,
    said_by,
)


def judge_for(
    origin: End, *, judge: Callable[[Any], Any] | None, span: tuple[int, int] | None, text: str
) -> Judge:
    """Choose the judge.

    Args:
        origin: How the recorded run ended.
        judge: A function of the answer; the answer flips when it says something else of it than
            of the recorded one.
        span: The selected words, in code points of the answer's text.
        text: The answer's text.

    Raises:
        InterventionError: The given judge is no function, or cannot say anything of the recorded
            answer.
    """
    if judge is not None:
        if not callable(judge):
            raise InterventionError(
                f"judge= takes a function of the answer; got {judge!r:.60}. Example: "
                'judge=lambda answer: "half" in answer.'
            )
        try:
            return FunctionJudge(judge, said_by(judge, origin))
        except RerunError as error:
            raise InterventionError(f"Of the recorded answer, {error}.") from error
    checker = failed_checker(origin)
    if checker is not None and span is None:
        return CheckerJudge(checker)
    if span is not None:
        start, end = span
        return SpanJudge(text[start:end], text, start)
    return SameJudge(origin)


def failed_checker(origin: End) -> str | None:
    """The checker that failed the answer while the run went on; a later person cannot be asked."""
    recording = origin.recording
    for row in recording.rows("verdict"):
        if (
            row["seq"] < recording.run_length
            and row.get("status") == "failed"
            and row.get("slot") == origin.slot
            and row.get("version") == origin.version
        ):
            return str(row.get("judge"))
    return None
