"""Whether a batch can be answered at all: every input covered, every id one of its own."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from explainkit.answering.entries import shown, told
from explainkit.answering.shapes import AnswerItem
from explainkit.errors import AnswerBatchError
from explainkit.safety import shorten
from explainkit.safety.surrogates import has_surrogates

_SAID = 20
"""Problems that the message tells; further ones are counted."""
_FIELDS = ("id", "input_ids", "source_status", "data")
_ITEM: TypeAdapter[AnswerItem[Any]] = TypeAdapter(AnswerItem)


def validate_answer_batch(input_ids: Sequence[str], items: Sequence[Any], max_items: int) -> None:
    """Check that a batch covers its inputs.

    Args:
        input_ids: The inputs, each once.
        items: The items; plain dicts of the same shape are taken too.
        max_items: How many items there may be.

    Raises:
        AnswerBatchError: An input has no item, an item names an input that is none, an id is
            there twice, or there are too many items; it lists all problems.

    Example:
        >>> define = AnswerItem("define", ["q1"], "ready", {"source": "What a node is."})
        >>> validate_answer_batch(["q1"], [define], 4)
        >>> validate_answer_batch(["q1", "q2"], [define], 4)
        Traceback (most recent call last):
            ...
        explainkit.errors.answers.AnswerBatchError: The batch cannot be answered: the input 'q2' ...
    """
    read_batch(input_ids, items, max_items)


def read_batch(input_ids: Any, items: Any, max_items: Any) -> tuple[AnswerItem[Any], ...]:
    """The items of a batch, checked.

    Raises:
        AnswerBatchError: As `validate_answer_batch`.
    """
    problems: list[str] = []
    if type(max_items) is not int or max_items < 1:
        problems.append(f"max_items is {shown(max_items)}, and is to be a whole number from 1")
    inputs = _listed(input_ids, "input_ids", problems)
    given = _listed(items, "items", problems)
    are_lists = inputs is input_ids and given is items
    read = [item for item in (_item(each, at, problems) for at, each in enumerate(given)) if item]
    if type(max_items) is int and 0 < max_items < len(given):
        problems.append(f"there are {len(given):,} items, and at most {max_items:,} are allowed")
    if are_lists:  # else all that follows would be told of what was not given
        problems += _problems(inputs, read)
    if problems:
        raise AnswerBatchError(_message(problems), problems)
    return tuple(read)


def _problems(inputs: Sequence[Any], items: Sequence[AnswerItem[Any]]) -> Iterator[str]:
    for each in inputs:
        if not isinstance(each, str) or not each:
            yield f"the input id {shown(each)} is no text that is not empty"
    known = {each for each in inputs if isinstance(each, str)}
    yield from _twice("input", [each for each in inputs if isinstance(each, str)])
    yield from _twice("item", [item.id for item in items])
    covered: set[str] = set()
    for item in items:
        if not item.id or has_surrogates(item.id):
            yield f"the item id {shown(item.id)} is no text that can be written, or an empty one"
        covered.update(item.input_ids)
        for unknown in dict.fromkeys(each for each in item.input_ids if each not in known):
            yield f"the item {shown(item.id)} names the unknown input {shown(unknown)}"
    for each in dict.fromkeys(each for each in inputs if isinstance(each, str)):
        if each not in covered:
            yield f"the input {shown(each)} has no item"


def _twice(what: str, ids: Iterable[str]) -> Iterator[str]:
    for each, times in Counter(ids).items():
        if times > 1:
            yield f"the {what} id {shown(each)} is there {times:,} times"


def _listed(given: Any, what: str, problems: list[str]) -> Sequence[Any]:
    if isinstance(given, Sequence) and not isinstance(given, str | bytes):
        return given
    problems.append(f"{what} is {shown(given)}, and is to be a list")
    return ()


def _item(given: Any, at: int, problems: list[str]) -> AnswerItem[Any] | None:
    if isinstance(given, AnswerItem):
        return given
    if isinstance(given, Mapping):
        wrong = [f"it has no field {shown(key)}" for key in given if key not in _FIELDS]
        try:
            item = _ITEM.validate_python({key: given[key] for key in given if key in _FIELDS})
        except ValidationError as problem:
            wrong.insert(0, told(problem))
        if not wrong:
            return item
        name = shown(given.get("id", f"number {at + 1}"))
        problems.append(f"the item {name} is no AnswerItem: {shorten('; '.join(wrong), 400)}")
        return None
    problems.append(f"item number {at + 1} is {shown(given)}, and is to be an AnswerItem")
    return None


def _message(problems: Sequence[str]) -> str:
    more = len(problems) - _SAID
    listed = "; ".join(problems[:_SAID]) + (f"; and {more:,} more problems" if more > 0 else "")
    return f"The batch cannot be answered: {listed}"
