"""What code can share: how it is told apart, what it is called, and whether it outlives a run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, Final, NamedTuple

from explainkit.whatif.shared_state.kinds_of_values import own_bases

EVERY: Final = "*"
"""All attributes of an object."""


class Key(NamedTuple):
    """Something outside of a call that can hold content.

    Attributes:
        kind: name, object, part (of objects of a class, or of a function), cell, files or process.
        owner: Whose it is.
        name: What it is called there.
    """

    kind: str
    owner: object
    name: str


class Bound(NamedTuple):
    """What a name of a closure stands for: where it is told apart, and its value if there is."""

    key: Key
    value: Any


Cells = Mapping[str, Bound]


class Scope(NamedTuple):
    """Where the global names of code stand.

    Attributes:
        names: Their values.
        owner: What tells the scope apart.
        module: Its name.
    """

    names: Mapping[str, Any]
    owner: object
    module: str


@dataclass(eq=False)
class Nested:
    """A function that other code defines, known by its code only.

    Attributes:
        code: The code.
        cells: What the names of its closure stand for.
        scope: Where its global names stand.
        defaults: Stands for the defaults of its parameters, where it has some.
    """

    code: CodeType
    cells: Cells
    scope: Scope
    defaults: Key | None = None


@dataclass(frozen=True, eq=False)
class Place:
    """Code that is looked into.

    Attributes:
        code: The code.
        cells: What the names of its closure stand for.
        scope: Where its global names stand.
        owner: The class that it is a method of.
        inner: The object that it is a method of is made in the unit, and seen by nobody else.
        given: What its parameters stand for, as far as that is known.
    """

    code: CodeType
    cells: Cells
    scope: Scope
    owner: type | None = None
    inner: bool = False
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Known:
    """What all units of a run have in common.

    Attributes:
        links: Hashes of the code of recorded links: each is a unit of its own.
        words: What each thing is called in messages.
        lasting: Things that outlive a run.
        classes: Classes of which an object outlives a run, as they stand in keys.
        copied: What each re-run has a copy of, as long as no link reads the thing itself.
        nested: Links that are defined inside of other code, by the hash of their code.
        handed_on: Objects of classes of the user's that the code around the links gives away.
    """

    links: frozenset[str]
    words: dict[Key, str] = field(default_factory=dict)
    lasting: set[Key] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    copied: set[Key] = field(default_factory=set)
    nested: dict[str, Nested] = field(default_factory=dict)
    handed_on: list[Any] = field(default_factory=list)

    def outlive(self, values: Iterable[Any]) -> None:
        """Keep that objects of classes of the user's outlive a run."""
        for value in values:
            self.classes.update(own_bases(type(value)))

    def outlives(self, key: Key) -> bool:
        """Whether something is there before a run, and after it."""
        return key in self.lasting or (key.kind == "part" and key.owner in self.classes)
