"""A run's first and last record, because everything between belongs to one execution."""

from typing import Any, Literal

from explainkit.records.base import (
    Attributes,
    Cell,
    Digest,
    Input,
    LaterCell,
    RecordBase,
    RunStatus,
)


class RunStarted(RecordBase):
    """The run begins; only the values that it names stand before it.

    Attributes:
        run: The run's id.
        name: What the author called it.
        question: Digest of the question, when one is known.
        inputs: Arguments of the traced function, so that it can be called again.
        callable: ``module:qualname`` of the traced function.
        parent: Id of the run that this one is nested in.
        resumes: Id of the run that this one goes on from.
        origin: Id of the run that this what-if varies, with ``interventions``.
        cell: Notebook cell of the start.
        defined: Notebook cell that defined the traced function.
        redefined: Notebook cell that had defined it anew by then; this one is older.
        code: Hash of the traced function's source, or of the traced cell.
        versions: Names and versions of what ran (explainkit, python, ...).
        source: For an imported run: format, file name, index in the file.
        untracked: Names that the traced function reads from outside its arguments.
    """

    kind: Literal["run_started"] = "run_started"
    run: str
    name: str
    question: Digest | None = None
    inputs: tuple[Input, ...] = ()
    callable: str | None = None
    parent: str | None = None
    resumes: str | None = None
    origin: str | None = None
    interventions: tuple[dict[str, Any], ...] = ()
    cell: Cell | None = None
    defined: Cell | None = None
    redefined: LaterCell | None = None
    code: str | None = None
    versions: dict[str, str] = {}
    source: Attributes | None = None
    untracked: tuple[str, ...] = ()


class RunEnded(RecordBase):
    """The run ends. A stream without it belongs to a run that crashed or still goes on.

    Attributes:
        status: How it ended.
        error: Digest of the exception, when it ended on one.
        suppressed: Own faults of the tracer that were kept from user code.
    """

    kind: Literal["run_ended"] = "run_ended"
    status: RunStatus
    error: Digest | None = None
    suppressed: int = 0
