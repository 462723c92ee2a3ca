"""One step of the chain: something that took inputs and gave an output or an error."""

from typing import Literal

from explainkit.records.base import (
    Attributes,
    Cell,
    Digest,
    Input,
    LaterCell,
    LinkStatus,
    RecordBase,
    Segment,
    Seq,
)


class LinkOpened(RecordBase):
    """A step begins. Its ``seq`` is the link's id.

    Attributes:
        parent: ``seq`` of the enclosing open link.
        type: model, tool, retrieval, effect, assemble, branch, check, function, run, or own word.
        name: Function name or the author's name.
        inputs: Argument slots.
        uses: Input slots that the author declared the output is made from.
        cell: Notebook cell, when there is one.
        defined: Notebook cell that defined the function.
        redefined: Notebook cell that had defined it anew by then; this one is older.
        code: Hash of the function's source.
        untracked: What the function reads from outside its arguments.
        deterministic: Declared by the author.
        unlinked: The run was found without a context variable (another thread).
        actor: Who acted, for imported runs.
        source_index: Position in the imported source.
        attrs: Anything else the author attached.
    """

    kind: Literal["link_opened"] = "link_opened"
    parent: Seq | None = None
    type: str = "function"
    name: str
    inputs: tuple[Input, ...] = ()
    uses: tuple[str, ...] = ()
    cell: Cell | None = None
    defined: Cell | None = None
    redefined: LaterCell | None = None
    code: str | None = None
    untracked: tuple[str, ...] = ()
    deterministic: bool = False
    unlinked: bool = False
    actor: str | None = None
    source_index: int | None = None
    attrs: Attributes = {}


class LinkClosed(RecordBase):
    """A step ends.

    Attributes:
        link: ``seq`` of the ``link_opened`` record.
        status: How it ended; ``abandoned`` was still open when its run ended.
        output: Digest of the output.
        error: Digest of the exception.
        segments: Where stretches of the output came from (own input slots, for ``assemble``).
        bounds: Code-point ends of the items, when the output joins a generator's texts.
        attrs: Usage, model name, finish reason, ...
    """

    kind: Literal["link_closed"] = "link_closed"
    link: Seq
    status: LinkStatus
    output: Digest | None = None
    error: Digest | None = None
    segments: tuple[Segment, ...] = ()
    bounds: tuple[int, ...] = ()
    attrs: Attributes = {}
