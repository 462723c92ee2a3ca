"""A runner that stands in a module under a name, so that a test can import it and run it again."""

import sys
from types import MethodType, ModuleType
from typing import TYPE_CHECKING, Any

from explainkit.errors import RerunError
from explainkit.flow.checks import UNSET
from explainkit.flow.runners import Runner
from explainkit.safety import shorten
from explainkit.tracing.own_runs import Again
from explainkit.whatif.calling_again import arrivals_of
from explainkit.whatif.named_functions import is_importable_name
from explainkit.whatif.rerunning import CalledEntry, Entry

if TYPE_CHECKING:
    from explainkit.store import Recording

_BATCH = ("input_ids", "items")
"""What an answer flow may be given by name instead of in its input, which is recorded as one."""


def runner_of(again: Again | None) -> Runner | None:
    """The runner that made a run; None where it was something else.

    Args:
        again: What this process knows of how the run was made.
    """
    fn = None if again is None else again.fn
    owner = fn.__self__ if isinstance(fn, MethodType) else None
    return owner if isinstance(owner, Runner) and fn == owner.outcome else None


def path_of(runner: Runner) -> str | None:
    """Where a runner stands, as `module:name`; None where no import can reach it.

    Args:
        runner: The runner.
    """
    # The module that made it was begun to be imported after those that import it.
    for module, held in reversed(list(sys.modules.items())):
        if module == "__main__" or type(held) is not ModuleType:
            continue
        for name, value in list(vars(held).items()):
            if value is runner and is_importable_name(f"{module}.{name}"):
                return f"{module}:{name}"
    return None


def runner_at(path: str) -> Runner | None:
    """The runner at a path, of a module that is imported already.

    Args:
        path: Where it stands.
    """
    module, _, name = path.partition(":")
    found = getattr(sys.modules.get(module), "__dict__", {}).get(name)
    return found if isinstance(found, Runner) else None


def require_runnable(recording: "Recording", again: Again) -> None:
    """Refuse a run of a runner that its recorded input alone does not make again.

    Args:
        recording: The run.
        again: How it was made.

    Raises:
        RerunError: It is such a run; the message says why.
    """
    more = [
        name
        for name, each in again.kwargs.items()
        if name not in _BATCH and each is not None and each is not UNSET
    ]
    if more:
        raise RerunError(
            f"it was given {more[0]}=, which no record holds. Give the runner what it needs when "
            "it is made, or put the call into a function of a module with @ek.traced."
        )
    if arrivals_of(recording):
        raise RerunError(
            "events came to its machine from outside, which a test does not send. Put what sends "
            "them into a function of a module with @ek.traced."
        )
    recorded_input(recording)


def recorded_input(recording: "Recording") -> Any:
    """What a runner was given, as it was recorded.

    Args:
        recording: The run.

    Raises:
        RerunError: It was not recorded whole.
    """
    opened = next((r for r in recording.rows("link_opened") if r.get("parent") is None), {})
    for each in opened.get("inputs") or ():
        if each.get("slot") == "input" and recording.values.fidelity(each["value"]) == "exact":
            return recording.values.object(each["value"])
    raise RerunError(
        f"what {shorten(recording.name, 60)!r} was given was not recorded whole, as a client, an "
        "object or an open file cannot be. Put the call into a function of plain arguments, in a "
        "module, with @ek.traced."
    )


def entry_of_runner(recording: "Recording", runner: Runner, *, name: str) -> Entry:
    """How a run of a runner is made again.

    Args:
        recording: The run.
        runner: The runner as it is now.
        name: Name of the run that is made.

    Raises:
        RerunError: What it was given was not recorded whole.
    """
    return CalledEntry(
        runner.outcome, (recorded_input(recording),), name=name, own=frozenset(("input",))
    )
