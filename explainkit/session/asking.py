"""The questions that a run answers: walks, prompts, machines, trees and how it ended."""

from typing import TYPE_CHECKING, Any

from explainkit.session.records_held import HeldRun

if TYPE_CHECKING:
    import networkx as nx

    from explainkit.session.backtracked import Backtrack
    from explainkit.session.choices import Choice
    from explainkit.session.composition_views import RunEnd, RunTree
    from explainkit.session.machine_views import MachineView
    from explainkit.session.prompt_views import PromptView
    from explainkit.session.story import RunStory


class AskedRun(HeldRun):
    """What can be asked of a run's records."""

    def graph(self) -> "nx.MultiDiGraph[str]":
        """The run as a networkx graph; edges point the way data flowed."""
        return self.evidence.networkx()

    def backtrack(
        self,
        *,
        answer: int | str | None = None,
        span: Any = None,
        grade: str = "value",
        slot: str | int = "answer",
    ) -> "Backtrack":
        """Walk from the answer, or words of it, back to the context that they came from.

        Args:
            answer: Which version of the answer, the effective one when not given; or the slot of
                another answer, as `slot`.
            span: Words of the answer, ``(start, end)`` in code points, or a compiled regular
                expression; the whole answer when not given.
            grade: Weakest evidence to follow: ``declared``, ``value``, ``exposure`` or ``order``.
            slot: Which answer of a run that gives several, as in the column ``slot`` of `picks`;
                or ``seq`` of a pick.

        Raises:
            SpanNotFoundError: The words are not in the answer; it holds the nearest ones, and the
                message names other answers of the run that hold them.
            UnknownRecordError: There is no such slot or version.
            TypeError: The slot is neither a name nor a number.
            ValueError: No such grade.
        """
        from explainkit.session.answering import slot_and_version
        from explainkit.session.backtracked import Backtrack

        slot, answer = slot_and_version(slot, answer)
        return Backtrack.of(self, answer=answer, span=span, grade=grade, slot=slot)

    def prompt(self, link: int | str | None = None) -> "PromptView":
        """What the model saw, with the origin of every character.

        Args:
            link: ``seq`` of a link, or its name (the last one of that name); the last model link
                when not given.

        Raises:
            UnknownRecordError: No such link, or the run has no model link.
        """
        from explainkit.session.naming import link_named
        from explainkit.session.prompt_views import PromptView

        if isinstance(link, str):
            link = link_named(self.recording, link)
        return PromptView.of(self, link)

    def choice(self, link: int | str | None = None) -> "Choice":
        """What a model chose among when it called a tool or picked an event.

        It names what was offered, twins with the words that their descriptions share, and the
        words of the prompt that favour the choice. Read from the records; nothing runs.

        Args:
            link: The link of a tool call, the event of a pick, or the model's link, by ``seq`` or
                name; the last choice of the run when not given.

        Raises:
            UnknownRecordError: No model chose there.
        """
        from explainkit.session.choices import choice

        return choice(self, link)

    def machine(self, name: str | int | None = None) -> "MachineView":
        """A machine of the run, drawn on its chart from the records alone.

        Args:
            name: Its id (the last machine of that id), or ``seq`` of its link; the only machine
                when not given.

        Raises:
            UnknownRecordError: There is none, no such one, or there are several to choose from.
        """
        from explainkit.session.machine_views import machine_of

        return machine_of(self, name)

    def story(self, *, full: bool = False) -> "RunStory":
        """What happened, in plain sentences told from the records, each with its records.

        Args:
            full: Tell every happening by itself, also those that are else only counted.
        """
        from explainkit.session.story import RunStory

        return RunStory.tell(self, full=full)

    @property
    def tree(self) -> "RunTree":
        """What ran in what, each with how it ended."""
        from explainkit.session.composition_views import RunTree

        return RunTree(self)

    @property
    def ended_by(self) -> "RunEnd | None":
        """The verdict, error or other end of a run without an answer; ``None`` otherwise."""
        from explainkit.session.composition_views import end_of_run

        return end_of_run(self)


AskedRun.backtrack.__qualname__ = "Run.backtrack"  # what Python calls it in a TypeError
