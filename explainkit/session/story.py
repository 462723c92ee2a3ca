"""A run's story as a person holds it: sentences to read, to show, and to open at their records."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, overload

from explainkit.session.backtracked import Backtrack
from explainkit.session.showing import bundle, guarded, guarded_html
from explainkit.view.story import Sentence, ToldStory, story_told

if TYPE_CHECKING:
    import pandas as pd

    from explainkit.backtrack.results import Walk
    from explainkit.session.records_held import HeldRun


class RunStory:
    """What happened in a run, told from its records alone; made by ``Run.story``.

    It holds the sentences in order: iterate over it, take one by its index, print it.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello", question="How long?") as run:
        ...     _ = ek.answer("An hour.")
        >>> story = run.story()
        >>> story[1].seq, story[1].text
        ((3,), 'The answer was “An hour.”; that is version 1.')
    """

    def __init__(self, run: "HeldRun", told: ToldStory, *, full: bool) -> None:
        """Hold a story of a run."""
        self.run = run
        self.told = told
        self.full = full

    @classmethod
    def tell(cls, run: "HeldRun", *, full: bool = False) -> "RunStory":
        """Tell the records that a run has now.

        Args:
            run: The run.
            full: Tell every happening by itself.
        """

        def walk(slot: str, span: tuple[int, int] | None = None, /) -> "Walk | None":
            return Backtrack.of(run, slot=slot, span=span).walk

        return cls(run, story_told(run.recording, walk, full=full), full=full)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences, in order."""
        return self.told.sentences

    @property
    def folded(self) -> int:
        """How many happenings the sentences only count; ``run.story(full=True)`` tells them."""
        return self.told.folded

    def of(self, seq: int) -> tuple[Sentence, ...]:
        """What is told from one record by itself, also where the story only counts it.

        Args:
            seq: Number of the record.

        Returns:
            The sentences; none for a record that only holds content.

        Raises:
            UnknownRecordError: The run has no such record.
        """
        self.run.recording.kind(seq)
        return self.told.of(seq)

    def to_frame(self) -> "pd.DataFrame":
        """A row for each sentence: its kind, its text, and its records."""
        from explainkit.view.story.rows import frame_of_story

        return frame_of_story(self.told.sentences)

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.told.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        """The sentences, in order."""
        return iter(self.told.sentences)

    @overload
    def __getitem__(self, at: int) -> Sentence: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Sentence, ...]: ...
    def __getitem__(self, at: int | slice) -> Sentence | tuple[Sentence, ...]:
        """A sentence by its index, or several."""
        return self.told.sentences[at]

    def __str__(self) -> str:
        """All sentences, one a line."""
        return "\n".join(each.text for each in self.told.sentences)

    def __repr__(self) -> str:
        from explainkit.view.story.lists import text_of_story

        return guarded(lambda: text_of_story(self.run.name, self.told), "<explainkit story>")

    def _repr_html_(self) -> str:
        from explainkit.view.story.lists import html_of_story

        return guarded_html(lambda: html_of_story(self.run.name, self.told))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())
