"""A machine of a run as a person holds it: where it stood, step by step, drawn on its chart."""

from typing import TYPE_CHECKING, Any

from explainkit.errors import UnknownRecordError
from explainkit.safety import shorten
from explainkit.session.showing import bundle, guarded, guarded_html

if TYPE_CHECKING:
    import pandas as pd

    from explainkit.session.records_held import HeldRun
    from explainkit.view.machine_lighting import LitChart
    from explainkit.view.machine_steps import MachineStory

SHOWN = 8


class MachineView:
    """A machine of a run, drawn from its records alone; made by ``Run.machine``.

    Everything is shown as it was after one step, the last one unless ``at`` chose another.

    Example:
        >>> import explainkit as ek
        >>> from explainkit.flow import machine, state, to
        >>> door = machine("door", initial="shut", states={
        ...     "shut": state(on={"push": to("open")}), "open": state()})
        >>> async def push():
        ...     running = door.begin()
        ...     running.send("push")
        ...     running.cancel()
        ...     await running.outcome()
        >>> import asyncio
        >>> asyncio.run(push())
        >>> view = ek.last().machine()
        >>> view.configuration, view.at(0).configuration
        (('door', 'door.open'), ('door', 'door.shut'))
    """

    def __init__(self, run: "HeldRun", link: int, step: int | None = None) -> None:
        """Show the machine of a link after a step."""
        self.run = run
        self.link = link
        self._step = step
        self._read: tuple[int, MachineStory] | None = None

    @property
    def story(self) -> "MachineStory":
        """What the records tell of it; read again only when there are new ones."""
        from explainkit.view.machine_steps import story_of

        recording = self.run.recording
        if self._read is None or self._read[0] != len(recording):
            self._read = (len(recording), story_of(recording, self.link))
        return self._read[1]

    @property
    def name(self) -> str:
        """Its id."""
        return self.story.name

    @property
    def status(self) -> str:
        """How it ended; ``running`` or ``crashed`` when it did not."""
        return self.story.status

    @property
    def step(self) -> int:
        """Position of the step that is shown; -1 when there is none."""
        return len(self.story.steps) - 1 if self._step is None else self._step

    @property
    def event(self) -> str | None:
        """Name of the event of the step that is shown."""
        return self.story.steps[self.step].event if self.step >= 0 else None

    @property
    def configuration(self) -> tuple[str, ...]:
        """Ids of the states that were active after the step."""
        return self.story.steps[self.step].configuration if self.step >= 0 else ()

    @property
    def visited(self) -> dict[str, int]:
        """How often each state was entered until the step, by id; others were not."""
        marks = self.story.marks(self.step)
        return {state: mark.visits for state, mark in marks.items() if mark.visits}

    @property
    def steps(self) -> "pd.DataFrame":
        """A row for each step, of the whole run."""
        from explainkit.view import frames

        return frames.steps(self.story)

    def at(self, step: int) -> "MachineView":
        """The same machine as it was after an earlier step.

        Args:
            step: Position in ``steps``, from 0, the start; negative ones count from the end.

        Raises:
            UnknownRecordError: There is no such step.
        """
        count = len(self.story.steps)
        if not -count <= step < count:
            raise UnknownRecordError(
                f"The machine {shorten(self.name, 60)!r} has no step {step}: they are numbered 0 "
                f"to {count - 1}."
            )
        return MachineView(self.run, self.link, step % count)

    def to_mermaid(self) -> str:
        """The lit diagram in Mermaid's language.

        Raises:
            UnknownRecordError: No chart was recorded with it.
        """
        from explainkit.view.machine_scripts import mermaid_of_machine

        return mermaid_of_machine(self._lit())

    def to_dot(self) -> str:
        """The lit diagram in the DOT language.

        Raises:
            UnknownRecordError: No chart was recorded with it.
        """
        from explainkit.view.machine_scripts import dot_of_machine

        return dot_of_machine(self._lit())

    def to_svg(self) -> str:
        """The lit diagram as a whole SVG file, placed by the layout engine of this machine.

        Raises:
            UnknownRecordError: No chart was recorded with it.
        """
        return self.picture().svg

    def picture(self) -> "MachinePicture":
        """The lit diagram, for a notebook to show.

        Raises:
            UnknownRecordError: No chart was recorded with it.
        """
        from explainkit.view.machine_drawing import svg_file
        from explainkit.view.machine_layout import layout_of_machine

        lit = self._lit()
        layout = layout_of_machine(lit)
        return MachinePicture(svg_file(lit, layout), repr(self), layout.engine)

    def _lit(self) -> "LitChart":
        from explainkit.view.machine_lighting import lit_chart

        return lit_chart(self.story, self.step)

    def __repr__(self) -> str:
        from explainkit.view.machine_lists import text_of_machine

        return guarded(lambda: text_of_machine(self.story, self.step), "<explainkit machine>")

    def _repr_html_(self) -> str:
        from explainkit.view.machine_lists import html_of_machine

        return guarded_html(lambda: html_of_machine(self.story, self.step))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


class MachinePicture:
    """A drawing that a notebook shows; its words stand beside it, for where pictures do not.

    Attributes:
        svg: A whole SVG file.
        words: The same in words.
        engine: What placed it.
    """

    def __init__(self, svg: str, words: str, engine: str) -> None:
        """Hold a drawing."""
        self.svg = svg
        self.words = words
        self.engine = engine

    def __repr__(self) -> str:
        return self.words

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self.words, "image/svg+xml": self.svg}


def machine_of(run: "HeldRun", name: str | int | None) -> MachineView:
    """A machine of a run by name or number; the only one when not given.

    Raises:
        UnknownRecordError: There is none, no such one, or there are several to choose from.
    """
    from explainkit.view.machine_steps import machines_of

    found = machines_of(run.recording)
    if not found:
        raise UnknownRecordError(f"No machine ran in the run {shorten(run.name, 60)!r}.")
    chosen = [seq for seq, each in found.items() if name is None or name in (seq, each)]
    if not chosen or (name is None and len(chosen) > 1):
        listed = [f"{shorten(each, 60)!r} (link {seq})" for seq, each in found.items()]
        more = f" and {len(listed) - SHOWN:,} more" if len(listed) > SHOWN else ""
        what = "has several machines" if chosen else f"has no machine {str(name)[:60]!r}"
        raise UnknownRecordError(
            f"The run {shorten(run.name, 60)!r} {what}. "
            f"Choose one by name or number: {', '.join(listed[:SHOWN])}{more}."
        )
    return MachineView(run, chosen[-1])
