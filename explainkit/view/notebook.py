"""Static HTML for notebooks: complete without script, class, id, or even style."""

from collections.abc import Sequence

from explainkit.safety import Html, joined
from explainkit.view import panels
from explainkit.view.board import Board, PromptPane, Support
from explainkit.view.composition_board import end_panel
from explainkit.view.machine_board import machine_panel
from explainkit.view.skin import NOTEBOOK, Skin


def html_of_backtrack(board: Board) -> Html:
    """The board of a backtrack, read from top to bottom.

    Args:
        board: What was found; bounded, so the HTML is.

    Returns:
        HTML that an untrusted notebook keeps whole: no script, no id, and nothing recorded
        outside of text.
    """
    return _board(board, "Backtrack")


def html_of_run(board: Board) -> Html:
    """The board of a whole run, with the line that opens more of it."""
    how = NOTEBOOK.make(
        "p",
        "kicker",
        "Select words: ",
        NOTEBOOK.make("code", "quote", 'run.backtrack(span="…")'),
        " · what the model saw: ",
        NOTEBOOK.make("code", "quote", "run.prompt()"),
        " · a page to share: ",
        NOTEBOOK.make("code", "quote", "run.to_html(path)"),
    )
    return _board(board, "Run", how, machines=machine_panel(NOTEBOOK, board))


def html_of_prompt(pane: PromptPane) -> Html:
    """What a model saw, tinted and numbered by origin."""
    return NOTEBOOK.make("div", "board", panels.prompt(NOTEBOOK, pane))


def _board(board: Board, kicker: str, *last: Html, machines: Html | None = None) -> Html:
    return NOTEBOOK.make(
        "div",
        "board",
        panels.head(NOTEBOOK, board, kicker=kicker),
        end_panel(NOTEBOOK, board.ended if kicker == "Run" or board.start != "Answer" else None),
        panels.question_and_answer(NOTEBOOK, board),
        machines or joined(),
        main(NOTEBOOK, board),
        panels.suspects(NOTEBOOK, board.suspects, board.folded.get("suspects", 0)),
        details(NOTEBOOK, board),
        panels.footer(NOTEBOOK, board.footer),
        *last,
    )


def main(skin: Skin, board: Board) -> Html:
    """The trail, and beside it what the model saw."""
    left = panels.trail(skin, board)
    if board.prompt is None:
        return left
    return skin.make(
        "div",
        "columns",
        skin.make("div", "column", left),
        skin.make("div", "column", panels.prompt(skin, board.prompt)),
    )


def details(skin: Skin, board: Board) -> Html:
    """Everything else, folded and counted: what else was measured, overrides, custody, coverage."""
    return joined(
        panels.section(
            skin,
            "Measured of other pieces, for this answer",
            [panels.stamp_line(skin, stamp, "li") for stamp in board.measured],
            board.folded.get("measured", 0),
        ),
        panels.section(
            skin,
            "Overrides between the model's reply and the reader",
            _changes(skin, board),
            board.folded.get("changes", 0),
        ),
        panels.section(
            skin,
            "Where the words come from",
            _custody(skin, board),
            board.folded.get("custody", 0),
        ),
        panels.section(
            skin,
            "Every hop, as a nested list",
            [panels.nested(skin, board.branches)] if board.branches else [],
        ),
        panels.section(
            skin,
            "Coverage of the answer, sentence by sentence",
            [_support(skin, line) for line in board.support],
            board.folded.get("support", 0),
        ),
        *(
            panels.named(skin, title, rows, board.folded.get(key, 0))
            for title, key, rows in (
                ("In no upstream text", "unsupported", board.unsupported),
                ("Never reached the model", "left_out", board.left_out),
                ("Reached the model, not carried into the answer", "ignored", board.ignored),
                ("What else the model saw", "exposures", board.exposures),
            )
        ),
    )


def _changes(skin: Skin, board: Board) -> Sequence[Html]:
    found: list[Html] = []
    for change in board.changes:
        rows = [skin.recorded(change.title, "name")]
        for label, text in (("why", change.reason), ("at", change.site)):
            if text:
                rows.append(
                    skin.make(
                        "div",
                        "line",
                        skin.make("span", "label", f"{label} "),
                        skin.recorded(text, "note"),
                    )
                )
        for label, shown in (("before", change.before), ("after", change.after)):
            rows.append(
                skin.make(
                    "div",
                    "line",
                    skin.make("span", "label", f"{label} "),
                    panels.marked(skin, shown),
                )
            )
        found.append(skin.make("li", "item", *rows))
    return found


def _custody(skin: Skin, board: Board) -> Sequence[Html]:
    found: list[Html] = []
    for use in board.custody:
        rows = [
            skin.make(
                "div",
                "line",
                skin.make("span", "label", f"{verb} "),
                skin.recorded(value),
            )
            for verb, value in use.lines
        ]
        quotes = [panels.marked(skin, quote, role="quote") for quote in use.quotes]
        found.append(
            skin.make(
                "li",
                "item",
                skin.recorded(use.name, "name"),
                " ",
                skin.recorded(use.type, "note"),
                " ",
                skin.make("span", use.grade, use.grade),
                " ",
                *quotes,
                *rows,
            )
        )
    return found


def _support(skin: Skin, line: Support) -> Html:
    parts: list[Html | str] = [
        skin.make("span", "verb", line.state),
        ": ",
        panels.marked(skin, line.sentence),
    ]
    if line.detail:
        parts += [" ", skin.recorded(line.detail, "note")]
    if line.places:
        parts += [" from ", skin.recorded(", ".join(line.places), "note")]
    if line.disagree:
        numbers = ", ".join(line.disagree)
        parts += [" ", skin.recorded(f"numbers that disagree: {numbers}", "failed")]
    return skin.make("li", "item", *parts)
