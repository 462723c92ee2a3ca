"""Whose a recorded value is in a block that is told again: records name values, not givers."""

from dataclasses import dataclass, field
from typing import Any, Final

from explainkit.errors import InterventionError
from explainkit.safety import shorten

FUNCTION: Final = "Put the block into a function with @ek.traced"
"""What to do where the record of a block does not say enough."""


@dataclass(frozen=True, slots=True)
class Giver:
    """Who gave a value.

    Attributes:
        name: Who, for a person.
        now: What it gives this time.
    """

    name: str
    now: Any


@dataclass
class Givers:
    """Who gave which value, by its digest, in order."""

    _known: dict[str, list[Giver]] = field(default_factory=dict)

    def add(self, digest: str, name: str, now: Any) -> None:
        """Somebody gives a value."""
        self._known.setdefault(digest, []).append(Giver(name, now))

    def know(self, digest: str) -> bool:
        """Whether anybody gave it."""
        return digest in self._known

    def now(self, digest: str) -> Any:
        """What stands in the place of a recorded value this time.

        Raises:
            InterventionError: Several gave the same, and give different things now.
        """
        found = self._known[digest]
        if not all(_is_alike(each.now, found[0].now) for each in found[1:]):
            names = " and ".join(dict.fromkeys(shorten(each.name, 60) for each in found[:4]))
            raise InterventionError(
                f"{names} held the same, and it is not on record whose value was used. {FUNCTION}"
            )
        return found[0].now


def _is_alike(a: Any, b: Any) -> bool:
    try:
        return a is b or (type(a) is type(b) and bool(a == b))
    except Exception:  # noqa: BLE001 - values of a user may compare in any way
        return False
