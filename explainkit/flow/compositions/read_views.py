"""What a predicate is given, so that the record can say which values it read."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import Any

from explainkit.safety.pointers import token


class Reads:
    """Notes places inside a value, as JSON Pointers."""

    def __init__(self) -> None:
        self._read: dict[str, None] = {}
        self._passed: dict[str, None] = {}

    def read(self, pointer: str) -> None:
        """All that is at a place was read."""
        self._read[pointer] = None

    def passed(self, pointer: str) -> None:
        """A mapping was handed out; what of it is read is noted by itself."""
        self._passed[pointer] = None

    def pointers(self) -> list[str]:
        """The places, each once, in the order in which they were read."""
        led_on = [*self._read, *self._passed]
        ends = {
            each: None
            for each in self._passed
            if not any(other.startswith(f"{each}/") or other == each for other in self._read)
            and not any(other.startswith(f"{each}/") for other in led_on)
        }
        return [*self._read, *ends]


class ReadView(Mapping[Any, Any]):
    """A plain mapping that notes what is read of it, and cannot be changed.

    It says that it is a `dict`, so a predicate that asks decides as it would without it.
    """

    def __init__(self, value: dict[Any, Any], reads: Reads, pointer: str = "") -> None:
        self._value = value
        self._reads = reads
        self._pointer = pointer

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return dict

    def __getitem__(self, key: Any) -> Any:
        if type(key) is not str or key not in self._value:
            self._reads.read(self._pointer)  # what is not there is seen from all of it
            return self._value[key]
        pointer, found = f"{self._pointer}/{token(key)}", self._value[key]
        if type(found) is dict:
            self._reads.passed(pointer)
            return ReadView(found, self._reads, pointer)
        self._reads.read(pointer)
        return found

    def __contains__(self, key: object) -> bool:
        there = key in self._value
        if there and type(key) is str:
            self._reads.read(f"{self._pointer}/{token(key)}")
        else:
            self._reads.read(self._pointer)
        return there

    def get(self, key: Any, default: Any = None) -> Any:
        """As a `dict`."""
        try:
            return self[key]
        except KeyError:
            return default

    def _whole(self) -> dict[Any, Any]:
        self._reads.read(self._pointer)
        return self._value

    def __iter__(self) -> Iterator[Any]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def keys(self) -> KeysView[Any]:
        """As a `dict`."""
        return self._whole().keys()

    def values(self) -> ValuesView[Any]:
        """As a `dict`."""
        return self._whole().values()

    def items(self) -> ItemsView[Any, Any]:
        """As a `dict`."""
        return self._whole().items()

    def __eq__(self, other: object) -> bool:
        theirs = other._whole() if type(other) is ReadView else other
        return bool(self._whole() == theirs)

    __hash__ = None  # type: ignore[assignment]  # as a dict

    def copy(self) -> dict[Any, Any]:
        """As a `dict`."""
        return self._whole().copy()

    def __or__(self, other: Any) -> dict[Any, Any]:
        return {**self._whole(), **other}

    def __ror__(self, other: Any) -> dict[Any, Any]:
        return {**other, **self._whole()}

    def __repr__(self) -> str:
        return repr(self._whole())


def viewed(value: Any) -> tuple[Any, Reads]:
    """A value to give to a predicate, and the notes of what is read of it.

    Only a plain `dict` is looked into; of anything else all counts as read.
    """
    reads = Reads()
    if type(value) is dict:
        return ReadView(value, reads), reads
    reads.read("")
    return value, reads


def occurrences(
    reads: Reads, places: Sequence[dict[str, Any]], known: Sequence[dict[str, Any]] = ()
) -> list[dict[str, Any]]:
    """What was read, as occurrences of the value.

    Args:
        reads: The notes.
        places: Where the value stands in the record.
        known: Occurrences that are listed already.
    """
    found = [*known]
    for place in places:
        for pointer in reads.pointers():
            each = {**place, "path": pointer} if pointer else dict(place)
            if each not in found:
                found.append(each)
    return found
