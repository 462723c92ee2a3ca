"""The parts of the board as markup: each takes the view-model and a skin, and escapes it all."""

from collections.abc import Sequence

from explainkit.safety import Html, joined
from explainkit.view import words
from explainkit.view.board import (
    Board,
    Branch,
    Named,
    PromptPane,
    Stamp,
    Step,
    StepVerdicts,
    SuspectCard,
    VerdictWords,
)
from explainkit.view.palette import tint
from explainkit.view.passages import Passage, Piece
from explainkit.view.skin import Skin, isolated
from explainkit.view.trail import small_words

ORIGINS = 8
"""Origins of a prompt in the open; further ones are one click away."""
GLUE = 40
"""Characters between two stretches of one origin that need no second number."""

TAGS = {"span": "mark", "missing": "u", "added": "ins", "removed": "del"}


def marked(skin: Skin, shown: Passage, *, role: str = "text") -> Html:
    """A passage in ``code``, its marks as tags that keep their meaning without style."""
    text = "".join(piece.text for piece in shown.pieces)
    return isolated(text, skin.make("code", role, *pieces(skin, shown)))


def pieces(skin: Skin, shown: Passage) -> list[Html | str]:
    """The pieces of a passage and its counts of what is not shown."""
    parts: list[Html | str] = []
    for piece in shown.pieces:
        if piece.skipped:
            parts.append(_skipped(skin, piece.skipped))
        parts.append(_piece(skin, piece))
    if shown.skipped:
        parts.append(_skipped(skin, shown.skipped))
    return parts


def head(skin: Skin, board: Board, *, kicker: str) -> Html:
    """The run in small print and the finding in one sentence."""
    return joined(
        skin.make(
            "p",
            "kicker",
            kicker,
            " · ",
            skin.recorded(board.name, "note"),
            " · ",
            skin.recorded(board.status, "note"),
        ),
        skin.make("p", "headline", skin.recorded(board.headline, "large")),
    )


def question_and_answer(skin: Skin, board: Board) -> Html:
    """The question, then the answer as a card with its verdicts."""
    parts: list[Html] = []
    if board.question is not None:
        parts.append(
            skin.make(
                "div", "card", skin.make("div", "label", "Question"), marked(skin, board.question)
            )
        )
    inner: list[Html | str] = [
        skin.make("div", "label", f"{board.start}: ", skin.recorded(board.answer_note, "note"))
    ]
    if board.answer is not None:
        shown = (
            marked(skin, board.answer)
            if board.answer.pieces
            else skin.make("i", "note", "an empty text")
        )
        inner.append(skin.make("div", "body", shown))
    inner += [_verdict(skin, verdict) for verdict in board.verdicts]
    more = board.folded.get("verdicts", 0)
    if more:
        told = f"… {words.counted(more, 'more verdict')} in .verdicts"
        inner.append(skin.make("div", "verdict", skin.make("span", "note", told)))
    if not board.verdicts:
        none = "No verdict on the answer." if board.judged_steps else "No verdict recorded."
        inner.append(skin.make("div", "verdict", skin.make("span", "note", none)))
    inner += [_on_steps(skin, each) for each in board.judged_steps]
    parts.append(skin.make("div", "answer", *inner))
    return joined(*parts)


def _verdict(skin: Skin, verdict: VerdictWords) -> Html:
    role = "failed" if verdict.failed and not verdict.stale else "text"
    row: list[Html | str] = ["Verdict: ", skin.recorded(verdict.words, role)]
    if verdict.reason:
        row += [" ", skin.recorded(verdict.reason, "note")]
    return skin.make("div", "verdict", *row)


def _on_steps(skin: Skin, judged: StepVerdicts) -> Html:
    """What one judge said of several steps: one line, and each of them when it is opened."""
    more = [skin.make("div", "verdict", f"… {judged.more:,} more in .verdicts")]
    return skin.make(
        "details",
        "more",
        skin.make("summary", "note", "Verdicts on steps: ", skin.recorded(judged.words, "note")),
        *(_verdict(skin, each) for each in judged.verdicts),
        *(more if judged.more else []),
    )


def trail(skin: Skin, board: Board) -> Html:
    """One line a hop: verb, place, grade as a word, the quoted characters, a note."""
    if not board.trail:
        return joined()
    rows = [_hop(skin, step) for step in board.trail]
    more = (
        [
            skin.make(
                "p",
                "note",
                f"{words.counted(board.trail_folded, 'more hop')}: in .hops and .to_frame()",
            )
        ]
        if board.trail_folded
        else []
    )
    start = "answer" if board.start == "Answer" else "end"
    if board.trail_small:
        summary = skin.make(
            "summary", "note", skin.recorded(small_words(board.trail_small), "note")
        )
        few = [_hop(skin, step) for step in board.trail_small]
        more.insert(0, skin.make("details", "more", summary, skin.make("ul", "list", *few)))
    return joined(
        skin.heading(f"The trail, from the {start} back"),
        skin.make("ol", "trail", *rows),
        *more,
    )


def _hop(skin: Skin, step: Step) -> Html:
    parts: list[Html | str] = [
        skin.make("span", "verb", step.verb),
        " ",
        skin.recorded(step.held, "text"),
        " ← ",
        skin.recorded(step.source, "name"),
        " ",
        skin.make("span", step.grade, step.grade),
        f" at {step.count:,} places" if step.count > 1 else "",
    ]
    if step.quote.pieces:
        parts += [" ", marked(skin, step.quote, role="quote")]
    if step.note:
        parts += [" ", skin.recorded(step.note, "note")]
    return skin.make("li", "hop", *parts, seq=step.seq)


def prompt(skin: Skin, pane: PromptPane) -> Html:
    """What the model saw: segments tinted and numbered by origin, the walked words strongest."""
    body: list[Html | str] = []
    numbered, between = 0, 0
    for segment in pane.segments:
        shown = pieces(skin, segment.passage)
        if not segment.origin:
            between += sum(len(piece.text) for piece in segment.passage.pieces)
            body.append(skin.make("span", "template", *shown))
            continue
        # JSON that a value was put into comes in many parts: one number stands for all of them.
        goes_on = segment.origin == numbered and between <= GLUE
        number = [] if goes_on else [skin.make("sup", "number", str(segment.origin))]
        body.append(skin.make("span", f"tint{tint(segment.origin)}", *number, *shown))
        numbered, between = segment.origin, 0
    if pane.folded:
        body.append(
            _skipped(skin, pane.folded_size, f" in {words.counted(pane.folded, 'further segment')}")
        )
    return joined(
        skin.heading("What the model saw in ", skin.recorded(pane.name, "name")),
        _legend(skin, pane),
        skin.make("pre", "prompt", *body),
    )


def _legend(skin: Skin, pane: PromptPane) -> Html:
    entries: list[Html] = []
    for origin in pane.origins:
        name = skin.recorded(origin.name, "note")
        key = skin.make("span", f"tint{tint(origin.number)}", f"{origin.number} ", name)
        entries.append(joined(key, f" {origin.grade}  "))
    shown = skin.make("div", "label", *entries[:ORIGINS])
    if len(entries) <= ORIGINS:
        return shown
    more = words.counted(len(entries) - ORIGINS, "more origin")
    rest = skin.make(
        "details",
        "more",
        skin.make("summary", "note", more),
        skin.make("div", "label", *entries[ORIGINS:]),
    )
    return joined(shown, rest)


def suspects(skin: Skin, cards: Sequence[SuspectCard], folded: int = 0) -> Html:
    """The shortlist side by side, each with its stated reasons."""
    if not cards:
        return joined()
    boxes = [_suspect(skin, card) for card in cards]
    more = [skin.make("p", "note", "More suspects: .shortlist(k)")] if folded else []
    return joined(
        skin.heading("Suspects; a rank is a rank, not a probability"),
        skin.make("div", "row", *boxes),
        *more,
    )


def _suspect(skin: Skin, card: SuspectCard) -> Html:
    tied = f", tied with {words.counted(card.tied - 1, 'other')}" if card.tied > 1 else ""
    where = f" at step {card.position}" if card.position is not None else ""
    rows: list[Html] = []
    for reason, evidence in card.reasons:
        parts: list[Html | str] = [skin.recorded(reason)]
        for place, quote in evidence:
            parts += [" ", skin.recorded(place, "note"), " ", marked(skin, quote, role="quote")]
        rows.append(skin.make("li", "item", *parts))
    more = []
    if card.stamps_more:
        left = words.counted(card.stamps_more, "more finding")
        more = [skin.make("div", "note", f"{left} of it: run.findings")]
    return skin.make(
        "div",
        "suspect",
        skin.make("div", "label", f"Rank {card.rank}{tied}{where}"),
        skin.recorded(card.name, "name"),
        *(stamp_line(skin, stamp) for stamp in card.stamps),
        *more,
        skin.make("ul", "list", *rows),
    )


def stamp_line(skin: Skin, stamp: Stamp, tag: str = "div") -> Html:
    """What was measured: the word first, its numbers, what was changed, and who decided."""
    rates = f"; {stamp.rates}" if stamp.rates else ""
    return skin.make(
        tag,
        "line" if tag == "div" else "item",
        skin.make("span", "label", "measured "),
        skin.make("span", "failed" if stamp.word == "cause" else "verb", stamp.word),
        skin.recorded(f"{stamp.numbers}{rates}"),
        " ",
        skin.recorded(f"{stamp.said}; judge: {stamp.judge}", "note"),
    )


def nested(skin: Skin, branches: Sequence[Branch]) -> Html:
    """The graph of the walk as a nested list; its depth is bounded by the number of branches."""
    return skin.make("ul", "list", *[_branch(skin, branch) for branch in branches])


def _branch(skin: Skin, branch: Branch) -> Html:
    parts: list[Html | str] = []
    if branch.grade:
        parts += [skin.make("span", "verb", branch.verb), " from "]
    parts += [skin.recorded(branch.label, "name"), " "]
    if branch.grade:
        parts += [skin.make("span", branch.grade, branch.grade), " "]
    if branch.quote.pieces:
        parts.append(marked(skin, branch.quote, role="quote"))
    if branch.again:
        parts.append(" (opened above)")
    below = [_branch(skin, child) for child in branch.children]
    if branch.folded:
        below.append(skin.make("li", "item", f"… {words.counted(branch.folded, 'more place')}"))
    if below:
        parts.append(skin.make("ul", "list", *below))
    return skin.make("li", "item", *parts)


def named(skin: Skin, title: str, rows: Sequence[Named], folded: int = 0) -> Html:
    """A folded list of named texts; nothing when there are none."""
    items = []
    for row in rows:
        parts: list[Html | str] = [
            skin.recorded(row.name, "name"),
            " ",
            skin.recorded(row.remark, "note"),
        ]
        if row.text.pieces:
            parts += [" ", marked(skin, row.text, role="quote")]
        items.append(skin.make("li", "item", *parts))
    return section(skin, title, items, folded)


def section(skin: Skin, title: str, items: Sequence[Html], folded: int = 0) -> Html:
    """A ``details`` with a counted title; nothing when there is nothing to say."""
    if not items:
        return joined()
    count = len(items) + folded
    more = [skin.make("li", "item", f"… {folded:,} more not shown")] if folded else []
    return skin.make(
        "details",
        "details",
        skin.make("summary", "summary", f"{title} ({count:,})"),
        skin.make("ul", "list", *items, *more),
    )


def footer(skin: Skin, lines: Sequence[str]) -> Html:
    """The honest lines."""
    rows = [skin.make("li", "item", skin.recorded(line, "note")) for line in lines]
    return skin.make("div", "footer", skin.make("ul", "list", *rows)) if rows else joined()


def _piece(skin: Skin, piece: Piece) -> Html | str:
    return skin.make(TAGS[piece.mark], piece.mark, piece.text) if piece.mark else piece.text


def _skipped(skin: Skin, count: int, where: str = "") -> Html:
    return skin.make("i", "skipped", f" … {words.counted(count, 'more character')}{where} … ")
