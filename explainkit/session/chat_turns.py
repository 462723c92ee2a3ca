"""A turn of a chat as a person holds it: its run, what-ifs with its history, and a way on."""

from typing import TYPE_CHECKING, Any, Self

from explainkit.errors import ResumeError
from explainkit.session.showing import bundle, guarded, guarded_html
from explainkit.session.whatifs import WhatIf

if TYPE_CHECKING:
    from explainkit.flow.agents.chat_turns import Turn
    from explainkit.flow.agents.conversations import Chat
    from explainkit.session.backtracked import Backtrack
    from explainkit.session.explorer import Explorer
    from explainkit.session.prompt_views import PromptView
    from explainkit.session.run import Run


class ChatTurn:
    """One turn of a chat; ``chat[k]`` gives it.

    Example:
        >>> import asyncio
        >>> from explainkit.flow.agents import Agent
        >>> from explainkit.flow.models import ReadingModel
        >>> chat = Agent(ReadingModel(), "Parking costs 4 euros an hour.").chat()
        >>> asyncio.run(chat.send("What does parking cost an hour?"))
        'Parking costs 4 euros an hour.'
        >>> turn = chat[0]
        >>> turn.question, turn.answer
        ('What does parking cost an hour?', 'Parking costs 4 euros an hour.')
        >>> turn.whatif(replace={("instructions", "4"): "5"}).after
        'Parking costs 5 euros an hour.'
        >>> chat[0].answer, len(chat)
        ('Parking costs 4 euros an hour.', 1)
    """

    def __init__(self, turn: "Turn") -> None:
        """Hold a turn."""
        self._turn = turn

    @property
    def number(self) -> int:
        """Which turn, counted from 0."""
        return self._turn.number

    @property
    def run(self) -> "Run":
        """Its run, with everything that can be asked of a run."""
        run: Run = self._turn.run
        return run

    @property
    def question(self) -> str | None:
        """What was said to the Agent."""
        return self.run.question

    @property
    def answer(self) -> Any:
        """What it answered.

        Raises:
            UnknownRecordError: The turn ended without an answer.
        """
        return self.run.answer

    @property
    def status(self) -> str:
        """How it ended."""
        return self.run.status

    def backtrack(self, **asked: Any) -> "Backtrack":
        """Walk from its answer back to the context, as ``Run.backtrack``.

        Args:
            asked: As ``Run.backtrack`` takes them.
        """
        return self.run.backtrack(**asked)

    def prompt(self, link: int | str | None = None) -> "PromptView":
        """What the model saw, as ``Run.prompt``.

        Args:
            link: A model link; the last one when not given.
        """
        return self.run.prompt(link)

    def explore(self, **asked: Any) -> "Explorer":
        """Open the explorer on its run.

        Args:
            asked: As ``Run.explore`` takes them.
        """
        return self.run.explore(**asked)

    def whatif(self, **asked: Any) -> "TurnWhatIf":
        """Run the turn again with a change, with the history as it stood before it.

        The history is the context ``conversation``, a list of messages. The chat stays as it is.

        Args:
            asked: As ``Run.whatif`` takes them.
        """
        return TurnWhatIf.of(self.run.whatif(**asked), self._turn)

    async def whatif_async(self, **asked: Any) -> "TurnWhatIf":
        """As `whatif`, where a loop runs, as in a notebook.

        Args:
            asked: As ``Run.whatif`` takes them.
        """
        return TurnWhatIf.of(await self.run.whatif_async(**asked), self._turn)

    def fork(self) -> "Chat":
        """Another chat that goes on after this turn; this one stays as it is."""
        return self._turn.fork(None)

    def __repr__(self) -> str:
        return guarded(self._line, "<explainkit turn>")

    def _line(self) -> str:
        from explainkit.view.words import flat

        status = self.status
        said = repr(self.answer) if status == "answered" else status
        return flat(f"Turn {self.number}: {self.question!r} -> {said}", 200)

    def _repr_html_(self) -> str:
        return guarded_html(self.run._repr_html_)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


class TurnWhatIf(WhatIf):
    """A what-if of a turn, from which the conversation can go on."""

    _turn: "Turn"

    @classmethod
    def of(cls, found: WhatIf, turn: "Turn") -> Self:
        """A what-if together with the turn that it is of."""
        made = cls(found._run, found._inquiry, found.trial)
        made.seq, made._turn = found.seq, turn
        return made

    def fork(self) -> "Chat":
        """Another chat that goes on from the re-run that `after` is of.

        Its last turn is that re-run; the chat that it comes from stays as it is.

        Raises:
            ResumeError: Nothing was run again, or not in this process.
        """
        if self.run is None:
            raise ResumeError(
                f"Nothing was run again ({self}), so there is no turn to go on from. "
                "Fork the turn itself: chat[k].fork()."
            )
        return self._turn.fork(self.run)
