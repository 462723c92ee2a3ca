"""Writes a failing run as a pytest test, with everything recorded in a JSON file beside it."""

import inspect
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explainkit.errors import RerunError, UnknownRecordError, WriteError
from explainkit.flow.checks import UNSET
from explainkit.flow.runners import Runner
from explainkit.safety import shorten
from explainkit.safety.encoding import decode, encode
from explainkit.tracing.own_runs import Again
from explainkit.whatif.calling_again import fitted
from explainkit.whatif.judging import End, recorded_end
from explainkit.whatif.judging.judges import SpanJudge
from explainkit.whatif.judging.same_answers import is_same
from explainkit.whatif.named_functions import (
    function_at,
    is_importable_name,
    is_traced_function,
    why_missing,
)
from explainkit.whatif.named_runners import path_of, require_runnable, runner_of

if TYPE_CHECKING:
    from explainkit.session.asking import AskedRun
    from explainkit.store import Recording

FORMAT = 2

_TEST = '''\
"""A run answered wrong once; this runs it again with its recorded calls.

Calls whose code and inputs are the recorded ones are given their recorded results, the others
run. What was recorded is in the JSON file beside this one. Written by explainkit; yours to edit.
"""

from explainkit.testing import RecordedFault

import {module}

FAULT = RecordedFault.beside(__file__)


def {name}():
    FAULT.assert_mended({module}.{qualname})
'''


def write_test(
    run: "AskedRun",
    path: str | os.PathLike[str],
    *,
    span: Any = None,
    slot: str = "answer",
    expect: Any = UNSET,
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
        RerunError: The run was not made by an importable function or runner, or its own answer
            would pass.
        UnknownRecordError: There is no such answer.
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
    module, _, qualname = told["callable"].partition(":")
    stem = re.sub(r"\W+", "_", place.stem, flags=re.ASCII).strip("_").lower() or "run"
    name = stem if stem.startswith("test_") else f"test_{stem}"
    code = _TEST.format(name=f"{name}_answers_right", module=module, qualname=qualname)
    _write(place, code, json.dumps(told, indent=1, ensure_ascii=True) + "\n", overwrite=overwrite)
    return place


def _write(place: Path, code: str, data: str, *, overwrite: bool) -> None:
    beside = place.with_suffix(".json")
    try:
        for each in (place, beside):
            if each.exists() and not overwrite:
                raise WriteError(f"{each} is there. Choose another name, or give overwrite=True.")
        place.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(data, "utf-8")
        place.write_text(code, "utf-8")
    except WriteError:
        raise
    except OSError as error:
        raise WriteError(f"{place} cannot be written: {error}. Choose another folder.") from error


def _told(run: "AskedRun", *, span: Any, slot: str, expect: Any) -> dict[str, Any]:
    recording = run.recording
    path = _callable_of(run)
    lines = b"".join(recording.lines()).decode("utf-8").splitlines()
    told: dict[str, Any] = {"format": FORMAT, "callable": path, "slot": slot, "records": lines}
    end = recorded_end(recording, slot=slot)
    if slot != "answer" and not end.answered:
        raise UnknownRecordError(f"The run has no answer in the slot {slot!r:.60}. Give another.")
    if span is not None:
        told["span"] = _words_told(run, end, span, slot)
    if expect is not UNSET:
        told["expected"] = _expected_told(end, expect)
    reasons = [
        str(row["reason"])
        for row in recording.rows("verdict")
        if row.get("status") == "failed" and row.get("reason") and row.get("slot") == slot
    ]
    if reasons:
        told["reason"] = reasons[-1]
    return told


def _words_told(run: "AskedRun", end: End, span: Any, slot: str) -> dict[str, Any]:
    back = run.backtrack(span=span, slot=slot)
    start, stop = back.span or (0, len(back.answer))
    words = back.answer[start:stop]
    if SpanJudge(words, back.answer, start).flips(end):
        raise RerunError(
            f"A test of the words {shorten(words, 60)!r} would pass at once: they are not found "
            "in the recorded answer itself. Select others, or give expect=."
        )
    return {"within": back.answer, "start": start, "end": stop}


def _expected_told(end: End, expect: Any) -> Any:
    encoded = encode(expect)
    if encoded.fidelity != "exact":
        raise RerunError(
            f"expect={shorten(repr(expect), 60)} cannot be kept in a file whole, so no answer "
            "would equal it. Give plain data, such as a text, or span= with the wrong words."
        )
    if end.answered and is_same(decode(encoded.data), end.compared):
        raise RerunError("expect= is the answer that was recorded. Give the right one.")
    return json.loads(encoded.data)


def _callable_of(run: "AskedRun") -> str:
    """Where the function is that a test calls; only one that this process has, and that is traced.

    Raises:
        RerunError: There is none; the message says why.
    """
    recording = run.recording
    started = next(recording.rows("run_started"), {})
    path = str(started.get("callable") or "")
    refused = f"The run {shorten(recording.name, 60)!r} cannot become a test: "
    put = (
        "Put what ran into a function of a module, decorate it with @ek.traced, and record it "
        "there."
    )
    if started.get("origin"):
        raise RerunError(f"{refused}it is the re-run of a what-if. Ask the run that it varies.")
    if not path and started.get("source"):
        raise RerunError(
            f"{refused}another tool recorded it, and no function is known that makes it. Record "
            "the function with @ek.traced, or use run.whatif(model=...) to ask its last model "
            "call again."
        )
    runner = runner_of(run.again)
    if runner is not None and run.again is not None:
        return _runner_of(run, runner, run.again, refused)
    if not path:
        raise RerunError(f"{refused}it was {_what_it_was(run)}. {put}")
    module, _, qualname = path.partition(":")
    if module == "__main__":
        raise RerunError(f"{refused}{path!r:.80} stands in a notebook or script. {put}")
    fn = function_at(path)
    if fn is None:
        raise RerunError(f"{refused}{path!r:.80} {why_missing(path)}.")
    if not is_traced_function(fn):
        # The test would call it, with arguments that a file of somebody else may have named.
        raise RerunError(f"{refused}{path!r:.80} is not decorated with @ek.traced here. {put}")
    if not is_importable_name(f"{module}.{qualname}"):
        raise RerunError(f"{refused}{path!r:.80} has a name that no import can say. {put}")
    fitted(recording, inspect.unwrap(fn), path, advice=f"No test can make it. {put}")
    return path


def _runner_of(run: "AskedRun", runner: Runner, again: Again, refused: str) -> str:
    """Where a runner stands that a test runs again."""
    recording, path = run.recording, path_of(runner)
    if path is None:
        raise RerunError(
            f"{refused}it was {_kind_of(recording)}, which no test can import by its name: no "
            "module that is imported holds it. Give it a name in a module, and run it from there; "
            "or put what ran into a function of a module, decorate it with @ek.traced, and record "
            "it there."
        )
    try:
        require_runnable(recording, again)
    except RerunError as problem:
        raise RerunError(f"{refused}{problem}") from problem
    return path


def _what_it_was(run: "AskedRun") -> str:
    outermost = [r for r in run.recording.rows("link_opened") if r.get("parent") is None]
    one = outermost[0] if len(outermost) == 1 else {}
    if run.again is None and one.get("name") != run.recording.name:
        return "a block"
    return f"{_kind_of(run.recording)} of another process, or one that is gone"


def _kind_of(recording: "Recording") -> str:
    """What a runner is in the record."""
    one = next((r for r in recording.rows("link_opened") if r.get("parent") is None), {})
    kind = shorten(str(one.get("type") or ""), 40)
    return f"a runner{f' ({kind})' if kind else ''}"
