"""What a run without an answer ended on, as lines of a run's text."""

from collections.abc import Iterator

from explainkit.cli.printing import one_line
from explainkit.store import Recording
from explainkit.view.composition_board import ended


def end_text(recording: Recording) -> Iterator[str]:
    """A heading and the way of the end; nothing for a run that answered or goes on."""
    end = ended(recording)
    if end is None:
        return
    yield one_line(end.title.lstrip("■▲◆◇○△ "), 200)
    fields = [("said", end.message), ("path", end.path), ("where", end.where)]
    fields += [("raised", end.carried), *(("branch", each) for each in end.branches)]
    fields.append(("do", end.todo))
    for name, text in fields:
        if text:
            yield f"  {name:<9} {one_line(text, 600)}"
