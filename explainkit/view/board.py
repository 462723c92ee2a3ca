"""The view-model: what every skin says, in the order in which a person reads it, free of markup."""

from dataclasses import dataclass, field

from explainkit.backtrack.results import Grade
from explainkit.view.passages import Passage


@dataclass(frozen=True, slots=True)
class VerdictWords:
    """A verdict as a person says it.

    Attributes:
        seq: The record.
        words: Such as ``failed, says reviewer``.
        reason: Why, when that was recorded.
        failed: True for ``failed`` and ``refused``.
        stale: True when a later version replaced what was judged.
    """

    seq: int
    words: str
    reason: str | None
    failed: bool
    stale: bool


@dataclass(frozen=True, slots=True)
class StepVerdicts:
    """What one judge said of several steps, as a bisection does, in one line.

    Attributes:
        words: Such as ``bisection let 2 steps pass and called 1 wrong``.
        failed: Whether it called one of them wrong.
        verdicts: Each of them, in order.
        more: How many are not among these.
    """

    words: str
    failed: bool
    verdicts: tuple[VerdictWords, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the trail: a hop from what was held back to where it came from.

    Attributes:
        verb: said, read, landed, allowed, born, overridden, carried.
        grade: How the hop is known.
        held: Where the characters are held.
        source: Where they came from.
        quote: The quoted characters, marked, in the source.
        note: What a reader should know.
        seq: The source record.
        target: The record that holds them.
        count: Hops that read the same, such as words that stand twice in one prompt.
    """

    verb: str
    grade: Grade
    held: str
    source: str
    quote: Passage
    note: str | None
    seq: int
    target: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Branch:
    """A place in the graph drawn as a nested list; ``folded`` counts children not shown."""

    label: str
    grade: Grade | None
    verb: str
    quote: Passage
    seq: int
    children: tuple["Branch", ...] = ()
    folded: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True)
class Custody:
    """A context that the words come from, with what happened to it."""

    seq: int
    name: str
    type: str
    grade: Grade
    asked: bool
    lines: tuple[tuple[str, str], ...]
    quotes: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Stamp:
    """What was measured of a suspect, as it counts now beside all others.

    Attributes:
        seq: The finding.
        word: cause, not shown, inconclusive, not applied or over budget.
        numbers: What follows the word: flips of both arms and the p-value, or why there are none.
        rates: How often it flips with the change, as Wilson's interval; empty without repeats.
        said: What was changed.
        judge: What decided whether the answer flipped.
    """

    seq: int
    word: str
    numbers: str
    rates: str
    said: str
    judge: str


@dataclass(frozen=True, slots=True)
class SuspectCard:
    """A row of the shortlist with its reasons in words and the places that show them.

    Attributes:
        rank: From 1.
        tied: How many share it.
        seq: The record.
        name: What a person calls it.
        position: Where it stood in an imported source.
        reasons: Each with the places that show it, and their words.
        parts: JSON Pointers of the places in its own value that made it a suspect.
        stamps: What was measured of it, the last one first.
        stamps_more: Further measurements.
    """

    rank: int
    tied: int
    seq: int
    name: str
    position: int | None
    reasons: tuple[tuple[str, tuple[tuple[str, Passage], ...]], ...]
    parts: tuple[str, ...] = ()
    stamps: tuple[Stamp, ...] = ()
    stamps_more: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """An override: the words before and after, with what was removed and added marked."""

    seq: int
    title: str
    reason: str | None
    site: str | None
    outcome: str
    touches_span: bool
    before: Passage
    after: Passage


@dataclass(frozen=True, slots=True)
class Support:
    """What supports one sentence of the answer, in words.

    Attributes:
        sentence: The sentence.
        state: Whether it is supported.
        places: By what.
        disagree: Figures that upstream puts otherwise.
        detail: Of one that is supported in part, what of it is and what is not.
    """

    sentence: Passage
    state: str
    places: tuple[str, ...]
    disagree: tuple[str, ...]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """A text with a name and a remark: something left out, ignored, unsupported or only exposed."""

    seq: int
    name: str
    remark: str
    text: Passage


@dataclass(frozen=True, slots=True)
class EndWords:
    """What a run ended on when it gave no answer, in words.

    Attributes:
        title: Such as ``Ended on policy-halt``.
        message: What was said, as recorded.
        where: In what it came about, and when there.
        path: The way there from the outermost runner; empty where there is none.
        carried: Who handed it on, and what was raised for it; empty where nobody did.
        branches: A line for each end that it is made of.
        todo: What a person can do.
        seq: The link that it came about in.
    """

    title: str
    message: str
    where: str
    path: str
    carried: str
    branches: tuple[str, ...]
    todo: str
    seq: int | None


@dataclass(frozen=True, slots=True)
class Origin:
    """An entry of the legend of a prompt; ``number`` is printed beside its segments."""

    number: int
    name: str
    grade: Grade
    seq: int | None


@dataclass(frozen=True, slots=True)
class Tinted:
    """A stretch of a prompt and the number of the origin it came from (0: the template)."""

    origin: int
    passage: Passage


@dataclass(frozen=True, slots=True)
class PromptPane:
    """What a model saw, cut to what fits, every segment still in its place.

    Attributes:
        link: ``seq`` of the model link.
        name: Its name.
        size: Code points of the whole prompt.
        segments: In order.
        folded: Segments that are not shown.
        folded_size: Their code points.
        origins: The legend.
        carried: True when the walked words are marked in it.
    """

    link: int
    name: str
    size: int
    segments: tuple[Tinted, ...]
    folded: int
    folded_size: int
    origins: tuple[Origin, ...]
    carried: bool


@dataclass(frozen=True, slots=True)
class Board:
    """All that is shown of one backtrack, top to bottom.

    Attributes:
        run: Run id.
        name: What the author called it.
        status: How the run ended, in words.
        head: Beginning of the hash that the record ends on; ``None`` while there is no end.
        headline: The finding in one sentence.
        question: The question, if any.
        answer: The answer with the selected words marked; ``None`` without an answer.
        answer_note: Which version, and whether it was inferred.
        selected: The selected words; ``None`` for the whole answer.
        verdicts: On the answer and on single links, in order; stale ones after all others.
        trail: One line a hop.
        trail_folded: Hops that the trail leaves to ``branches`` and the table.
        branches: The graph of the walk as a nested list.
        prompt: What the model saw, when a prompt was given.
        suspects: The shortlist, when one was given.
        custody: The contexts the words come from.
        changes: Overrides.
        support: Coverage per sentence.
        unsupported: Stretches in no upstream text.
        ignored: Contexts of which nothing was carried into the answer.
        left_out: What never reached the model.
        exposures: What else the model saw.
        footer: Honest lines.
        folded: How many rows of each list are not shown, by the name of the list.
        machines: Machines that ran, with their ends.
        picks: What their Agents picked last, and what they read.
        ended: What the run ended on, when it gave no answer.
        start: What ``answer`` is, in a word.
        measured: What was measured of this answer on what is no shown suspect.
        trail_small: Hops of a word or two that lead to no source, such as those of a greeting; not
            among ``trail``.
        judged_steps: What judges of several steps said of them; not among ``verdicts``.
    """

    run: str
    name: str
    status: str
    head: str | None
    headline: str
    question: Passage | None
    answer: Passage | None
    answer_note: str
    selected: str | None
    verdicts: tuple[VerdictWords, ...]
    trail: tuple[Step, ...]
    trail_folded: int
    branches: tuple[Branch, ...]
    prompt: PromptPane | None
    suspects: tuple[SuspectCard, ...]
    custody: tuple[Custody, ...]
    changes: tuple[Change, ...]
    support: tuple[Support, ...]
    unsupported: tuple[Named, ...]
    ignored: tuple[Named, ...]
    left_out: tuple[Named, ...]
    exposures: tuple[Named, ...]
    footer: tuple[str, ...]
    folded: dict[str, int] = field(default_factory=dict)
    machines: tuple[Named, ...] = ()
    picks: tuple[Named, ...] = ()
    ended: EndWords | None = None
    start: str = "Answer"
    measured: tuple[Stamp, ...] = ()
    trail_small: tuple[Step, ...] = ()
    judged_steps: tuple[StepVerdicts, ...] = ()
