"""What `explore()` leaves in a notebook for those who open it without a kernel."""

from typing import TYPE_CHECKING

from explainkit.safety import Html, element
from explainkit.view.board import Board
from explainkit.view.explorer.kept_lists import story_kept, times_kept
from explainkit.view.explorer.picture import picture_of
from explainkit.view.explorer.pieces import Json
from explainkit.view.notebook import html_of_backtrack, html_of_run
from explainkit.view.skin import NOTEBOOK

if TYPE_CHECKING:
    from explainkit.backtrack.results import Walk
    from explainkit.graph import Evidence


def kept_of(
    evidence: "Evidence",
    walk: "Walk",
    board: Board,
    *,
    is_run: bool,
    story: Json,
    timeline: Json,
    hint: str | None = None,
    is_open: bool = True,
) -> Html:
    """The static board, the picture of the path, the story, the times and a hint.

    It is open, so that it is read wherever it is opened again; in JupyterLab the explorer folds it
    while it is there, because it says the same.

    Args:
        evidence: The run.
        walk: The walk that it opens on.
        board: The board of that walk.
        is_run: Whether the walk is of the whole answer, so that the board is the run's.
        story: The story of the run, as the explorer answers it.
        timeline: When its links ran, in the same way.
        hint: What a person must do before a widget shows.
        is_open: Whether it is unfolded at first.
    """
    title = "A static board, which stays; run the cell again for the explorer below it"
    said = [] if hint is None else [NOTEBOOK.make("p", "kicker", hint)]
    return element(
        "details",
        # Colours of the notebook itself: a board of ours that is folded would be a white strip.
        element("summary", title, style="font-weight:600;cursor:pointer"),
        NOTEBOOK.make(
            "div",
            "details",
            html_of_run(board) if is_run else html_of_backtrack(board),
            NOTEBOOK.make(
                "div",
                "board",
                picture_of(evidence, walk),
                story_kept(story),
                times_kept(timeline),
            ),
            *said,
        ),
        **{"class": "ek-static", "style": "margin:6px 0"},
        **({"open": ""} if is_open else {}),
    )
