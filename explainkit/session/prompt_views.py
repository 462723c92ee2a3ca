"""A prompt as a person holds it: what a model saw, with display."""

from typing import TYPE_CHECKING, Any

from explainkit.backtrack import prompt_of
from explainkit.backtrack.results import Prompt
from explainkit.session.showing import bundle, guarded, guarded_html

if TYPE_CHECKING:
    from explainkit.session.records_held import HeldRun


class PromptView:
    """What a model saw for one call, with the origin of every character.

    Attributes:
        prompt: The plain result: ``link``, ``name``, ``text``, ``segments``.
    """

    def __init__(self, prompt: Prompt) -> None:
        """Hold a prompt."""
        self.prompt = prompt

    @classmethod
    def of(cls, run: "HeldRun", link: int | None = None) -> "PromptView":
        """Read the prompt of a model link; the last one when not given."""
        return cls(prompt_of(run.evidence, link))

    @property
    def text(self) -> str:
        """The text that the model saw."""
        return self.prompt.text

    @property
    def segments(self) -> tuple[Any, ...]:
        """Stretches of the text with their origins, without gaps."""
        return self.prompt.segments

    def __str__(self) -> str:
        """The text that the model saw."""
        return self.prompt.text

    def __repr__(self) -> str:
        from explainkit.view.plain import text_of_prompt
        from explainkit.view.prompting import pane_of

        return guarded(lambda: text_of_prompt(pane_of(self.prompt)), "<explainkit prompt>")

    def _repr_html_(self) -> str:
        from explainkit.view.notebook import html_of_prompt
        from explainkit.view.prompting import pane_of

        return guarded_html(lambda: html_of_prompt(pane_of(self.prompt)))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())
