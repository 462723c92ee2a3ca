"""Three patterns from the same parts: a vote, a map with a reduction, and a router."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from explainkit.errors import CompositionError
from explainkit.flow.compositions.map_reductions import MapReduction
from explainkit.flow.compositions.naming import label_or, shown
from explainkit.flow.compositions.parallels import Parallel
from explainkit.flow.compositions.routers import Router
from explainkit.safety.encoding import encode


def self_consistency(
    runner: Any, *, votes: int = 5, key: Callable[[Any], Any] | None = None, name: str | None = None
) -> Parallel:
    """Asks one runner several times at once and gives the answer that most of them gave.

    Args:
        runner: A runner, a function of one input, or an object with `run(input)`.
        votes: How often, at least 2.
        key: What two equal answers have in common, hashable; their recorded content otherwise.
        name: Its word in paths and records.

    Returns:
        A strict `Parallel`; of equal numbers the answer that came first in order wins.

    Raises:
        CompositionError: There are fewer than two votes.

    Example:
        >>> self_consistency(lambda question: "4", votes=3).run_sync("2 + 2?")
        '4'
    """
    label = label_or(name, "self_consistency")
    if type(votes) is not int or votes < 2:
        raise CompositionError(f"{label}(votes={shown(votes)}): give a number from 2.")

    def most(answers: dict[str, Any]) -> Any:
        keys = [encode(each).data if key is None else key(each) for each in answers.values()]
        winner = Counter(keys).most_common(1)[0][0]
        return list(answers.values())[keys.index(winner)]

    return Parallel({str(n): runner for n in range(1, votes + 1)}, merge=most, name=label)


def map_reduce(
    each: Any,
    reduce: Any,
    *,
    name: str | None = None,
    on_exhausted: Callable[[Any], Any] | None = None,
) -> MapReduction:
    """Runs one runner for each item of a list at once, and reduces the list of their answers.

    It fails, waits and goes on as a strict `Parallel` whose branches are called `1`, `2`, ...

    Args:
        each: What runs for an item.
        reduce: What makes the answer of the answers, a list in the order of the items.
        name: Its word in paths and records.
        on_exhausted: Gives the answer of a branch that used up its budget, from its last value.

    Example:
        >>> map_reduce(len, sum).run_sync(["two", "words"])
        8
    """
    return MapReduction(label_or(name, "map_reduce"), each, reduce, on_exhausted)


def router(
    choose: Any,
    routes: Any,
    *,
    default: Any = None,
    name: str | None = None,
    on_exhausted: Callable[[Any], Any] | None = None,
) -> Router:
    """Gives its input to the route whose name a runner answers.

    Args:
        choose: Answers the name of a route, for example an Agent that classifies.
        routes: What runs, by name.
        default: What runs when the answer names no route; without it that is an `UndecidedError`.
        name: Its word in paths and records.
        on_exhausted: Gives the answer of a child that used up its budget, from its last value.

    Raises:
        CompositionError: There is no route, or one cannot be run.

    Example:
        >>> size = router(lambda n: "many" if n > 3 else "few", {"many": str, "few": float})
        >>> size.run_sync(7)
        '7'
    """
    return Router(label_or(name, "router"), choose, routes, default, on_exhausted)
