"""What a backtrack found, as plain frozen data that views, sessions and JSON draw from."""

from dataclasses import dataclass
from typing import Final, Literal

Grade = Literal["declared", "value", "exposure", "order"]
Verb = Literal["overridden", "said", "read", "landed", "allowed", "born", "carried"]


@dataclass(frozen=True, slots=True)
class Place:
    """An occurrence with its text.

    Attributes:
        seq: The record.
        slot: Which of its values.
        path: JSON Pointer of the leaf.
        start: First code point of the stretch in the leaf.
        end: One past the last.
        text: The stretch, whole.
        label: What a person calls the place, such as ``context campaign-note``.
    """

    seq: int
    slot: str
    path: str
    start: int
    end: int
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of the walk, from what was held (``target``) back to where it came from.

    Attributes:
        verb: said (answer from a model's output), read (output from the model's input), landed
            (input from the slot of a template or message list), allowed (slot from the context
            record), born (context from its source), overridden (version from the one before),
            carried (any other move of the same characters).
        grade: How the hop is known.
        target: Where the stretch is held.
        source: Where it came from; for ``born`` the context record with the source as text.
        depth: Distance from the answer.
        note: What a reader should know (why admitted, by whom overridden, stale cell, ...).
        replaced: The target's words took the place of the source's. Then they do not come from
            them, and the way back ends there; or, where exposure is admitted, what follows could
            have mattered and no more.
    """

    verb: Verb
    grade: Grade
    target: Place
    source: Place
    depth: int
    note: str | None = None
    replaced: bool = False

    @property
    def leads_on(self) -> bool:
        """Whether the target's words, as far as the grade says, come from the source."""
        return not self.replaced or self.grade == "exposure"


@dataclass(frozen=True, slots=True)
class ContextUse:
    """A context in the slice (a leaf of the walk) with its custody.

    Attributes:
        seq: The record: a context, the question, an event, or a link whose output is new text.
        name: Its name.
        type: context type, ``question``, ``event``, or the link's type.
        grade: The strongest grade of a path that reaches it.
        asked: True for the run's question.
        places: The stretches of it that the answer's span carries.
        born: Source, or how it came to be.
        allowed: Why it was admitted.
        landed: Where it was put: slots of templates, and what a model received.
        read: Model links that read it.
        said: Versions of answers that carry it.
        overridden: Who overrode the answer after.
        source_index: Position in the imported source.
        refused: What became of it, when it is a draft that did not stand or holds nothing else; it
            said the words before and supports none.
        through: By way of what it came there: outputs of tools, of Agents and of other links, and
            contexts that quote it; in order of time, as all of these are.
    """

    seq: int
    name: str
    type: str
    grade: Grade
    asked: bool
    places: tuple[Place, ...]
    born: str | None
    allowed: str | None
    landed: tuple[str, ...]
    read: tuple[str, ...]
    said: tuple[str, ...]
    overridden: tuple[str, ...]
    source_index: int | None = None
    refused: str | None = None
    through: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """One stated reason of a rank, with evidence that can be checked.

    Attributes:
        word: The reason in words.
        evidence: The places that show it.
    """

    word: str
    evidence: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Suspect:
    """A row of the shortlist. A rank is a rank, not a probability.

    Attributes:
        rank: From 1; equal for rows that the reasons cannot separate.
        tied: How many rows share the rank.
        seq: The record (context, event, or link).
        source_index: Position in the imported source.
        actor: Who wrote it, or the record's name.
        reasons: Why it stands where it stands.
    """

    rank: int
    tied: int
    seq: int
    source_index: int | None
    actor: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class SentenceCoverage:
    """What supports one sentence of the answer.

    Attributes:
        start: First code point in the answer.
        end: One past the last.
        text: The sentence.
        state: supported (every word of it that tells something, with no figure and no negation
            that its sources put otherwise), partly, nothing.
        places: Upstream stretches that support it.
        disagree: Figures of the sentence for which upstream has another value in like words.
        held: Phrases of it that its sources say, figures and names first.
        missing: Phrases of it that they do not say.
        turned: Negations that stand in it or in its source only.
        short: It stands earlier too, and has too few characters to show that it came from there.
    """

    start: int
    end: int
    text: str
    state: Literal["supported", "partly", "nothing"]
    places: tuple[Place, ...]
    disagree: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    short: bool = False

    @property
    def words(self) -> str:
        """What is supported and what is not: ``supported: 60 minutes; not: half of the fare``."""
        if self.short:
            return "too short to show where it came from; select it to follow it"
        if self.state == "nothing" and self.places:
            return "made from what is named, as was declared, which says none of it"
        if self.state == "nothing":
            return "nothing upstream supports it"
        if self.state == "supported":
            return "supported"
        told = [f"supported: {_listed(self.held)}"] if self.held else []
        told += [f"not: {_listed(self.missing)}"] if self.missing else []
        told += self.turned
        if not told:
            return "supported in part"
        return "; ".join(told)


_PHRASES: Final = 8
"""Phrases of a sentence that are listed."""


def _listed(phrases: tuple[str, ...]) -> str:
    more = len(phrases) - _PHRASES
    return ", ".join([*phrases[:_PHRASES], *([f"{more:,} more"] if more > 0 else [])])


@dataclass(frozen=True, slots=True)
class Exposure:
    """A text that was in the input without carrying characters; ranked by a proxy.

    Attributes:
        seq: The record.
        name: Its name.
        overlap: Lexical overlap with the span, 0 to 1; a proxy, not evidence.
    """

    seq: int
    name: str
    overlap: float


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What was available and never reached the model.

    Attributes:
        seq: The context record.
        name: Its name.
        how: dropped, truncated, cut by rank, deduplicated, compacted, never read, or not read
            itself where a link was given it and a model read what came of that.
        why: The recorded reason.
        text: The text that did not reach the model.
    """

    seq: int
    name: str
    how: str
    why: str | None
    text: str


@dataclass(frozen=True, slots=True)
class OverrideStep:
    """An override between the model's own reply and what the reader got."""

    seq: int
    slot: str | None
    from_version: int | None
    by: str
    reason: str | None
    site: str | None
    outcome: str
    before: str | None
    after: str | None
    touches_span: bool


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """A verdict on the answer or on a link; ``stale`` when a later version replaced its target.

    ``slot`` is the answer slot that was judged; ``None`` for a verdict on a link.
    """

    seq: int
    target: str
    status: str
    judge: str | None
    reason: str | None
    issues: tuple[str, ...]
    stale: bool
    slot: str | None = None


@dataclass(frozen=True, slots=True)
class Walk:
    """The whole result of one backtrack. ``hops`` are in order of depth, then seq.

    Attributes:
        run: Run id.
        question: Text of the question, if any.
        answer: Text of the answer version walked from.
        version: Its version number; 0 when the answer is inferred from the last model output.
        inferred: True when nobody said which output is the answer.
        answer_seq: The record that holds the answer; ``None`` without an answer.
        span: ``(start, end)`` in the answer; ``None`` for the whole answer.
        grade: Weakest grade admitted.
        hops: The walk.
        contexts: Leaves with custody.
        introducers: Every place that holds the text and carries it from nowhere earlier.
        carriers: The other places that hold it.
        dominators: Seqs of records that every path passes through, nearest the answer first.
        coverage: Per sentence of the answer (of the span, when one is given).
        unsupported: Stretches of the answer in no upstream text.
        ignored: Contexts that reached a model and of which nothing was carried into the answer.
        left_out: What never reached the model.
        lost: Lines about what was not recorded whole.
        overrides: In order of version.
        verdicts: In order of seq.
        untracked: Lines about sources outside the record (globals, closures, stale cells).
        exposures: What else the model saw, by lexical overlap (proxy).
        caps: Lines about what was cut in this result; empty when nothing was.
        slot: The answer slot of that version.
        ended: What ``answer`` is instead, for a run without one that is walked back from the
            verdict or error that it ended on.
    """

    run: str
    question: str | None
    answer: str
    version: int
    inferred: bool
    answer_seq: int | None
    span: tuple[int, int] | None
    grade: Grade
    hops: tuple[Hop, ...]
    contexts: tuple[ContextUse, ...]
    introducers: tuple[Place, ...]
    carriers: tuple[Place, ...]
    dominators: tuple[int, ...]
    coverage: tuple[SentenceCoverage, ...]
    unsupported: tuple[Place, ...]
    ignored: tuple[ContextUse, ...]
    left_out: tuple[LeftOut, ...]
    lost: tuple[str, ...]
    overrides: tuple[OverrideStep, ...]
    verdicts: tuple[VerdictLine, ...]
    untracked: tuple[str, ...]
    exposures: tuple[Exposure, ...]
    caps: tuple[str, ...]
    slot: str = "answer"
    ended: str | None = None


@dataclass(frozen=True, slots=True)
class PromptSegment:
    """A stretch of what the model saw and where it came from.

    Attributes:
        start: First code point in ``Prompt.text``.
        end: One past the last.
        text: The stretch.
        origin: Where it was born or first recorded; ``None`` for the template's own words.
        name: Name of the origin, or ``template``.
        grade: declared (assembled), value (same characters), or exposure (unknown origin).
    """

    start: int
    end: int
    text: str
    origin: Place | None
    name: str
    grade: Grade


@dataclass(frozen=True, slots=True)
class PromptLeaf:
    """Where a stretch of what the link received stands in the text of a prompt.

    Attributes:
        slot: The input.
        path: JSON Pointer of the leaf in it.
        low: First code point in the leaf.
        start: First code point in ``Prompt.text``.
        end: One past the last.
    """

    slot: str
    path: str
    low: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model saw for one call; the segments cover the text without gaps.

    Attributes:
        link: ``seq`` of the model link.
        name: Its name.
        text: The text, messages shown as ``[role]`` blocks.
        segments: In order, gap-free.
        leaves: Where what the link received stands in the text, in order.
    """

    link: int
    name: str
    text: str
    segments: tuple[PromptSegment, ...]
    leaves: tuple[PromptLeaf, ...] = ()
