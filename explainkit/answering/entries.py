"""Entries by id: what every catalog has in common, and how it tells what is wrong with one."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from inspect import isroutine
from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from pydantic import Field, ValidationError

from explainkit.errors import AnswerFlowError, UnknownRecordError
from explainkit.flow.checks import CheckResult
from explainkit.safety import shorten
from explainkit.safety.described import repr_of, without_addresses

Entry = TypeVar("Entry")
Name: TypeAlias = Annotated[str, Field(min_length=1)]
_MOST_LISTED = 300


class Catalog(Generic[Entry]):
    """Entries in the order in which they were given, each with an id of its own.

    Args:
        what: The word for an entry in messages.
        entries: The entries.

    Raises:
        AnswerFlowError: Two entries have one id.
    """

    def __init__(self, what: str, entries: Iterable[Entry]) -> None:
        self._what = what
        self._entries: dict[str, Entry] = {}
        doubled: list[str] = []
        for entry in entries:
            if id_of(entry) in self._entries:
                doubled.append(id_of(entry))
            self._entries[id_of(entry)] = entry
        if doubled:
            raise AnswerFlowError(
                f"{listed(dict.fromkeys(doubled))}: given more than once as the id of a {what}. "
                "Give each its own id."
            )

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, in order."""
        return tuple(self._entries)

    def require(self, id: str) -> Entry:  # noqa: A002 - the word of every entry
        """The entry of an id.

        Raises:
            UnknownRecordError: There is none.
        """
        self.require_all([id])
        return self._entries[id]

    def require_all(self, ids: Iterable[str]) -> list[Entry]:
        """The entries of some ids, in the order asked.

        Raises:
            UnknownRecordError: Some are unknown; the message names all of them.
        """
        wanted = list(ids)
        unknown = [each for each in wanted if each not in self]
        if unknown:
            raise UnknownRecordError(
                f"{listed(unknown)}: no {self._what} has this id. "
                f"Known are: {listed(self._entries) or 'none'}."
            )
        return [self._entries[each] for each in wanted]

    def __contains__(self, id: object) -> bool:  # noqa: A002
        return isinstance(id, str) and id in self._entries

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({listed(self._entries)})"


def entries_of(kind: type[Entry], what: str, given: Iterable[Any]) -> list[Entry]:
    """What a catalog is made of.

    Args:
        kind: The dataclass of an entry.
        what: The word for an entry in messages.
        given: Entries, mappings of the same fields, or objects that have them as attributes.

    Raises:
        AnswerFlowError: Something is none of these.
    """
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise AnswerFlowError(f"{shown(given)} is no list of {what}s. Give a list.")
    return [_entry(kind, what, each) for each in given]


def listed(ids: Iterable[Any]) -> str:
    """Ids in a message."""
    return shorten(", ".join(shown(each) for each in ids), _MOST_LISTED)


def shown(value: Any) -> str:
    """A value in a message."""
    return shorten(repr_of(value, limit=400).text, 80)


def id_of(entry: Any) -> str:
    """The id of an entry."""
    found: str = entry.id
    return found


def _entry(kind: type[Entry], what: str, given: Any) -> Entry:
    if isinstance(given, kind):
        return given
    names = [each.name for each in fields(kind)]  # type: ignore[arg-type]
    if isinstance(given, Mapping):
        unknown = [key for key in given if key not in names]
        if unknown:
            raise AnswerFlowError(
                f"A {what} has no {listed(unknown)}. Its fields are: {', '.join(names)}."
            )
        found = dict(given)
    else:
        found = {name: getattr(given, name) for name in names if hasattr(given, name)}
    try:
        return kind(**found)
    except ValidationError as problem:
        hint = ""
        if isroutine(given):
            hint = f" Call it, if it makes a {what}; else give it in a {kind.__name__}."
        raise AnswerFlowError(f"{shown(given)} is no {what}: {told(problem)}.{hint}") from problem


def same_in_every_run(result: CheckResult) -> CheckResult:
    """A result whose issues tell no memory address, which would differ from run to run."""
    issues = tuple(replace(each, message=without_addresses(each.message)) for each in result.issues)
    return result if issues == tuple(result.issues) else replace(result, issues=issues)


def told(problem: ValidationError) -> str:
    """What a validation found, in one line and without the values."""
    found = [
        f"{'.'.join(map(str, each['loc'])) or 'the whole'}: {each['msg']}"
        for each in problem.errors(include_url=False, include_input=False)
    ]
    return shorten("; ".join(found), 400)
