"""Puts a piece that was left out among others of its form: a paragraph, an item, a message."""

from collections.abc import Mapping, Sequence
from typing import Any

from explainkit.errors import InterventionError
from explainkit.safety import shorten
from explainkit.whatif.cut_lists import listed
from explainkit.whatif.varying.gone import texts_in

Json = Mapping[Any, Any]


def appended(value: Any, more: Any) -> Any:
    r"""A text with one more paragraph, a list with one more item, or messages with one more.

    A message comes before the turn of the user that the messages end on; a text goes into the last
    message, and among rows of one field it becomes such a row.

    Args:
        value: A text or a list.
        more: What was left out.

    Raises:
        InterventionError: The list holds things of another form.

    Example:
        >>> appended("a", "b"), appended(["a"], "b"), appended([{"text": "a"}], "b")
        ('a\nb', ['a', 'b'], [{'text': 'a'}, {'text': 'b'}])
        >>> turn = {"role": "user", "content": "And?"}
        >>> appended([turn], {"role": "user", "content": "lost"})[0]["content"]
        'lost'
    """
    if not isinstance(value, list | tuple):
        return f"{value}\n{_text(more)}"
    if value and _is_message(value[-1]):
        return type(value)(_with_message(value, more))
    return type(value)([*value, _item(value, more)])


def _with_message(messages: Sequence[Any], more: Any) -> list[Any]:
    last = messages[-1]
    added = list(more) if isinstance(more, list | tuple) else [more]
    if not all(_is_message(each) for each in added):
        return [*messages[:-1], {**last, "content": appended(last["content"], more)}]
    is_turn = last.get("role") == "user"
    return [*messages[:-1], *added, last] if is_turn else [*messages, *added]


def _item(items: Sequence[Any], more: Any) -> Any:
    """What is left out in the form of the items that it comes among."""
    rows = [each for each in items if isinstance(each, Mapping)]
    if not rows or len(rows) < len(items) or isinstance(more, Mapping):
        return more
    fields = [key for key, each in rows[-1].items() if key != "type" and isinstance(each, str)]
    if isinstance(more, str) and len(fields) == 1 and rows[-1].keys() <= {"type", fields[0]}:
        return {**rows[-1], fields[0]: more}
    names = listed([shorten(str(key), 30) for key in rows[-1]])
    raise InterventionError(
        f"{shorten(repr(more), 60)} was left out as a {_kind(more)}, and cannot stand among items "
        f"that have the fields {names}. When recording, give ek.left_out(...) the whole item as it "
        "would have stood there; of this run, use swap= or replace= with the whole list."
    )


def _kind(value: Any) -> str:
    return "text" if isinstance(value, str) else type(value).__name__


def _is_message(item: Any) -> bool:
    return isinstance(item, Mapping) and "content" in item


def _text(more: Any) -> str:
    """The words of a piece."""
    if isinstance(more, str):
        return more
    if _is_message(more):
        return _text(more["content"])
    return "\n".join(texts_in(more)) or repr(more)
