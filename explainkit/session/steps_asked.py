"""What is shown of a link, or of a version of the answer, to whoever is asked if it is right."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explainkit.safety import visible
from explainkit.store import Recording


@dataclass(frozen=True)
class Step:
    """A link, or a version of the answer, that is asked about: is what it gave right?

    Attributes:
        seq: Its record.
        type: The type of the link; ``answer`` or ``override`` for a version of the answer.
        name: The name of the link; who gave the version.
        inputs: What it was given, as texts by slot.
        output: What it gave, as a text; of a link that failed, the error.
        value: What it gave, as the object; None for an error.
        error: Whether it failed.
        number: 1 for the first question; 0 for the step that was found.
        about_more: Questions that are still needed, about, this one included.
        suspect: The step that is named if this one is right as well; None while it is searched for.
        version: Number of the version; None for a link.
        opening: Whether this is the answer itself, and the question is if anything is wrong.
    """

    seq: int
    type: str
    name: str
    inputs: Mapping[str, str] = field(default_factory=dict)
    output: str = ""
    value: Any = None
    error: bool = False
    number: int = 0
    about_more: int = 0
    suspect: "Step | None" = None
    version: int | None = None
    opening: bool = False

    @property
    def title(self) -> str:
        """What it is, with its record."""
        if self.version is not None:
            by = "" if self.name == "answer" else f", by {self.name}"
            return f"version {self.version} of the answer{by} (record {self.seq})"
        name = self.name if self.name == self.type else f"{self.type} {self.name}"
        return f"{name} (record {self.seq})"

    def __str__(self) -> str:
        """The question in words."""
        title = visible(self.title)
        if self.version is not None:
            return f"Is {title} right?"
        gave = "raised" if self.error else "gave"
        return f"Is what {title} {gave} right?"


def step_of(recording: Recording, seq: int, *, version: int | None = None, **more: Any) -> Step:
    """What is shown of a link or of a version of the answer.

    Args:
        recording: The run.
        seq: Its record.
        version: Number of the version; None for a link.
        more: Other fields of `Step`.
    """
    row, values = recording.raw(seq), recording.values
    if version is not None:
        output, error = row.get("value"), None
        name = str(row.get("by") or row.get("via") or "answer")
        type_ = str(row["kind"])
    else:
        closed = recording.rows("link_closed")
        end: Mapping[str, Any] = next((each for each in closed if each.get("link") == seq), {})
        output, error = end.get("output"), end.get("error")
        name, type_ = str(row.get("name") or ""), str(row.get("type") or "function")
    shown = output or error
    return Step(
        seq,
        type_,
        name,
        {str(each["slot"]): values.shown(each["value"]) for each in row.get("inputs") or ()},
        "" if shown is None else values.shown(shown),
        None if output is None else values.object(output),
        error=error is not None,
        version=version,
        **more,
    )
