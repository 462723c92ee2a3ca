"""Where a run or a conversation of an Agent stands, as plain JSON, so that it can go on later."""

from collections.abc import Collection, Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from explainkit.errors import ResumeError
from explainkit.flow.agents.chat_messages import calls_in
from explainkit.flow.models import Usage
from explainkit.safety import shorten


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Waiting(_Kept):
    """A tool call that waits for a person.

    Attributes:
        kind: Whether their answer is the result, or their consent lets the call be made.
        call: The call.
        question: What they are asked.
        whom: Who is to be asked, when that is known.
    """

    kind: Literal["answer", "consent"]
    call: dict[str, JsonValue]
    question: str
    whom: str | None = None


class Landed(_Kept):
    """A piece that was let in.

    Attributes:
        name: Its name.
        text: Its text, for a piece of the system message.
    """

    name: str
    text: str | None = None


class Spent(_Kept):
    """Tokens used."""

    input_tokens: int = 0
    output_tokens: int = 0

    def add(self, usage: Usage) -> None:
        """Count a call."""
        self.input_tokens += usage.input_tokens
        self.output_tokens += usage.output_tokens

    @property
    def usage(self) -> Usage:
        """The same as what a model says of a call."""
        return Usage(input_tokens=self.input_tokens, output_tokens=self.output_tokens)


class Standing(_Kept):
    """Where a run of an Agent stands.

    Attributes:
        kind: Says what this is.
        agent: The Agent's name.
        run: The run that it stood in.
        messages: The conversation without the system message.
        evidence: What the model was given, for the evidence gate.
        landed: Pieces that were let in.
        calls: Calls of models in this run.
        dispatched: Tool calls that were made in this run.
        waiting: The call that waits for a person.
        rest: Calls behind it.
        revised: Whether the evidence gate asked for a revision.
        spent: Tokens used.
    """

    kind: Literal["agent"] = "agent"
    agent: str
    run: str = ""
    messages: list[dict[str, JsonValue]] = Field(default_factory=list)
    evidence: list[JsonValue] = Field(default_factory=list)
    landed: list[Landed] = Field(default_factory=list)
    calls: int = 0
    dispatched: list[dict[str, JsonValue]] = Field(default_factory=list)
    waiting: Waiting | None = None
    rest: list[dict[str, JsonValue]] = Field(default_factory=list)
    revised: bool = False
    spent: Spent = Field(default_factory=Spent)

    @model_validator(mode="after")
    def _waits_for_calls_that_were_proposed(self) -> Self:
        """A run that waits goes on with calls of its own conversation, each with its arguments."""
        waiting = [] if self.waiting is None else [self.waiting.call]
        proposed = [str(call.get("id")) for each in self.messages for call in calls_in(each)]
        for call in [*waiting, *self.rest]:
            named = isinstance(call.get("name"), str)
            if not (named and isinstance(call.get("arguments"), dict)):
                raise ValueError("a call that waits has no name or no arguments")
            if call.get("id") not in proposed:
                raise ValueError("a call that waits is in none of the messages")
        return self

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; `standing_of` reads it back."""
        return self.model_dump(mode="json")


def standing_of(checkpoint: Any, *, agent: str, tools: Collection[str]) -> Standing:
    """Read a checkpoint back.

    Args:
        checkpoint: What `Paused` held.
        agent: Name of the Agent that is to go on.
        tools: Names of its tools.

    Raises:
        ResumeError: It is none, or that of another Agent.
    """
    if not isinstance(checkpoint, Mapping) or checkpoint.get("kind") != "agent":
        raise ResumeError(
            f"{shorten(repr(checkpoint), 80)} is no checkpoint of an Agent. "
            "Give the checkpoint of Paused, or of the PausedError."
        )
    try:
        standing = Standing.model_validate(dict(checkpoint))
    except ValidationError as problem:
        raise ResumeError(
            f"The checkpoint of the Agent does not fit: {shorten(str(problem), 300)}"
        ) from problem
    if standing.agent != agent:
        raise ResumeError(
            f'The checkpoint is of the Agent "{shorten(standing.agent, 80)}", and this one is '
            f'"{shorten(agent, 80)}". Resume it with the Agent that was paused.'
        )
    waiting = None if standing.waiting is None else str(standing.waiting.call.get("name"))
    if waiting is not None and waiting not in tools:
        raise ResumeError(
            f'The checkpoint waits for the tool "{shorten(waiting, 80)}", which the Agent '
            f'"{agent}" does not have. Resume it with the tools that it was paused with.'
        )
    return standing
