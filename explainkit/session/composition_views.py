"""The runners of a run as a person holds them: the tree of them, and what the run ended on."""

from typing import TYPE_CHECKING, Any

from explainkit.session.showing import bundle, guarded

if TYPE_CHECKING:
    import pandas as pd

    from explainkit.session.machine_views import MachinePicture
    from explainkit.session.records_held import HeldRun
    from explainkit.view.board import EndWords
    from explainkit.view.composition_ends import Ending
    from explainkit.view.composition_tree import ToldTree


class RunTree:
    """What ran in what, each with how it ended; made by ``Run.tree``.

    In Agents and machines only runners have rows; what else lies in them is counted.

    Example:
        >>> import explainkit as ek
        >>> from explainkit.flow import Sequence
        >>> Sequence(str.strip, len).run_sync("  four ")
        4
        >>> print(repr(ek.last().tree).splitlines()[0])
        Tree of Sequence: answered; 3 links
        >>> list(ek.last().tree.to_frame()["name"])
        ['Sequence', 'strip', 'len']
    """

    def __init__(self, run: "HeldRun") -> None:
        """Show the runners of a run."""
        self.run = run
        self._read: tuple[int, ToldTree] | None = None

    @property
    def told(self) -> "ToldTree":
        """What the records tell; read again only when there are new ones."""
        from explainkit.view.composition_tree import tree_of

        recording = self.run.recording
        if self._read is None or self._read[0] != len(recording):
            self._read = (len(recording), tree_of(recording))
        return self._read[1]

    def to_frame(self) -> "pd.DataFrame":
        """A row for each link of the tree."""
        from explainkit.view import frames

        return frames.tree(self.run.recording, self.told)

    def to_dot(self) -> str:
        """The tree in the DOT language."""
        from explainkit.view.composition_drawing import dot_of_tree

        return dot_of_tree(self.run.recording, self.told)

    def to_svg(self) -> str:
        """The tree as a whole SVG file."""
        from explainkit.view.composition_drawing import svg_of_tree

        return svg_of_tree(self.run.recording, self.told)

    def picture(self) -> "MachinePicture":
        """The drawing, for a notebook to show."""
        from explainkit.session.machine_views import MachinePicture

        return MachinePicture(self.to_svg(), repr(self), "explainkit")

    def __repr__(self) -> str:
        from explainkit.view.composition_lists import text_of_tree

        return guarded(lambda: text_of_tree(self.run.recording, self.told), "<explainkit tree>")

    def _repr_html_(self) -> str:
        from explainkit.view.composition_lists import html_of_tree

        return guarded(lambda: str(html_of_tree(self.run.recording, self.told)), "")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


class RunEnd:
    """What a run ended on when it gave no answer; made by ``Run.ended_by``.

    Attributes:
        run: The run.
        told: What the records tell of it.

    Example:
        >>> import explainkit as ek
        >>> from explainkit.flow import Loop
        >>> import asyncio
        >>> _ = asyncio.run(Loop(lambda n: n + 1, for_at_most=2).outcome(0))
        >>> end = ek.last().ended_by
        >>> end.kind, end.raised, end.path
        ('exhausted', 'ExhaustedError', ('Loop',))
    """

    def __init__(self, run: "HeldRun", told: "Ending") -> None:
        """Hold an end."""
        self.run = run
        self.told = told

    @property
    def kind(self) -> str:
        """verdict, error, paused, exhausted, cancelled or crashed."""
        return self.told.kind

    @property
    def word(self) -> str:
        """Kind of the verdict, or class of the error; else the same as ``kind``."""
        return self.told.word

    @property
    def message(self) -> str:
        """What was said."""
        return self.told.message

    @property
    def link(self) -> int | None:
        """The link that it came about in; ``None`` when that was in no link."""
        return None if self.told.link is None else self.told.link.seq

    @property
    def phase(self) -> str | None:
        """When in that link, where the verdict tells."""
        return self.told.phase

    @property
    def path(self) -> tuple[str, ...]:
        """The way there from the outermost runner, such as ``("Sequence[2]", "desk")``."""
        return self.told.path

    @property
    def carriers(self) -> tuple[int, ...]:
        """The links that handed it on, innermost first; the last one raised it."""
        return tuple(link.seq for link in self.told.carriers)

    @property
    def raised(self) -> str | None:
        """Class of the error that ``run`` raises for it, where the record tells."""
        return self.told.raised

    @property
    def branches(self) -> "tuple[RunEnd, ...]":
        """The ends that it is made of, when several came about side by side."""
        return tuple(RunEnd(self.run, each) for each in self.told.branches)

    @property
    def what_to_do(self) -> str:
        """What a person can do about it."""
        return self.told.todo

    def _words(self) -> "EndWords":
        from explainkit.view.composition_board import words_of_end

        return words_of_end(self.told)

    def __repr__(self) -> str:
        from explainkit.view.composition_board import end_lines

        return guarded(lambda: "\n".join(end_lines(self._words(), 100)), "<explainkit end>")

    def _repr_html_(self) -> str:
        from explainkit.view.composition_board import html_of_end

        return guarded(lambda: str(html_of_end(self._words())), "")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


def end_of_run(run: "HeldRun") -> RunEnd | None:
    """What a run ended on; ``None`` when it answered, or goes on."""
    from explainkit.view.composition_ends import ending_of

    told = ending_of(run.recording)
    return None if told is None else RunEnd(run, told)
