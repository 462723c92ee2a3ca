"""Two runs side by side, as text and as static HTML: where they part, and what else differs."""

from collections.abc import Sequence

from explainkit.backtrack.comparing import (
    AnswerChange,
    Compared,
    ContextChange,
    Divergence,
    FieldChange,
    RecordChange,
)
from explainkit.safety import Html, visible
from explainkit.view import panels
from explainkit.view.changes import differing
from explainkit.view.passages import Passage, Piece
from explainkit.view.skin import NOTEBOOK, Skin
from explainkit.view.words import counted, flat
from explainkit.whatif.cut_lists import cut, listed

ROWS = 12
TEXT = 1_200
WIDTH = 200
LABEL = 8
NAMED = 4
"""What differs that a headline names."""

HOW = {
    "output": "given the same, they gave something else",
    "changed": "the what-if gave it another result",
    "inputs": "they were given something else already",
    "only in a": "only the {0} has it",
    "only in b": "only the {1} has it",
}
SIDES = {
    "only in a": "only in the {0}",
    "only in b": "only in the {1}",
    "left out in a": "left out in the {0}",
    "left out in b": "left out in the {1}",
}


def headline_of(found: Compared) -> str:
    """The comparison in one sentence."""
    if found.is_same:
        return "Nothing that was recorded differs."
    parted = found.divergence
    if parted is None:
        return f"Every link of both runs is the same; what differs: {_differs(found)}."
    pair = parted.pair
    name = " ".join(dict.fromkeys((pair.type, flat(visible(pair.name), 60))))
    at = f"record {pair.b if pair.a is None else pair.a}"
    if pair.is_matched and pair.a != pair.b:
        at += f" of the {called(found, 0)}, {pair.b} of the {called(found, 1)}"
    how = HOW[parted.how].format(called(found, 0), called(found, 1))
    return f"The runs part at {name} ({at}): {how}."


def called(found: Compared, side: int) -> str:
    """What a run is called.

    Args:
        found: The comparison.
        side: 0 or 1.
    """
    return flat(visible(found.called[side]), 60)


def how_words(found: Compared, how: str) -> str:
    """How a piece of context differs, in words.

    Args:
        found: The comparison.
        how: As a `ContextChange` holds it.
    """
    return SIDES.get(how, "{2}").format(called(found, 0), called(found, 1), how)


def text_of_comparison(found: Compared) -> str:
    """The comparison as lines of text."""
    names = [flat(visible(name), 60) for name in found.names]
    told = [
        called(found, at) if names[at] in called(found, at) else f"{called(found, at)} {names[at]}"
        for at in (0, 1)
    ]
    both = " and ".join(
        f"{name} ({status})" for name, status in zip(told, found.statuses, strict=True)
    )
    lines = [headline_of(found), f"runs      {both}"]
    lines.append(f"links     {_counts(found)}")
    if found.divergence is not None:
        for label, texts in (("given", found.divergence.given), ("gave", found.divergence.outputs)):
            lines += _sides(found, label, texts)
    for context in cut(found.contexts, ROWS)[0]:
        lines.append(f"context   {_name(context)}: {how_words(found, context.how)}")
        if context.how == "changed":
            lines += _sides(found, "", (context.before, context.after))
    lines += _more(found.contexts)
    for answer in found.answers:
        if not answer.same:
            lines += _labelled(found, _answer_name(answer), (answer.before, answer.after))
    for each in cut(found.fields, ROWS)[0]:
        lines += _labelled(found, each.name, (each.before, each.after))
    lines += _more(found.fields)
    lines += [
        f"only in the {called(found, each.side == 'b')}: {flat(visible(each.words), WIDTH)}"
        for each in cut(found.records, ROWS)[0]
    ]
    return "\n".join([*lines, *_more(found.records)])


def html_of_comparison(found: Compared, skin: Skin = NOTEBOOK) -> Html:
    """The comparison as a board, with removed and added words marked."""
    names = skin.recorded(" and ".join(dict.fromkeys(found.names)), "note")
    rows = [
        skin.make("p", "kicker", "Two runs · ", names, f" · {_counts(found)}"),
        skin.make("p", "headline", skin.recorded(headline_of(found), "large")),
    ]
    if found.divergence is not None:
        rows += _divergence(skin, found, found.divergence)
    for answer in found.answers:
        if not answer.same:
            title = _answer_name(answer).capitalize()
            rows.append(_beside(skin, found, title, (answer.before, answer.after)))
    contexts, others = cut(found.contexts, ROWS)
    shown = [_context(skin, found, each) for each in contexts]
    rows.append(panels.section(skin, "Context that differs", shown, others))
    fields, others = cut(found.fields, ROWS)
    shown = [_field(skin, each) for each in fields]
    rows.append(panels.section(skin, "What else differs", shown, others))
    records, others = cut(found.records, ROWS)
    shown = [_record(skin, found, each) for each in records]
    title = "Overrides and verdicts that only one run has"
    rows.append(panels.section(skin, title, shown, others))
    return skin.make("div", "board", *rows)


def _divergence(skin: Skin, found: Compared, parted: Divergence) -> list[Html]:
    if parted.how in {"output", "changed"}:
        given = skin.make(
            "div", "card", skin.make("div", "label", "Both were given"),
            panels.marked(skin, differing(parted.given[0], parted.given[0], limit=TEXT)[0]),
        )  # fmt: skip
        gave = "It gave" if parted.how == "changed" else "They gave"
        return [given, _beside(skin, found, gave, parted.outputs)]
    return [
        _beside(skin, found, "They were given", parted.given),
        _beside(skin, found, "They gave", parted.outputs),
    ]


def _beside(skin: Skin, found: Compared, title: str, texts: tuple[str, str]) -> Html:
    shown = differing(*texts, limit=TEXT)
    columns = [
        skin.make(
            "div",
            "column",
            skin.make("div", "label", skin.recorded(f"{title}, {called(found, at)}")),
            panels.marked(skin, each) if each.pieces else skin.make("i", "note", "nothing"),
        )
        for at, each in enumerate(shown)
    ]
    return skin.make("div", "card", *columns)


def _context(skin: Skin, found: Compared, context: ContextChange) -> Html:
    how = skin.recorded(how_words(found, context.how))
    title = [skin.recorded(context.name, "name"), " ", how]
    if context.how not in {"changed", "only in a", "only in b"}:
        return skin.make("li", "item", *title)
    before, after = differing(context.before, context.after, limit=TEXT // 2)
    sides = [panels.marked(skin, each, role="quote") for each in (before, after) if each.pieces]
    return skin.make("li", "item", *title, " ", *(part for side in sides for part in (side, " ")))


def _field(skin: Skin, field: FieldChange) -> Html:
    before, after = differing(field.before, field.after, limit=TEXT // 2)
    sides = [panels.marked(skin, each, role="quote") for each in (before, after) if each.pieces]
    parts = [part for side in sides for part in (" ", side)]
    return skin.make("li", "item", skin.recorded(field.name, "name"), *parts)


def _record(skin: Skin, found: Compared, record: RecordChange) -> Html:
    side = f"{called(found, record.side == 'b')}: "
    return skin.make("li", "item", skin.recorded(side), skin.recorded(record.words))


def _answer_name(answer: AnswerChange) -> str:
    """What an answer is called: the slot of a pick or runner has another number in each run."""
    return answer.name if answer.slot.startswith(("answer", "pick:")) else f"answer {answer.slot}"


def _differs(found: Compared) -> str:
    """What differs of two runs whose links are all the same."""
    names = [f"context {each.name}" for each in found.contexts]
    names += [_answer_name(each) for each in found.answers if not each.same]
    names += [each.name for each in found.fields]
    names += [each.kind for each in found.records]
    names += ["how they ended"] if found.statuses[0] != found.statuses[1] else []
    shown = [flat(visible(each), 60) for each in dict.fromkeys(names)]
    return listed(shown, NAMED)


def _labelled(found: Compared, label: str, texts: tuple[str, str]) -> list[str]:
    """Both sides below what they are of; beside it where that is short."""
    name = flat(visible(label), 80)
    if len(name) < LABEL:
        return _sides(found, name, texts)
    return [f"{name}", *_sides(found, "", texts)]


def _sides(found: Compared, label: str, texts: tuple[str, str]) -> list[str]:
    before, after = differing(*texts, limit=WIDTH)
    if texts[0] == texts[1]:
        return [f"{label:10}{_flat(before)}"]
    one, other = (called(found, at) for at in (0, 1))
    wide = max(len(one), len(other)) + 1
    return [
        f"{label:10}{f'{one}:':{wide}} {_flat(before)}",
        f"{'':10}{f'{other}:':{wide}} {_flat(after)}",
    ]


def _flat(shown: Passage) -> str:
    text = " … ".join(flat(visible(each.text), 2 * WIDTH) for each in _joined(shown))
    before = "… " if shown.pieces and shown.pieces[0].skipped else ""
    return before + text + (" …" if shown.skipped else "") or "(nothing)"


def _joined(shown: Passage) -> list[Piece]:
    """Pieces without their marks, apart only where something is left out."""
    found: list[Piece] = []
    for piece in shown.pieces:
        if found and not piece.skipped:
            found[-1] = Piece(found[-1].text + piece.text)
        else:
            found.append(piece)
    return found


def _name(context: ContextChange) -> str:
    return flat(visible(context.name), 60)


def _counts(found: Compared) -> str:
    same = sum(each.same_inputs and each.same_output for each in found.pairs)
    other = len(found.pairs) - same
    return f"{counted(same, 'link')} the same, {other:,} not"


def _more(rows: Sequence[object]) -> list[str]:
    left = cut(rows, ROWS)[1]
    return [f"          and {left:,} more"] if left else []
