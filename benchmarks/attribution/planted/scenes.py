"""What a generated run is made of, before any program puts it together."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.attribution.planted.fares import UNKNOWN

Key = tuple
"""A change by verb and place: ("remove", "note"), ("remove", "rows", 3), ("swap", "look_up"),
("restore", "page 9"), ("hold", "rounding"), ("reorder", "a", "b")."""


@dataclass(frozen=True)
class Piece:
    """Something offered to the model.

    Attributes:
        name: Its name, unique in the run.
        value: A text, or rows of a table.
        kind: document, memory, message, ...
    """

    name: str
    value: Any
    kind: str = "document"


@dataclass(frozen=True)
class Truth:
    """Which changes take the cause away.

    Attributes:
        keys: The changes.
        mode: single; joint (each of them alone flips, both were needed); redundant (only all of
            them together flip); none.
    """

    keys: tuple[Key, ...] = ()
    mode: str = "single"


@dataclass(frozen=True)
class Scene:
    """One planted cause.

    Attributes:
        question: What is asked; it is no suspect.
        pieces: What is offered, in the order of the prompt.
        model: Decides.
        wrong: What it says, and what is recorded.
        right: What it would say without the planted cause.
        truth: The cause.
        judge: "right" when the user has a function that knows the right answer; "same" when the
            answer itself decides.
        planted: The text of the cause, to see what it shares with the answer.
        left_out: What was available and not sent.
        tool: A tool and its result.
        before: Whether the tool's result and memories stand before the pages.
        catalogue: Tools to choose from, with what each gives.
        override: What is done to the model's answer.
        approval: Whether a check lets the first draft pass that it should have stopped.
        second: The model that would write again after a draft was stopped.
        reducer: What a Parallel makes of its branches' answers.
        decorated: Whether the reducer is a link of its own.
        other: What a flaky model says when it does not say `wrong` and no right answer is known.
        words: What a first stage looks for; empty for the sentences that FareModel can read.
    """

    question: str
    pieces: tuple[Piece, ...]
    model: Callable[[Any], str]
    wrong: str
    right: str
    truth: Truth
    judge: str = "right"
    planted: tuple[str, ...] = ()
    left_out: tuple[Piece, ...] = ()
    tool: Piece | None = None
    before: bool = False
    catalogue: tuple[tuple[dict[str, str], str], ...] = ()
    override: Callable[[str], str] | None = None
    approval: bool = False
    second: Callable[[Any], str] | None = None
    reducer: Callable[[dict[str, str]], str] | None = None
    decorated: bool = False
    other: str = UNKNOWN
    words: tuple[str, ...] = field(default=())

    @property
    def shares_text(self) -> bool:
        """Whether five characters in a row stand both in the cause and in the answer."""
        pieces = {self.wrong[at : at + 5] for at in range(len(self.wrong) - 4)}
        return any(piece in text for text in self.planted for piece in pieces)


@dataclass(frozen=True)
class Case:
    """A place in the benchmark.

    Attributes:
        kind: What is planted.
        structure: How the run is built.
        size: Pieces that are offered.
        rate: How often the deciding step says something else.
        seed: Which of several.
    """

    kind: str
    structure: str
    size: int
    rate: float
    seed: int

    @property
    def key(self) -> str:
        """What its random numbers come from."""
        return f"{self.kind}/{self.structure}/{self.size}/{self.rate:.2f}/{self.seed}"
