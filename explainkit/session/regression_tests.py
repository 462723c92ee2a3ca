"""Writes a failing run as a pytest test, with everything recorded in a JSON file beside it."""

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explainkit.errors import RerunError, WriteError
from explainkit.safety import shorten
from explainkit.safety.encoding import encode
from explainkit.whatif.calling_again import imported

if TYPE_CHECKING:
    from explainkit.session.asking import AskedRun

FORMAT = 1

_TEST = '''\
"""A run answered wrong once; this runs it again with its recorded calls.

Calls whose code and inputs are the recorded ones are given their recorded results, the others
run. What was recorded is in the JSON file beside this one. Written by explainkit; yours to edit.
"""

from explainkit.testing import RecordedFault

FAULT = RecordedFault.beside(__file__)


def {name}():
    again = FAULT.run_again()
    assert not FAULT.is_back(again), FAULT.words(again)
'''


def write_test(
    run: "AskedRun",
    path: str | os.PathLike[str],
    *,
    span: Any = None,
    slot: str = "answer",
    expect: Any = None,
    overwrite: bool = False,
) -> Path:
    """Write the test and its JSON file.

    Args:
        run: The run that answered wrong.
        path: A file name such as ``tests/test_claim.py``.
        span: The wrong words of the answer; the whole answer when not given.
        slot: Which answer.
        expect: The right answer, when it is known.
        overwrite: Replace files that are there.

    Returns:
        The path of the test.

    Raises:
        RerunError: The run was not made by an importable function.
        WriteError: A file is there, or cannot be written.
    """
    place = Path(path)
    if place.suffix != ".py":
        raise WriteError(f"{place} is no test file: its name ends in .py, such as test_claim.py.")
    if not (place.stem.startswith("test_") or place.stem.endswith("_test")):
        raise WriteError(
            f"pytest does not collect {place.name!r:.80} by itself. Begin the name with test_, "
            f"such as test_{place.name:.60}."
        )
    told = _told(run, span=span, slot=slot, expect=expect)
    data = place.with_suffix(".json")
    for each in (place, data):
        if each.exists() and not overwrite:
            raise WriteError(f"{each} is there. Choose another name, or give overwrite=True.")
    stem = re.sub(r"\W+", "_", place.stem, flags=re.ASCII).strip("_").lower() or "run"
    name = stem if stem.startswith("test_") else f"test_{stem}"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        data.write_text(json.dumps(told, indent=1, ensure_ascii=True) + "\n", "utf-8")
        place.write_text(_TEST.format(name=f"{name}_answers_right"), "utf-8")
    except OSError as error:
        raise WriteError(f"{place} cannot be written: {error}. Choose another folder.") from error
    return place


def _told(run: "AskedRun", *, span: Any, slot: str, expect: Any) -> dict[str, Any]:
    recording = run.recording
    started = next(recording.rows("run_started"), {})
    path = str(started.get("callable") or "")
    if not path and started.get("source"):
        raise RerunError(
            f"The run {shorten(recording.name, 60)!r} cannot become a test: another tool recorded "
            "it, and no function is known that makes it. Record the function with @ek.traced, or "
            "use run.whatif(model=...) to ask its last model call again."
        )
    if not path or path.startswith("__main__:") or imported(path) is None:
        where = f"{path!r:.80} cannot be imported by a test" if path else "it was a block"
        raise RerunError(
            f"The run {shorten(recording.name, 60)!r} cannot become a test: {where}. Put what ran "
            "into a function of a module, decorate it with @ek.traced, and record it there."
        )
    lines = b"".join(recording.lines()).decode("utf-8").splitlines()
    told: dict[str, Any] = {"format": FORMAT, "callable": path, "slot": slot, "records": lines}
    back = run.backtrack(span=span, slot=slot) if span is not None else None
    if back is not None and back.span is not None:
        told["span"] = list(back.span)
    if expect is not None:
        told["expected"] = json.loads(encode(expect).data)
    reasons = [
        str(row["reason"])
        for row in recording.rows("verdict")
        if row.get("status") == "failed" and row.get("reason") and row.get("slot") == slot
    ]
    if reasons:
        told["reason"] = reasons[-1]
    return told
