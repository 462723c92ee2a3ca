"""What a comparison of two runs found, as plain frozen data."""

from dataclasses import dataclass
from typing import Literal

Side = Literal["a", "b", "both"]


@dataclass(frozen=True, slots=True)
class LinkPair:
    """A link of one run and the one of the other that it matches.

    Attributes:
        a: Its `seq` in the first run; None for a link of the second one only.
        b: Its `seq` in the second run; None for a link of the first one only.
        type: The link's type.
        name: The link's name.
        same_inputs: Whether both were given the same.
        same_output: Whether both gave the same and ended the same.
    """

    a: int | None
    b: int | None
    type: str
    name: str
    same_inputs: bool = False
    same_output: bool = False

    @property
    def is_matched(self) -> bool:
        """Whether both runs have it."""
        return self.a is not None and self.b is not None


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where the runs part.

    Attributes:
        pair: The links.
        how: ``output`` (given the same, they gave something else), ``changed`` (the second run is a
            what-if of the first one, which gave it another result), ``inputs`` (they were given
            something else to begin with), ``only in a`` or ``only in b``.
        given: What they were given, as texts: one where it is the same, else one of each run.
        outputs: What they gave, or the error.
    """

    pair: LinkPair
    how: Literal["output", "changed", "inputs", "only in a", "only in b"]
    given: tuple[str, str]
    outputs: tuple[str, str]


@dataclass(frozen=True, slots=True)
class ContextChange:
    """A piece of context, or an event that arrived, that differs.

    Attributes:
        name: Its name.
        how: only in a, only in b, changed, moved, left out in a, left out in b.
        a: Its `seq` in the first run.
        b: Its `seq` in the second run.
        before: Its text in the first run.
        after: Its text in the second run.
    """

    name: str
    how: str
    a: int | None
    b: int | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class AnswerChange:
    """An answer slot in both runs.

    Attributes:
        slot: The slot in the first run; in the second one where only that has it.
        before: Its effective answer in the first run, or how that ended without one.
        after: The same of the second run.
        same: Whether they are the same.
        name: What it is called in both runs: of a pick its event, of a runner's answer its link.
        other: The slot in the second run, whose record numbers are others.
    """

    slot: str
    before: str
    after: str
    same: bool
    name: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class RecordChange:
    """An override or a verdict that only one run has.

    Attributes:
        kind: override or verdict.
        side: Which run has it.
        seq: The record there.
        words: What it is, in words.
    """

    kind: Literal["override", "verdict"]
    side: Literal["a", "b"]
    seq: int
    words: str


@dataclass(frozen=True, slots=True)
class FieldChange:
    """Something else that was recorded and differs.

    Attributes:
        of: What it belongs to, such as "argument extra" or "context note".
        field: Which part of it, such as "source"; empty for all of it.
        before: What the first run has; empty for nothing.
        after: What the second run has.
    """

    of: str
    field: str
    before: str
    after: str

    @property
    def name(self) -> str:
        """What differs, in words."""
        return f"{self.of}: {self.field}" if self.field else self.of


@dataclass(frozen=True, slots=True)
class Compared:
    """Two runs side by side.

    Attributes:
        a: Id of the first run.
        b: Id of the second run.
        names: Names of both.
        statuses: How both ended.
        pairs: Every link of either run, in order.
        divergence: Where they part first; None when no link differs.
        contexts: Context that differs before the divergence, or in the whole run without one.
        answers: Every answer slot.
        records: Overrides and verdicts that only one of them has.
        fields: What else differs: question, arguments, the error at the end, and, up to the
            divergence, everything else that was recorded but times, ids and places in code.
        called: What each is called in every display: ``recorded run`` and ``re-run`` where one is
            a what-if of the other, else by their names where these differ, else ``first run`` and
            ``second run``.
    """

    a: str
    b: str
    names: tuple[str, str]
    statuses: tuple[str, str]
    pairs: tuple[LinkPair, ...]
    divergence: Divergence | None
    contexts: tuple[ContextChange, ...]
    answers: tuple[AnswerChange, ...]
    records: tuple[RecordChange, ...]
    fields: tuple[FieldChange, ...] = ()
    called: tuple[str, str] = ("first run", "second run")

    @property
    def is_same(self) -> bool:
        """Whether nothing that was compared differs."""
        return (
            self.divergence is None
            and not self.contexts
            and not self.records
            and not self.fields
            and all(each.same for each in self.answers)
            and self.statuses[0] == self.statuses[1]
        )
