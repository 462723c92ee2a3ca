"""Two runs side by side as a person holds them: made by ``ek.diff``."""

import os
from typing import TYPE_CHECKING, Any

from explainkit.session.showing import bundle, guarded, guarded_html

if TYPE_CHECKING:
    import pandas as pd

    from explainkit.backtrack.comparing import (
        AnswerChange,
        Compared,
        ContextChange,
        Divergence,
        FieldChange,
        RecordChange,
    )
    from explainkit.session.records_held import HeldRun


class Diff:
    """How one run differs from another.

    Attributes:
        found: Everything that was found, as plain data.

    Example:
        >>> import explainkit as ek
        >>> @ek.traced("double")
        ... def double(number):
        ...     return ek.context("number", number) * 2
        >>> _, a = double(1), ek.last()
        >>> _, b = double(2), ek.last()
        >>> found = ek.diff(a, b)
        >>> [(each.name, each.how) for each in found.contexts], found.answers[0].after
        ([('number', 'changed')], '4')
    """

    def __init__(self, found: "Compared") -> None:
        """Hold a comparison."""
        self.found = found

    @property
    def divergence(self) -> "Divergence | None":
        """Where the runs part first; None when no link differs."""
        return self.found.divergence

    @property
    def contexts(self) -> tuple["ContextChange", ...]:
        """Context that differs up to there."""
        return self.found.contexts

    @property
    def answers(self) -> tuple["AnswerChange", ...]:
        """Every answer slot in both runs."""
        return self.found.answers

    @property
    def overrides(self) -> tuple["RecordChange", ...]:
        """Overrides that only one run has."""
        return tuple(each for each in self.found.records if each.kind == "override")

    @property
    def verdicts(self) -> tuple["RecordChange", ...]:
        """Verdicts that only one run has."""
        return tuple(each for each in self.found.records if each.kind == "verdict")

    @property
    def fields(self) -> tuple["FieldChange", ...]:
        """What else differs: question, arguments, the error at the end, and parts of records."""
        return self.found.fields

    @property
    def is_same(self) -> bool:
        """Whether nothing that was recorded differs but times, ids and places in code."""
        return self.found.is_same

    def to_frame(self) -> "pd.DataFrame":
        """A row for each link of either run: ``a``, ``b``, ``type``, ``name`` and what is same."""
        import pandas as pd

        columns = ["a", "b", "type", "name", "same_inputs", "same_output"]
        rows = [[getattr(pair, name) for name in columns] for pair in self.found.pairs]
        return pd.DataFrame(rows, columns=columns).astype({"a": "Int64", "b": "Int64"})

    def to_json(self) -> dict[str, Any]:
        """Everything as plain JSON, links that are the same only counted."""
        from dataclasses import asdict

        told = asdict(self.found)
        told["pairs"] = [
            asdict(pair) for pair in self.found.pairs if not (pair.same_inputs and pair.same_output)
        ]
        told["same_links"] = len(self.found.pairs) - len(told["pairs"])
        return told

    def __repr__(self) -> str:
        from explainkit.view.whatif.compared import text_of_comparison

        return guarded(lambda: text_of_comparison(self.found), "<explainkit diff>")

    def _repr_html_(self) -> str:
        from explainkit.view.whatif.compared import html_of_comparison

        return guarded_html(lambda: str(html_of_comparison(self.found)))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


def diff(a: "HeldRun | str | os.PathLike[str]", b: "HeldRun | str | os.PathLike[str]") -> Diff:
    """Hold two runs against each other: where they part, and what else differs.

    Args:
        a: A run or the path of one, such as a good one.
        b: The other.

    Raises:
        ReadError: A file cannot be read.
        TypeError: One is no run and no path.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("one") as run:
        ...     _ = ek.answer("yes")
        >>> ek.diff(run, run).is_same
        True
    """
    from explainkit.backtrack.comparing import compare

    return Diff(compare(_held(a).recording, _held(b).recording))


def _held(given: "HeldRun | str | os.PathLike[str]") -> "HeldRun":
    if isinstance(given, str | os.PathLike):
        from explainkit.session.loading import load

        return load(given)
    inner: Any = getattr(given, "run", None)
    if not hasattr(given, "recording") and hasattr(inner, "recording"):
        return _held(inner)  # of a turn of a chat, or of a what-if
    if not hasattr(given, "recording"):
        raise TypeError(
            f"ek.diff holds two runs against each other; got {given!r:.60}. Give runs, such as "
            "ek.last(), or the paths of saved ones."
        )
    return given
