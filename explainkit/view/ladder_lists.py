"""Ladders and results in words: as text for a terminal, and as static lists for a notebook."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from explainkit.answering.shapes import AnswerResult
from explainkit.flow.checks import UNSET
from explainkit.safety import Html, joined
from explainkit.safety.described import repr_of
from explainkit.view.ladder_frames import issue_text, statuses
from explainkit.view.ladder_rungs import Ladder, Rung
from explainkit.view.skin import NOTEBOOK
from explainkit.view.words import counted, flat

MOST = 20
"""Items that a display shows; further ones are counted."""
_ORDER = ("accepted", "fallback", "blocked", "unfinished")
_END = {"accepted": "passed", "blocked": "failed"}
"""How the title of a ladder is dressed."""
_COLUMNS = ("id", "status", "value", "checks", "reviews", "rounds", "reason")


def text_of_ladders(ladders: Sequence[Ladder], *, most: int = MOST) -> str:
    """Ladders as text, one rung on each line."""
    lines: list[str] = []
    for ladder in ladders[:most]:
        lines += [_title(ladder), *(_line(rung) for rung in ladder.rungs)]
    if len(ladders) > most:
        lines.append(f"… {counted(len(ladders) - most, 'more item')}: .text() shows all")
    return "\n".join(lines) or "No item."


def html_of_ladders(ladders: Sequence[Ladder], *, most: int = MOST) -> Html:
    """Ladders as nested lists; every recorded word is text."""
    parts = [
        NOTEBOOK.make(
            "div",
            "card",
            NOTEBOOK.make(
                "p", "label", NOTEBOOK.recorded(_title(ladder), _END.get(ladder.status, "name"))
            ),
            NOTEBOOK.make("ol", "list", *(_item(rung) for rung in ladder.rungs)),
        )
        for ladder in ladders[:most]
    ]
    if len(ladders) > most:
        parts.append(NOTEBOOK.make("p", "kicker", f"… {counted(len(ladders) - most, 'more item')}"))
    return NOTEBOOK.make("div", "board", *parts)


def text_of_results(results: Sequence[AnswerResult[Any, Any]]) -> str:
    """Results as text, one item on each line."""
    lines = [_summary(results)]
    for each in results[:MOST]:
        value = _value(each)
        told = f": {value}" if value else ""
        lines.append(f"  {flat(each.item.id, 40)}  {each.status}{told}  ({flat(each.reason, 160)})")
    if len(results) > MOST:
        lines.append(f"  … {counted(len(results) - MOST, 'more item')}: .to_frame() has all")
    lines.append("Open     .to_frame() · .ladder(id) · .ladders · .run")
    return "\n".join(lines)


def html_of_results(results: Sequence[AnswerResult[Any, Any]]) -> Html:
    """Results as a table; every word of them is text."""
    make, recorded = NOTEBOOK.make, NOTEBOOK.recorded
    head = make("tr", "row", *(make("th", "cell", name) for name in _COLUMNS))
    rows = [
        make("tr", "row", *(make("td", "cell", recorded(cell)) for cell in _cells(each)))
        for each in results[:MOST]
    ]
    more = len(results) - MOST
    rest = (
        [make("p", "kicker", f"… {counted(more, 'more item')} in .to_frame()")] if more > 0 else []
    )
    return make(
        "div",
        "board",
        make("p", "headline", recorded(_summary(results), "large")),
        make("table", "columns", make("thead", "row", head), make("tbody", "row", *rows)),
        *rest,
        make("p", "kicker", "The history of an item: ", make("code", "quote", ".ladder(id)")),
    )


def _summary(results: Sequence[AnswerResult[Any, Any]]) -> str:
    counts = Counter(str(each.status) for each in results)
    told = [f"{counts[status]:,} {status}" for status in _ORDER if counts.get(status)]
    return f"{counted(len(results), 'item')}: {', '.join(told) or 'none'}"


def _cells(result: AnswerResult[Any, Any]) -> tuple[str, ...]:
    why = result.reason + (f" ({issue_text(result.issues)})" if result.issues else "")
    return (
        flat(result.item.id, 60),
        result.status,
        _value(result),
        flat(statuses(result.checks), 60),
        flat(statuses(result.reviews), 60),
        str(result.rounds),
        flat(why, 200),
    )


def _value(result: AnswerResult[Any, Any]) -> str:
    value = result.value
    if value is UNSET:
        return ""
    return flat(value if isinstance(value, str) else repr_of(value, limit=400).text, 120)


def _title(ladder: Ladder) -> str:
    why = f", {flat(ladder.reason, 120)}" if ladder.reason else ""
    return f"{flat(ladder.item, 60)}: {ladder.status}{why}"


def _line(rung: Rung) -> str:
    place = "" if rung.round is None else f"round {rung.round}"
    return f"  {place:<8} {rung.what:<10} {_said(rung)}".rstrip()


def _said(rung: Rung) -> str:
    return ": ".join(part for part in (rung.status, rung.text) if part)


def _item(rung: Rung) -> Html:
    place = "" if rung.round is None else f"round {rung.round}, "
    role = rung.status if rung.status in ("passed", "failed") else "verb"
    said = [": ", NOTEBOOK.recorded(rung.text, "text")] if rung.text else []
    status = [" ", NOTEBOOK.make("b", role, rung.status)] if rung.status else []
    version = "" if rung.version is None else f" (version {rung.version})"
    head = NOTEBOOK.make("b", "verb", rung.what)
    return NOTEBOOK.make("li", "item", joined(place, head, *status, version, *said))
