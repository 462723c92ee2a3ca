"""Finds how a recorded run is called again, or says what to give so that it can be."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from explainkit.errors import RerunError
from explainkit.flow.driving.repeating import Arrival
from explainkit.safety import shorten
from explainkit.tracing.own_runs import Again
from explainkit.tracing.spec import code_hash
from explainkit.whatif.named_functions import function_at, is_traced_function, why_missing
from explainkit.whatif.rerunning import CalledEntry, CellEntry, Entry
from explainkit.whatif.retelling import retold

if TYPE_CHECKING:
    from explainkit.store import Recording

_SHOW_TRACED = (
    "Put what ran into a function:\n"
    "    @ek.traced({name!r})\n"
    "    def run_it(question): ...\n"
    "    run_it(...)\n"
    "or give run.whatif(call=...) a function that runs it again."
)


def entry_of(
    recording: "Recording",
    *,
    again: Again | None = None,
    call: Callable[..., Any] | None = None,
    cell: Any = None,
    model: Any = None,
    changes: Mapping[int, Callable[[Any], Any]] | None = None,
) -> Entry:
    """How a run is called again.

    Args:
        recording: The run.
        again: What this process knows of how it was made.
        call: A function of the user's that makes it again: it is given the recorded arguments that
            takes by name, or the question when it takes one argument, or nothing.
        cell: The notebook cell that it recorded, with `rerun` and `is_async`.
        model: What is asked in the place of a model that another tool recorded.
        changes: Functions of its overrides, by their record.

    Raises:
        RerunError: It cannot be; the message says what to give.
    """
    if call is not None:
        return _given(recording, call)
    started = next(recording.rows("run_started"), {})
    if started.get("origin"):
        raise RerunError(
            f"The run {recording.name!r:.60} is itself the re-run of a what-if. Ask the run "
            "that it varies, with both changes, such as remove=[first, second]."
        )
    if model is None and again is not None:
        return _known(recording, again)
    if model is None and started.get("callable"):
        return entry_by_path(recording, str(started["callable"]))
    if cell is not None:
        return CellEntry(cell, recording.name)
    imported_from = started.get("source")
    if imported_from and model is None:
        raise RerunError(
            f"The run {recording.name!r:.60} was recorded by another tool. Give run.whatif(model=) "
            "a model, or a function of the messages, which is asked instead of its last one."
        )
    try:
        return retold(recording, changes=changes or {}, model=model)
    except RerunError as problem:
        raise RerunError(_why_not_told(recording, problem, again=again)) from problem


def _why_not_told(recording: "Recording", problem: RerunError, *, again: Again | None) -> str:
    """Why the steps of a run cannot be told again, by what the run was."""
    why, started = str(problem).rstrip("."), next(recording.rows("run_started"), {})
    if started.get("callable") or again is not None:
        return (
            f"The last model call of {recording.name!r:.60} cannot be asked of another model: "
            f"{why}. Leave model= out, and what made the run is called again as it is."
        )
    if started.get("source"):
        return (
            f"The last model call of {recording.name!r:.60}, which another tool recorded, "
            f"cannot be asked again: {why}."
        )
    return (
        f"The run {recording.name!r:.60} cannot be run again: it was a block, not a function, "
        f"and {why}. " + _SHOW_TRACED.format(name=shorten(recording.name, 40))
    )


def _given(recording: "Recording", call: Callable[..., Any]) -> Entry:
    if not callable(call):
        raise RerunError(f"call= takes a function that makes the run again; got {call!r:.60}.")
    known = recorded_arguments(recording)
    name = recording.name
    try:
        parameters = inspect.signature(call).parameters.values()
    except (TypeError, ValueError):
        return CalledEntry(call, name=name, opens=True)
    taken = {each.name: known[each.name] for each in parameters if each.name in known}
    needed = [
        each
        for each in parameters
        if each.default is each.empty
        and each.name not in taken
        and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    if not needed:
        own, takes = frozenset(taken), {each: each for each in taken}
        return CalledEntry(call, kwargs=taken, name=name, own=own, opens=True, takes=takes)
    question = _question(recording)
    if len(needed) == 1 and not taken and question is not None:
        return CalledEntry(call, args=(question,), name=name, opens=True)
    raise RerunError(
        f"call={getattr(call, '__name__', call)!s:.60} needs {needed[0].name!r:.60}, which is no "
        f"recorded argument. Recorded are: {', '.join(known) or 'none'}. Give a function without "
        "arguments, such as call=lambda: claim(question, client)."
    )


def _known(recording: "Recording", again: Again) -> Entry:
    """A function of this process; recorded values take the place of what may have changed."""
    name, settings = recording.name, again.settings
    exact = recorded_arguments(recording) or _recorded_input(recording, again)
    try:
        bound = inspect.signature(again.fn).bind(*again.args, **again.kwargs)
    except (TypeError, ValueError):
        return CalledEntry(again.fn, again.args, again.kwargs, name, settings)
    for slot, given in bound.arguments.items():
        if slot in exact:
            bound.arguments[slot] = exact[slot]
        elif isinstance(given, Iterator):
            raise RerunError(
                f"The argument {slot!r:.60} was read to its end by the run, so the run cannot be "
                "made again with it. Give a list instead, or run.whatif(call=lambda: ...) with a "
                "new one."
            )
    fn, args, own = again.fn, bound.args, frozenset(exact)
    if again.told is not None:
        fn, args = again.told, (*bound.args, arrivals_of(recording))
    takes = _taken(recording, fn)
    if again.args and again.args[0] is None and "input" in takes and bound.kwargs:
        takes = {each: each for each in bound.kwargs}  # it was given by names
    return CalledEntry(fn, args, bound.kwargs, name, settings, own, takes=takes)


def _taken(recording: "Recording", fn: Callable[..., Any]) -> dict[str, str]:
    """What can be given otherwise, by its recorded name: of a runner, its input."""
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = inspect.signature(fn).parameters.values()
    names = [each.name for each in parameters if each.kind not in variable]
    started = next(recording.rows("run_started"), {})
    return {each: each for each in names} if started.get("callable") else {"input": names[0]}


def _recorded_input(recording: "Recording", again: Again) -> dict[str, Any]:
    """The input of a runner, where its own link keeps it whole and as it was given."""
    opened = next((r for r in recording.rows("link_opened") if r.get("parent") is None), {})
    inputs = list(opened.get("inputs") or ())
    if len(again.args) != 1 or [each.get("slot") for each in inputs] != ["input"]:
        return {}
    digest = inputs[0]["value"]
    if recording.values.fidelity(digest) != "exact":
        return {}
    value = recording.values.object(digest)
    return {"input": value} if type(value) is type(again.args[0]) else {}


def entry_by_path(
    recording: "Recording", path: str, *, settings: Mapping[str, Any] | None = None
) -> Entry:
    """A function that is imported, with the recorded arguments.

    Args:
        recording: The run.
        path: Where the function is, as `module:qualname`.
        settings: Settings of the runs that it makes.

    Raises:
        RerunError: It is not there, its code has changed, or an argument was not recorded whole.
    """
    started = next(recording.rows("run_started"), {})
    fn = function_at(path)
    if fn is not None and path != started.get("callable"):
        return _given(recording, inspect.unwrap(fn))
    if fn is None:
        raise RerunError(
            f"{path!r:.80}, which made this run, {why_missing(path)}, or give "
            "run.whatif(call=...) a function that makes the run again."
        )
    recorded = started.get("code")
    if recorded is not None and code_hash(fn) != recorded:
        raise RerunError(
            f"The code of {path!r:.80} has changed since the run was recorded, so its re-runs "
            "would show something else. Record a new run, or give call= what shall run."
        )
    if not is_traced_function(fn):
        # A record is no reason to call just anything: only what was made to be traced.
        raise RerunError(
            f"{path!r:.80}, which made this run, is not decorated with @ek.traced here. Decorate "
            "it, or give run.whatif(call=...) a function that makes the run again."
        )
    plain = inspect.unwrap(fn)
    args, kwargs = fitted(recording, plain, path)
    own = frozenset(recorded_arguments(recording))
    takes = _taken(recording, plain)
    name, more = recording.name, settings or {}
    return CalledEntry(plain, args, kwargs, name, more, own, takes=takes, imported=True)


def fitted(
    recording: "Recording",
    fn: Callable[..., Any],
    path: str,
    *,
    advice: str = "Give run.whatif(call=lambda: ...) with a live one.",
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The recorded arguments as a function takes them, by position and by name.

    Args:
        recording: The run.
        fn: The function, without its decorator.
        path: What it is called in messages.
        advice: What to do about an argument that was not recorded whole.

    Raises:
        RerunError: An argument was not recorded whole.
    """
    exact = recorded_arguments(recording)
    started = next(recording.rows("run_started"), {})
    slots = [str(each.get("slot")) for each in started.get("inputs") or ()]
    signature = inspect.signature(fn)
    needed = [
        each.name
        for each in signature.parameters.values()
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    lacking = [slot for slot in dict.fromkeys([*slots, *needed]) if slot not in exact]
    if lacking:
        raise RerunError(
            f"The argument {lacking[0]!r:.60} of {path!r:.60} was not recorded whole, as a client, "
            f"an object or an open file cannot be. {advice}"
        )
    kept = {name: exact[name] for name in signature.parameters if name in exact}
    bound = inspect.BoundArguments(signature, kept)
    return bound.args, bound.kwargs


def recorded_arguments(recording: "Recording") -> dict[str, Any]:
    """The arguments of a traced function that were recorded whole, by name."""
    values, started = recording.values, next(recording.rows("run_started"), {})
    return {
        str(each["slot"]): values.object(each["value"])
        for each in started.get("inputs") or ()
        if values.fidelity(each["value"]) == "exact"
    }


def _question(recording: "Recording") -> str | None:
    digest = next(recording.rows("run_started"), {}).get("question")
    return None if digest is None else recording.values.text(digest)


def arrivals_of(recording: "Recording") -> list[Arrival]:
    """What came from outside of the outermost machine of a run, in order."""
    machine = next((r["seq"] for r in recording.rows("link_opened") if r.get("parent") is None), -1)
    found = []
    for row in recording.rows("event"):
        arrival = row.get("arrival")
        if row.get("machine") != machine or arrival not in ("gate", "outside"):
            continue
        digest = row.get("value")
        payload = None if digest is None else recording.values.object(digest)
        gate = str(row.get("sender")) if arrival == "gate" else None
        found.append(Arrival(str(row.get("name")), payload, gate))
    return found
