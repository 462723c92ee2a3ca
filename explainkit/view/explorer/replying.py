"""Requests of any shape to replies: words for a person when something is wrong, never an error."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from explainkit.errors import ExplainkitError
from explainkit.safety import shorten
from explainkit.view.explorer.pieces import Json, line_of

Answer = Callable[..., Json]
MOST_OPENED: Final = 64
MOST_WORDS: Final = 40
MOST_OBJECTS: Final = 100


class AskedWronglyError(ValueError):
    """A request lacks something, or holds it in another shape."""


def reply_to(request: Any, answers: Mapping[str, Callable[["Fields"], Json]]) -> Json:
    """Answer a request.

    Args:
        request: What came in, whatever it is.
        answers: By the word that asks for them.

    Returns:
        ``{id, ok, answer}`` or ``{id, ok, error}``.
    """
    number = request.get("id") if isinstance(request, Mapping) else None
    number = number if isinstance(number, int | str) and not isinstance(number, bool) else None
    if isinstance(number, str):
        number = line_of(number, 80)
    try:
        if not isinstance(request, Mapping):
            raise AskedWronglyError(f"A request is an object, not {type(request).__name__}.")
        asked = request.get("ask")
        found = answers.get(asked) if isinstance(asked, str) else None
        if found is None:
            known = ", ".join(answers)
            raise AskedWronglyError(
                f"There is no question {shorten(str(asked), 40)!r}. Ask one of: {known}."
            )
        return {"id": number, "ok": True, "answer": found(Fields(request))}
    except (ExplainkitError, AskedWronglyError) as error:
        said = line_of(str(error), 600)
    except Exception as error:  # noqa: BLE001 - a question must not cost the explorer
        said = f"{type(error).__name__}: {line_of(str(error), 200)}"
    return {"id": number, "ok": False, "error": said}


class Fields:
    """What a request holds beside its question, checked."""

    def __init__(self, request: Mapping[Any, Any]) -> None:
        """Read a request."""
        self._request = request

    def number(self, name: str, default: int | None = None) -> int:
        """A whole number."""
        value = self.maybe(name)
        value = default if value is None else value
        if value is None:
            raise AskedWronglyError(f"The question needs a number {name!r}.")
        return value

    def maybe(self, name: str) -> int | None:
        """A whole number, or nothing."""
        value = self._request.get(name)
        if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
            value = int(value)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise AskedWronglyError(f"{name!r} is a whole number, not {type(value).__name__}.")
        return value

    def text(self, name: str, default: str) -> str:
        """A text."""
        value = self._request.get(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise AskedWronglyError(f"{name!r} is a text, not {type(value).__name__}.")
        return value

    def words(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(str(each) for each in self._list(name, str)[:MOST_WORDS])

    def numbers(self, name: str) -> tuple[int, ...]:
        """A list of whole numbers."""
        return tuple(int(each) for each in self._list(name, int)[-MOST_OPENED:])

    def objects(self, name: str) -> tuple[Mapping[str, Any], ...]:
        """A list of objects."""
        return tuple(self._list(name, dict)[:MOST_OBJECTS])

    def either(self, name: str) -> int | str:
        """A whole number or a text."""
        value = self._request.get(name)
        return value if isinstance(value, str) else self.number(name)

    def _list(self, name: str, kind: type) -> Sequence[Any]:
        value = self._request.get(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or not all(
            isinstance(each, kind) and not isinstance(each, bool) for each in value
        ):
            raise AskedWronglyError(f"{name!r} is a list of {kind.__name__}.")
        return value
