"""From a recording and a walk to the board, so that text, HTML and the page cannot disagree."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from explainkit.backtrack.results import (
    ContextUse,
    Exposure,
    LeftOut,
    Place,
    Prompt,
    SentenceCoverage,
    Suspect,
    Walk,
)
from explainkit.view import words
from explainkit.view.answer_kinds import kind_words
from explainkit.view.board import (
    Board,
    Custody,
    EndWords,
    Named,
    Support,
    SuspectCard,
)
from explainkit.view.changes import change_of
from explainkit.view.composition_board import ended, headline_of
from explainkit.view.machine_board import ended_machines, last_picks
from explainkit.view.passages import Passage, Range, passage, plain
from explainkit.view.prompting import pane_of
from explainkit.view.step_verdicts import verdicts_of
from explainkit.view.trail import branches_of, quoted, trail_of
from explainkit.view.weakest_grade import with_weakest

if TYPE_CHECKING:
    from explainkit.store import Recording

T = TypeVar("T")

HOPS = 12
ROWS = 12
PICKS = 6
REASONS = 5
PARTS = 12
HEAD = 16
"""Characters of the end hash that displays keep, so that a cut tail is found later."""
BRANCHES = 60
MISSING = ("Damaged file", "Not recorded whole", "Outside the record", "Cut")
"""How lines of a footer begin that say what the board cannot show."""
CUSTODY_VERBS = ("born", "allowed", "through", "landed", "read", "said", "overridden", "draft")


@dataclass(frozen=True, slots=True)
class RunWords:
    """What every board of a run says of the run itself, whatever was walked.

    Attributes:
        ended: What it ended on, when it gave no answer.
        machines: Machines that ran, with their ends.
        picks: What their Agents picked last.
        folded: How many rows of each list are not shown, by the name of the list.
    """

    ended: EndWords | None
    machines: tuple[Named, ...]
    picks: tuple[Named, ...]
    folded: dict[str, int]


def run_words(recording: "Recording") -> RunWords:
    """Read what every board of a run says; many boards of one run can share it."""
    folded: dict[str, int] = {}
    machines = _rows(folded, "machines", ended_machines(recording))
    return RunWords(ended(recording), machines, last_picks(recording, folded, PICKS), folded)


def board_of(
    recording: "Recording",
    walk: Walk,
    *,
    prompt: Prompt | None = None,
    suspects: Sequence[Suspect] = (),
    run: RunWords | None = None,
    cut: Sequence[str] = (),
) -> Board:
    """Compose the board of one backtrack.

    Args:
        recording: The run.
        walk: What the backtrack found in it.
        prompt: What the model saw, to show beside the trail.
        suspects: The shortlist, to show with its reasons.
        run: What is said of the run itself; read from it when not given.
        cut: What the shortlist was cut to.

    Returns:
        The board: bounded, and the same for the same input; what it leaves out is counted.
    """
    selected = _selected(walk)
    trail, trail_small, trail_folded = trail_of(walk, limit=HOPS)
    run = run or run_words(recording)
    folded = dict(run.folded)
    verdicts, on_steps = verdicts_of(walk)
    return Board(
        run=recording.run,
        name=recording.name,
        status=_status(recording, walk),
        head=None if recording.head is None else recording.head[:HEAD],
        headline=with_weakest(_headline(walk, run.ended, selected), walk),
        question=None if walk.question is None else plain(walk.question, limit=600),
        answer=None if walk.answer_seq is None else _answer(walk),
        answer_note=_note(recording, walk),
        selected=selected,
        verdicts=_rows(folded, "verdicts", verdicts),
        trail=trail,
        trail_folded=trail_folded,
        branches=branches_of(walk, limit=BRANCHES),
        prompt=None if prompt is None else pane_of(prompt, walk),
        suspects=_rows(folded, "suspects", _cards(recording, suspects)),
        custody=_rows(folded, "custody", [_custody(use) for use in walk.contexts]),
        changes=_rows(folded, "changes", [change_of(step) for step in walk.overrides]),
        support=_rows(folded, "support", [_support(line) for line in walk.coverage], 40),
        unsupported=_rows(folded, "unsupported", [_unsupported(p) for p in walk.unsupported]),
        ignored=_rows(folded, "ignored", [_ignored(use) for use in walk.ignored]),
        left_out=_rows(folded, "left_out", [_left_out(item) for item in walk.left_out]),
        exposures=_rows(folded, "exposures", [_exposure(item) for item in walk.exposures], 6),
        footer=_footer(recording, walk, cut),
        folded=folded,
        machines=run.machines,
        picks=run.picks,
        ended=run.ended,
        start="Answer" if walk.ended is None else "Walked from",
        trail_small=trail_small,
        judged_steps=on_steps,
    )


def _headline(walk: Walk, end: EndWords | None, selected: str | None) -> str:
    if end is not None and walk.ended is not None and walk.answer_seq is not None and not selected:
        return f"{headline_of(end)} The trail goes back from {walk.ended}."
    return words.headline(walk, selected=selected)


def _status(recording: "Recording", walk: Walk) -> str:
    if recording.status != "answered" or walk.answer_seq is not None:
        return words.status_words(recording.status)
    given = next(iter(recording.rows("answer")), None)
    return "ended, no answer" if given is None else words.status_words(recording.status)


def _rows(folded: dict[str, int], name: str, rows: list[T], limit: int = ROWS) -> tuple[T, ...]:
    if len(rows) > limit:
        folded[name] = len(rows) - limit
    return tuple(rows[:limit])


def _selected(walk: Walk) -> str | None:
    return None if walk.span is None else walk.answer[walk.span[0] : walk.span[1]]


def _note(recording: "Recording", walk: Walk) -> str:
    kind = kind_words(recording, walk)
    told = words.answer_words(walk)
    return f"{told.removesuffix('.')}; {kind}, not a text." if kind else told


def _answer(walk: Walk) -> Passage:
    marks: list[Range] = []
    if walk.span is not None:
        marks.append((walk.span[0], walk.span[1], "span"))
    else:
        marks += [
            (place.start, place.end, "missing")
            for place in walk.unsupported
            if place.seq == walk.answer_seq and not place.path
        ]
    return passage(walk.answer, marks, limit=1_600)


def _cards(recording: "Recording", suspects: Sequence[Suspect]) -> list[SuspectCard]:
    return [_card(recording, each) for each in suspects[: ROWS + 1]]


def _card(recording: "Recording", suspect: Suspect) -> SuspectCard:
    reasons = tuple(
        (reason.word, tuple((words.part(place), quoted(place)) for place in reason.evidence[:2]))
        for reason in suspect.reasons[:REASONS]
    )
    more = len(suspect.reasons) - len(reasons)
    if more > 0:
        reasons = (*reasons, (f"and {words.counted(more, 'more reason')}", ()))
    return SuspectCard(
        rank=suspect.rank,
        tied=suspect.tied,
        seq=suspect.seq,
        name=suspect.actor,
        position=suspect.source_index,
        reasons=reasons,
        parts=_parts(recording, suspect),
    )


def _parts(recording: "Recording", suspect: Suspect) -> tuple[str, ...]:
    """Where in its own value the words stand that made a record a suspect."""
    places = (each for reason in suspect.reasons for each in reason.evidence if each.path)
    own = (
        each
        for each in places
        if suspect.seq in (each.seq, recording.raw(each.seq).get("link"))
        and each.slot in ("value", "output")
    )
    return tuple(dict.fromkeys(each.path for each in own))[:PARTS]


def _custody(use: ContextUse) -> Custody:
    found: tuple[tuple[str, ...], ...] = (
        (use.born,) if use.born else (),
        (use.allowed,) if use.allowed else (),
        use.through,
        use.landed,
        use.read,
        use.said,
        use.overridden,
        (use.refused,) if use.refused else (),
    )
    lines = tuple(
        (verb, _some(values)) for verb, values in zip(CUSTODY_VERBS, found, strict=True) if values
    )
    return Custody(
        seq=use.seq,
        name=words.source_words(use),
        type="question" if use.asked else use.type,
        grade=use.grade,
        asked=use.asked,
        lines=lines,
        quotes=tuple(quoted(place) for place in use.places[:3]),
    )


def _some(values: Sequence[str], limit: int = 4) -> str:
    more = f" and {len(values) - limit:,} more" if len(values) > limit else ""
    return "; ".join(values[:limit]) + more


def _counted(rows: Sequence[str], limit: int, what: str) -> tuple[str, ...]:
    """The first rows, and how many more there are."""
    more = len(rows) - limit
    return (*rows[:limit], *((f"and {words.counted(more, f'more {what}')}",) if more > 0 else ()))


def _support(line: SentenceCoverage) -> Support:
    return Support(
        sentence=plain(line.text, limit=300),
        state=line.words if line.state == "nothing" else words.STATES[line.state],
        places=_counted(tuple(dict.fromkeys(map(words.part, line.places))), 4, "place"),
        disagree=_counted(line.disagree, 4, "number"),
        detail=words.flat(line.words, 400) if line.state == "partly" else "",
    )


def _ignored(use: ContextUse) -> Named:
    text = use.places[0].text if use.places else ""
    return Named(
        use.seq,
        use.name,
        f"{use.type}: reached the model; nothing of it was carried into the answer",
        plain(text, limit=200),
    )


def _unsupported(place: Place) -> Named:
    return Named(place.seq, words.part(place), "in no upstream text", quoted(place))


def _exposure(item: Exposure) -> Named:
    remark = f"word overlap {item.overlap:.2f} (a proxy, not evidence)"
    return Named(item.seq, item.name, remark, plain(""))


def _left_out(item: LeftOut) -> Named:
    why = f": {item.why}" if item.why else ""
    return Named(item.seq, item.name, f"{item.how}{why}", plain(item.text, limit=200))


def _footer(recording: "Recording", walk: Walk, cut: Sequence[str]) -> tuple[str, ...]:
    lines: list[str] = []
    if recording.status in {"crashed", "running"}:
        lines.append(f"The run is {words.status_words(recording.status)}.")
    if walk.inferred and walk.answer_seq is not None:
        lines.append("Which output is the answer was inferred.")
    lines += [f"Damaged file, line {d.line}: {d.reason}." for d in recording.damage[:3]]
    lines += [f"Not recorded whole: {line}" for line in walk.lost[:6]]
    lines += [f"Outside the record: {line}" for line in walk.untracked[:6]]
    lines += [f"Cut: {line}." for line in (*walk.caps, *cut)]
    hidden = max(0, len(walk.lost) - 6) + max(0, len(walk.untracked) - 6)
    if hidden:
        lines.append(f"{words.counted(hidden, 'more line')} of this kind in .lost and .untracked.")
    lines.append(f"Shown down to grade {walk.grade}: {words.GRADES[walk.grade]}.")
    return tuple(lines)
