"""A deterministic reader in place of a language model, so that causes in a context are exact."""

from collections.abc import Sequence

from explainkit.flow.models.embedded import EmbeddedModel, completion_of
from explainkit.flow.models.prompts import as_messages
from explainkit.flow.models.reading.reader import Reading, open_pages, read_pages
from explainkit.flow.models.reading.tool_choice import choose_tool
from explainkit.flow.models.vocabulary import Completion, Prompt, ToolSpec


class ReadingModel(EmbeddedModel):
    """Answers only from its prompt, by fixed rules. It is not a language model.

    It finds the question, follows the few instructions that it knows (`Order` lists them), and
    gives what the best supported sentence says; rules with limits ("60 minutes or more") only
    where the question's own quantity lies within them. It adds, subtracts and takes shares of
    amounts that it reads, and calls an offered tool whose name or description fits the question.
    When nothing supports an answer it says so.

    The answer is a true function of the prompt: `read` names the sentences that determined it,
    and no other sentence has any influence.

    Example:
        >>> model = ReadingModel()
        >>> model("Parcels from 5 kg: two stamps are needed. Q: What do I need for 7 kg?")
        'Two stamps are needed.'
        >>> model("Parcels from 5 kg: two stamps are needed. Q: What do I need for 2 kg?")
        'The context does not say.'
    """

    deterministic = True

    def read(self, prompt: Prompt) -> Reading:
        """Answer, and name the sentences that determined the answer.

        Raises:
            PromptError: The prompt is neither a text nor chat messages.

        Example:
            >>> prompt = "The hall is red. The door is blue. What colour is the door?"
            >>> reading = ReadingModel().read(prompt)
            >>> [prompt[start:end] for start, end in reading.used]
            ['The door is blue.', 'What colour is the door?']
        """
        return read_pages(open_pages(as_messages(prompt)))

    async def complete(self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()) -> Completion:
        """Answer the prompt, or call the offered tool that fits its question.

        Raises:
            PromptError: The prompt is neither a text nor chat messages.
        """
        messages = as_messages(prompt)
        pages = open_pages(messages)
        call = choose_tool(pages, messages, tools) if tools else None
        if call:
            return completion_of(prompt, tool_calls=(call,))
        return completion_of(prompt, text=read_pages(pages).answer)

    def __repr__(self) -> str:
        return "ReadingModel()"
