"""A choice of a model as a person holds it: what was offered, its twins, and the words for it."""

from typing import TYPE_CHECKING, Any

from explainkit.session.showing import bundle, guarded, guarded_html

if TYPE_CHECKING:
    from explainkit.backtrack.choosing import Chosen, Favour, Option
    from explainkit.session.asking import AskedRun
    from explainkit.text.likeness import Pair


class Choice:
    """A tool call or a pick of an event, from the records; made by ``Run.choice``.

    Example:
        >>> import explainkit as ek
        >>> from explainkit.flow import Agent
        >>> from explainkit.flow.models import ScriptedModel, ToolCall
        >>> def refund(order: str) -> str:
        ...     "Pay the fare of an order back."
        ...     return "done"
        >>> def cancel(order: str) -> str:
        ...     "Cancel an order: pay the fare back."
        ...     return "done"
        >>> call = ToolCall(id="", name="cancel", arguments={"order": "7"})
        >>> desk = Agent(ScriptedModel([call, "It is done."]), tools=[refund, cancel])
        >>> _ = desk.run_sync("Pay order 7 back.")
        >>> choice = ek.last().choice()
        >>> choice.chosen.name, [each.names[1] for each in choice.twins]
        ('cancel', ['refund'])
        >>> choice.shared
        ('order', 'pay', 'fare', 'back')
    """

    def __init__(self, found: "Chosen") -> None:
        """Hold a choice."""
        self._found = found

    @property
    def link(self) -> int:
        """The model link."""
        return self._found.link

    @property
    def name(self) -> str:
        """What was chosen, as the model called it."""
        return self._found.name

    @property
    def chosen(self) -> "Option | None":
        """What was chosen; None when it was not offered."""
        return self._found.option

    @property
    def offered(self) -> "tuple[Option, ...]":
        """What was offered, each with its description, in order."""
        return self._found.offered

    @property
    def twins(self) -> "tuple[Pair, ...]":
        """Others with a description like that of the chosen one, the most alike first."""
        return self._found.twins

    @property
    def shared(self) -> tuple[str, ...]:
        """Words that the chosen one and its nearest twin have in common."""
        return self.twins[0].shared if self.twins else ()

    @property
    def favoured_by(self) -> "tuple[Favour, ...]":
        """Words of the prompt that are those of the chosen one's description; a proxy, no cause."""
        return self._found.favoured_by

    @property
    def words(self) -> dict[str, int]:
        """For each option, how many of its words stand in the prompt."""
        return dict(self._found.words)

    def lines(self) -> list[str]:
        """The choice, line by line."""
        from explainkit.view.whatif.chosen import lines_of_choice

        return lines_of_choice(self._found)

    def __repr__(self) -> str:
        return guarded(lambda: "\n".join(self.lines()), "<explainkit choice>")

    def _repr_html_(self) -> str:
        from explainkit.view.whatif.chosen import PROXY
        from explainkit.view.whatif.searched import html_of_search

        lines = self.lines()[:-1]
        return guarded_html(lambda: str(html_of_search("What was chosen among", lines, PROXY)))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


def choice(run: "AskedRun", link: int | str | None) -> Choice:
    """A choice of a run.

    Args:
        run: The run.
        link: As ``Run.choice`` takes it.
    """
    from explainkit.backtrack.choosing import choice_of
    from explainkit.session.naming import source_named

    seq = source_named(run.recording, link) if isinstance(link, str) else link
    return Choice(choice_of(run.recording, seq))
