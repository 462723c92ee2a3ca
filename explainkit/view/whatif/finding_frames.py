"""What was measured on a run as a table, each with the word that it has beside all the others."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from explainkit.safety import formula_safe, visible
from explainkit.view.whatif.named_changes import change_named
from explainkit.whatif.families import families_of, judgements_in
from explainkit.whatif.statistics import Judgement

if TYPE_CHECKING:
    import pandas as pd

    from explainkit.store import Recording

FINDINGS: dict[str, str] = {
    "seq": "Int64", "word": "object", "changed": "object", "slot": "object", "version": "Int64",
    "judge": "object", "n": "Int64", "flips": "Int64", "flips_of": "Int64", "baseline": "Int64",
    "baseline_of": "Int64", "low": "Float64", "high": "Float64", "p": "Float64",
    "reason": "object",
}  # fmt: skip
"""Columns and their types. `word` counts with the whole family as it is now, and `reason` says
which word it was when it was measured, where that was another one; `flips` and `baseline` are flips
with the change and without it, each of as many re-runs as `flips_of` and `baseline_of` say (`n` is
the smaller of both), `low` and `high` Wilson's 95 % interval of the first, `p` is adjusted for the
family."""


def findings(recording: "Recording") -> "pd.DataFrame":
    """The findings of a run (columns: ``FINDINGS``).

    Args:
        recording: The run with its notes.

    Returns:
        In the order in which they were found; a change that was asked again stands once, with
        all of its outcomes.
    """
    import pandas as pd

    judged = judgements_of(recording)
    told = list(recording.rows("finding"))
    over = {continued_by(row) for row in told}
    rows = [_row(recording, row, judged.get(row["seq"])) for row in told if row["seq"] not in over]
    columns = {
        name: pd.Series([row.get(name) for row in rows], dtype=kind)
        for name, kind in FINDINGS.items()
    }
    return pd.DataFrame(columns)


def judgements_of(recording: "Recording") -> dict[int, Judgement]:
    """What may be said now of each measured change, by its finding.

    Args:
        recording: The run with its notes.
    """
    found: dict[int, Judgement] = {}
    for family in families_of(recording):
        found |= judgements_in(recording, family)
    return found


def continued_by(row: Mapping[str, Any]) -> int | None:
    """The earlier finding whose re-runs a finding holds as well.

    Args:
        row: The finding.
    """
    detail = row.get("detail")
    return detail.get("continues") if isinstance(detail, Mapping) else None


def change_words(recording: "Recording", row: Mapping[str, Any]) -> str:
    """What was changed, as a person reads it; empty for a bisection.

    Args:
        recording: The run that was varied.
        row: The finding.
    """
    asked = row.get("interventions") or ()
    return "; ".join(change_named(recording, each) for each in asked)


def _row(
    recording: "Recording", row: Mapping[str, Any], judged: Judgement | None
) -> dict[str, Any]:
    detail = row.get("detail")
    family = detail.get("family") if isinstance(detail, Mapping) else None
    place = family if isinstance(family, Mapping) else {}
    told: dict[str, Any] = {
        "seq": row["seq"],
        "word": row.get("word") if judged is None else judged.word,
        "changed": _text(change_words(recording, row) or None),
        "slot": _text(place.get("slot")),
        "version": place.get("version"),
        "judge": _text(place.get("judge")),
        "n": row.get("n"),
        "reason": _text(row.get("reason")),
    }
    if judged is None:
        return told
    low, high = judged.interval if judged.has_rates else (None, None)
    told |= {"n": judged.n, "flips": judged.changed.flips, "flips_of": judged.changed.n}
    told |= {"baseline": judged.unchanged.flips, "baseline_of": judged.unchanged.n}
    told |= {"low": low, "high": high}
    parts = [] if row.get("word") == judged.word else [f"{row.get('word')} when it was measured"]
    parts += [judged.reason] if judged.reason else []
    return told | {"p": judged.adjusted_p, "reason": _text("; ".join(parts) or None)}


def _text(text: Any) -> str | None:
    return None if text is None else formula_safe(visible(str(text)))
