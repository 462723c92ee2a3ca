"""The words of the protocol and what they ask: each question reads its own fields of a request."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from explainkit.view.explorer.material import RUN
from explainkit.view.explorer.pieces import Json
from explainkit.view.explorer.replying import Fields

if TYPE_CHECKING:
    from explainkit.view.explorer.exploration import Exploration


def questions_of(asked: "Exploration") -> dict[str, Callable[[Fields], Json]]:
    """Every question that can be asked of a run, by its word."""
    return asked.causes.questions() | {
        "walk": lambda f: asked.walk(
            f.text("slot", RUN), f.maybe("version"), f.maybe("start"), f.maybe("end"),
            f.text("grade", "value"),
        ),
        "tries": lambda f: asked.causes.tries(
            f.text("slot", RUN), (asked.shown or {}).get("suspects", ())
        ),
        "inspect": lambda f: asked.inspect(f.number("seq")),
        "text": lambda f: asked.text(f.number("seq"), f.text("slot", ""), f.number("start", 0)),
        "answer": lambda f: asked.answer(
            f.text("slot", RUN), f.maybe("version"), f.number("start", 0)
        ),
        "rows": lambda f: asked.rows(
            f.text("query", ""), kinds=f.words("kinds"), grades=f.words("grades"),
            verdicts=f.words("verdicts"), start=f.number("start", 0),
            count=f.number("count", 100),
        ),
        "chart": lambda f: asked.chart(f.numbers("opened"), f.text("only", "run")),
        "nearest": lambda f: asked.nearest(f.number("seq")),
        "story": lambda f: asked.story(),
        "timeline": lambda f: asked.timeline(
            f.maybe("start"), f.maybe("end"), f.number("count", 200)
        ),
        "machine": lambda f: asked.machine(f.number("link"), f.maybe("step")),
        "tree": lambda f: asked.tree(),
        "ladder": lambda f: asked.ladder(f.either("item")),
    }  # fmt: skip
