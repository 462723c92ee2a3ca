"""The machines of a run and the picks of their Agents, as lines of a run's text."""

from collections.abc import Iterator

from explainkit.cli.printing import one_line
from explainkit.store import Recording
from explainkit.view.machine_board import ended_machines
from explainkit.view.picks_told import picks_of
from explainkit.view.picks_words import pick_words


def machine_text(recording: Recording) -> Iterator[str]:
    """One line for each machine: where it stood, and how it ended."""
    for row in ended_machines(recording):
        yield f"  {row.seq:>5}  {one_line(row.name, 80)} {one_line(row.remark, 300)}"


def pick_text(recording: Recording) -> Iterator[str]:
    """One line for each pick: what was picked, what replied, what was read, and where from."""
    for pick in picks_of(recording):
        yield f"  {pick.seq:>5}  {one_line(pick_words(recording, pick, 100), 400)}"
