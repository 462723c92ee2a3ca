"""A pydantic model as a check, for Agents and answering flows alike."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from explainkit.flow.checks.shapes import CheckResult, Issue, OperationContext
from explainkit.safety import shorten
from explainkit.safety.pointers import token


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """Reads an answer as a pydantic model.

    Attributes:
        model: The model.
    """

    model: type[BaseModel]

    @property
    def id(self) -> str:
        """Name of the model."""
        return self.model.__name__

    def check(self, value: Any, context: OperationContext) -> CheckResult:
        """Read the answer, a text as JSON; the value is the model."""
        del context
        try:
            read = self.model.model_validate_json if isinstance(value, str) else None
            found = read(value) if read else self.model.model_validate(value)
        except ValidationError as problem:
            return CheckResult("failed", tuple(_issue(each) for each in problem.errors()))
        return CheckResult("passed", value=found)


def _issue(error: Any) -> Issue:
    pointer = "".join(f"/{token(part)}" for part in error["loc"])
    return Issue(error["type"], shorten(error["msg"], 300), pointer or None)
