"""Plain text for terminals and `text/plain`: the same board, in twenty lines unless asked."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace

from explainkit.safety import visible
from explainkit.view import words
from explainkit.view.board import Board, PromptPane, Stamp, Step, SuspectCard
from explainkit.view.compose import MISSING
from explainkit.view.composition_board import end_lines
from explainkit.view.machine_board import machine_lines
from explainkit.view.passages import Passage, Piece
from explainkit.view.trail import small_words
from explainkit.view.words import flat

LINES = 20
"""Lines of a repr at most."""
_VERDICTS = 3
"""Verdicts of a board in words; further ones are counted."""
_ASK = 'run.backtrack(span="words of the answer") · run.prompt()'
MARKS = {
    "": ("", ""),
    "span": ("«", "»"),
    "missing": ("«", "»"),
    "added": ("{+", "+}"),
    "removed": ("[-", "-]"),
}


def text_of_run(board: Board, *, saved: str | None = None, width: int = 100) -> str:
    """A run in at most twenty lines: question, answer, verdict, top suspect, how to open.

    Args:
        board: The board of the whole answer.
        saved: Where the run is kept; ``None`` says that it is in memory only.
        width: Columns to wrap at.
    """
    where = visible(saved) if saved else "in memory only; run.save(path) keeps it"
    head = "" if board.head is None else f", head {board.head}"
    lines = [
        f"explainkit run {flat(board.name)}: {board.status} ({where}{head})",
        *_ended(board, width),
        *_finding(board, width),
        *machine_lines(board, width),
        *_top_suspect(board, width),
        *_some_of_footer(board.footer, 3, "run.backtrack().text()", width),
        f"Open    {_ASK if board.answer is not None else 'run.story()'} · run.to_html(path)",
    ]
    return _bounded(lines)


def text_of_backtrack(board: Board, *, full: bool = False, width: int = 100) -> str:
    """A backtrack as text.

    Args:
        board: What was found.
        full: Everything on the board; otherwise at most twenty lines.
        width: Columns to wrap at.
    """
    what = "the whole answer" if board.start == "Answer" else "what was the end"
    if board.selected is not None:
        what = f"“{flat(board.selected, 60)}”"
    head = [f"Backtrack of {what} in {flat(board.name)}", *_finding(board, width)]
    if not full:
        room = LINES - len(head) - 5
        trail = [_clipped(_step(number, step), width) for number, step in _numbered(board.trail)]
        few = [f"         … {small_words(board.trail_small)}"] if board.trail_small else []
        room -= len(few)
        cut = max(0, len(trail) - room) + board.trail_folded
        tail = [f"         … {words.counted(cut, 'more hop')}: print(back.text()), back.to_frame()"]
        return _bounded(
            [
                *head,
                *(["Trail"] if trail else []),
                *trail[:room],
                *few,
                *(tail if cut else []),
                *_top_suspect(board, width),
                *_some_of_footer(board.footer, 2, "back.text()", width),
            ]
        )
    return "\n".join([*head, *_full(board, width)])


def text_of_prompt(pane: PromptPane, *, width: int = 100) -> str:
    """What the model saw, segment by segment, each under the name of its origin."""
    lines = [f"What {flat(pane.name)} saw: {words.counted(pane.size, 'character')}"]
    names = {origin.number: f"{flat(origin.name)} ({origin.grade})" for origin in pane.origins}
    for segment in pane.segments:
        source = names.get(segment.origin, "template")
        lines.append(f"── {source} ".ljust(min(width, 72), "─"))
        lines += _marked(segment.passage, flat=False).split("\n")
    if pane.folded:
        lines.append(
            f"… {words.counted(pane.folded, 'more segment')} "
            f"({words.counted(pane.folded_size, 'character')}) not shown; .segments has them all"
        )
    return "\n".join(lines)


def _ended(board: Board, width: int) -> list[str]:
    return [] if board.ended is None else end_lines(board.ended, width)


def _finding(board: Board, width: int) -> list[str]:
    lines: list[str] = []
    if board.question is not None:
        lines += _field("Question", _marked(board.question), width)
    answer = "none" if board.answer is None else _marked(board.answer) or "an empty text"
    note = flat(board.answer_note, 200).rstrip(".")
    name = "Answer" if board.start == "Answer" else "From"
    lines += _field(name, f"{answer}  ({note})", width, most=4)
    for verdict in board.verdicts[:_VERDICTS]:
        reason = f": {flat(verdict.reason)}" if verdict.reason else ""
        lines += _field("Verdict", f"{flat(verdict.words)}{reason}", width)
    more = len(board.verdicts[_VERDICTS:]) + board.folded.get("verdicts", 0)
    if more:
        lines.append(f"Verdict  … {more:,} more in .verdicts")
    if not board.verdicts:
        lines.append(f"Verdict  none {'on the answer' if board.judged_steps else 'recorded'}")
    for judged in board.judged_steps[:_VERDICTS]:
        lines += _field("Verdict", f"on steps: {flat(judged.words)}", width)
    return lines + _field("Found", flat(board.headline, 400), width, most=3)


def _full(board: Board, width: int) -> list[str]:
    lines: list[str] = []
    _section(lines, "Trail", [_step(n, step) for n, step in _numbered(board.trail)], width)
    if board.trail_small:
        few = [_step(0, step)[3:] for step in board.trail_small]
        _section(lines, small_words(board.trail_small), few, width)
    if board.trail_folded:
        lines.append(
            f"  … {words.counted(board.trail_folded, 'more hop')} in .hops and .to_frame()"
        )
    for use in board.custody:
        rows = [f"{verb:<10} {flat(value, 300)}" for verb, value in use.lines]
        rows += [f"{'words':<10} {_marked(quote)}" for quote in use.quotes]
        _section(lines, f"Context {flat(use.name)} ({flat(use.type)}, {use.grade})", rows, width)
    for change in board.changes:
        rows = [f"why        {flat(change.reason)}"] if change.reason else []
        rows += [f"at         {flat(change.site)}"] if change.site else []
        rows += [f"before     {_marked(change.before)}", f"after      {_marked(change.after)}"]
        _section(lines, f"Override: {flat(change.title)}", rows, width)
    if board.suspects:
        lines += _suspects(board.suspects, width)
    if board.measured:
        lines += ["Measured of other pieces", *_measured(board.measured, width)]
    support = [
        f"{line.state}: {_marked(line.sentence)}"
        + (f"  ({line.detail})" if line.detail else "")
        + (f"  from {flat(', '.join(line.places))}" if line.places else "")
        + (f"  numbers that disagree: {flat(', '.join(line.disagree))}" if line.disagree else "")
        for line in board.support
    ]
    _section(lines, "Coverage of the answer", support, width)
    for title, named in (
        ("In no upstream text", board.unsupported),
        ("Reached the model, not carried into the answer", board.ignored),
        ("Never reached the model", board.left_out),
        ("What else the model saw", board.exposures),
    ):
        found = [f"{flat(n.name)}: {flat(n.remark)}  {_marked(n.text)}".rstrip() for n in named]
        _section(lines, title, found, width)
    told = (pair for pair in board.folded.items() if pair[0] != "verdicts")  # above, with all
    for name, count in told:
        lines.append(f"  … {words.counted(count, 'more row')} in {name.replace('_', ' ')}")
    return lines + _footer(board.footer, width)


def _section(lines: list[str], title: str, rows: Sequence[str], width: int) -> None:
    if rows:
        lines.append(title)
        for row in rows:
            lines += _wrapped(row, width, first="  ", rest="    ")


def _step(number: int, step: Step) -> str:
    note = f"  ({flat(step.note, 120)})" if step.note else ""
    places = f"{flat(step.held, 40)} ← {flat(step.source, 60)}"
    quote = f"  {_marked(step.quote)}" if step.quote.pieces else ""
    times = f" at {step.count:,} places" if step.count > 1 else ""
    return f"{number:>2} {step.verb:<10} {places}  {step.grade}{times}{quote}{note}"


def _numbered(steps: Iterable[Step]) -> Iterable[tuple[int, Step]]:
    return enumerate(steps, start=1)


def _suspects(cards: Sequence[SuspectCard], width: int) -> list[str]:
    """Suspects with their reasons, and what was measured of them."""
    lines: list[str] = []
    for card in cards:
        tied = f", tied with {words.counted(card.tied - 1, 'other')}" if card.tied > 1 else ""
        reasons = "; ".join(flat(reason, 120) for reason, _ in card.reasons)
        step = f" at step {card.position}" if card.position is not None else ""
        text = f"{card.rank}{tied}. {flat(card.name)}{step}: {reasons}"
        lines += _field("Suspect", text, width)
        lines += _measured(card.stamps, width)
        if card.stamps_more:
            lines.append(f"Measured … {card.stamps_more:,} more of it in run.findings")
    return lines


def _measured(stamps: Sequence[Stamp], width: int) -> list[str]:
    """Each stamp: the word with its numbers, what was changed, and who decided."""
    lines: list[str] = []
    for stamp in stamps:
        rates = f"; {stamp.rates}" if stamp.rates else ""
        verdict = flat(f"{stamp.word}{stamp.numbers}{rates}", 300)
        said = f"{flat(stamp.said, 160)}; judge: {flat(stamp.judge, 80)}"
        lines += _field("Measured", f"{verdict}. Asked: {said}", width, most=4)
    return lines


def _top_suspect(board: Board, width: int) -> list[str]:
    """The first suspect with what was last measured of it, and a cause that is another one."""
    top = [replace(card, stamps=card.stamps[:1], stamps_more=0) for card in board.suspects[:1]]
    every = [*(stamp for card in board.suspects for stamp in card.stamps), *board.measured]
    own = [stamp for card in top for stamp in card.stamps]
    others = [stamp for stamp in every if stamp not in own]
    causes = [stamp for stamp in others if stamp.word == "cause"] or others[: not own]
    lines = _suspects(top, width) + _measured(causes[:1], width)
    left = len({stamp.seq for stamp in every}) - len(own) - len(causes[:1])
    left += board.folded.get("measured", 0) + sum(card.stamps_more for card in board.suspects)
    if left > 0:
        lines.append(f"Measured … {words.counted(left, 'more finding')} in run.findings")
    return lines


def _footer(rows: Sequence[str], width: int) -> list[str]:
    lines: list[str] = []
    for row in rows:
        lines += _field("Note", flat(row, 300), width)
    return lines


def _some_of_footer(rows: Sequence[str], most: int, whole: str, width: int) -> list[str]:
    """The first notes; of the others those are counted that say what is missing."""
    hidden = sum(row.startswith(MISSING) for row in rows[most:])
    more = [f"Note     … {words.counted(hidden, 'more note')} of what is missing: print({whole})"]
    return [*_footer(rows[:most], width), *(more if hidden else [])]


def _field(name: str, text: str, width: int, *, most: int = 2) -> list[str]:
    lines = _wrapped(text, width, first=f"{name:<8} ", rest=" " * 9)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1][: width - 2]} …"]
    return lines


def _clipped(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _wrapped(text: str, width: int, *, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        text,
        width=max(40, width),
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
    ) or [first.rstrip()]


def _bounded(lines: Sequence[str]) -> str:
    if len(lines) > LINES:
        cut = len(lines) - LINES + 1
        lines = [*lines[: LINES - 1], f"… {words.counted(cut, 'more line')}"]
    return "\n".join(lines)


def _marked(shown: Passage, *, flat: bool = True) -> str:
    parts = [_piece(piece, flat=flat) for piece in shown.pieces]
    if shown.skipped:
        parts.append(f" … {shown.skipped:,} more characters")
    return "".join(parts)


def _piece(piece: Piece, *, flat: bool) -> str:
    text = visible(piece.text)
    if flat:
        text = " ".join(text.split("\n"))
    opened, closed = MARKS[piece.mark]
    skipped = f"… {piece.skipped:,} characters … " if piece.skipped else ""
    return f"{skipped}{opened}{text}{closed}"
