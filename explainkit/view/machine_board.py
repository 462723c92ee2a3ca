"""The machines of a run on its board: how each ended, and what its Agents picked and read last."""

from typing import TYPE_CHECKING

from explainkit.safety import Html, joined
from explainkit.view import panels
from explainkit.view.board import Board, Named
from explainkit.view.machine_charts import ToldChart
from explainkit.view.machine_steps import stories_of
from explainkit.view.passages import plain
from explainkit.view.picks_told import ToldPick, picks_of
from explainkit.view.picks_words import end_words, read_words
from explainkit.view.skin import Skin
from explainkit.view.words import counted, flat, status_words

if TYPE_CHECKING:
    from explainkit.store import Recording

LINES = 4
"""Picks that a run's text shows."""


def ended_machines(recording: "Recording") -> list[Named]:
    """Every machine with how it ended and where it stood."""
    found = []
    for story in stories_of(recording):
        where = _leaves(story.chart, story.steps[-1].configuration) if story.steps else "nowhere"
        steps = counted(len(story.steps), "step")
        remark = f"at {where} after {steps}; {status_words(story.status)}"
        found.append(Named(story.link, story.name, remark, plain("")))
    return found


def last_picks(recording: "Recording", folded: dict[str, int], most: int) -> tuple[Named, ...]:
    """The last picks; how many came before them goes into ``folded``."""
    found = picks_of(recording)
    if len(found) > most:
        folded["picks"] = len(found) - most
    return tuple(_named(recording, pick) for pick in found[-most:])


def machine_panel(skin: Skin, board: Board) -> Html:
    """The machines and their last picks as lists; nothing where no machine ran."""
    if not board.machines:
        return joined()
    ends = [_item(skin, row) for row in board.machines]
    parts = [skin.heading("Machines"), skin.make("ul", "list", *ends)]
    if board.picks:
        rows = [_item(skin, row) for row in board.picks]
        parts.append(skin.heading("What the Agents picked and read"))
        parts.append(skin.make("ul", "list", *_earlier(skin, board), *rows))
    return joined(*parts)


def machine_lines(board: Board, width: int) -> list[str]:
    """The same as lines of text."""
    lines = [f"Machine  {flat(row.name, 60)}: {flat(row.remark)}" for row in board.machines[:2]]
    shown = board.picks[-LINES:]
    before = board.folded.get("picks", 0) + len(board.picks) - len(shown)
    if before:
        lines.append(f"Pick     … {counted(before, 'earlier pick')}: run.picks")
    for row in shown:
        text = "".join(piece.text for piece in row.text.pieces)
        said = f" “{flat(text, 60)}”" if text else ""
        lines.append(f"Pick     {flat(row.name, 60)}:{said} ({flat(row.remark)})")
    return [line if len(line) <= width else f"{line[: width - 1]}…" for line in lines]


def _leaves(chart: ToldChart | None, configuration: tuple[str, ...]) -> str:
    leaves = configuration
    if chart is not None:
        numbers = chart.numbers
        leaves = tuple(s for s in configuration if s not in numbers or chart.is_box(numbers[s]))
    return flat(", ".join(leaves), 120) or "nowhere"


def _named(recording: "Recording", pick: ToldPick) -> Named:
    chain = f"{', '.join(pick.chain[-3:])}; " if pick.chain else ""
    read = read_words(recording, pick, 200)
    name = f"{flat(pick.agent, 40)} picked {flat(pick.event, 60)}"
    return Named(pick.seq, name, chain + end_words(pick), plain(read, limit=200))


def _item(skin: Skin, row: Named) -> Html:
    quote = [" ", panels.marked(skin, row.text, role="quote")] if row.text.pieces else []
    name, remark = skin.recorded(row.name, "name"), skin.recorded(row.remark, "note")
    return skin.make("li", "item", name, " ", remark, *quote, seq=row.seq)


def _earlier(skin: Skin, board: Board) -> list[Html]:
    before = board.folded.get("picks", 0)
    told = f"… {counted(before, 'earlier pick')}: run.picks"
    return [skin.make("li", "item", told)] if before else []
