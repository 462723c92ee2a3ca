"""What an action does, and how a fault of the author's code is told with the place it came from."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from explainkit.errors import ActionError
from explainkit.flow.statecharts.chains import Answer, AnswerArgs, Audience
from explainkit.flow.statecharts.nodes import ActionUse, Chart, Invocation, Node
from explainkit.flow.statecharts.snapshots import Said
from explainkit.flow.statecharts.vocabulary import Args, Assign, Event, Raise
from explainkit.safety import shorten


def performed(
    chart: Chart, action: ActionUse, context: Any, event: Event
) -> tuple[Any, Event | None]:
    """Run one action; give the context after it and the event that it raised, if any.

    Raises:
        ActionError: The action raised.
    """
    run = action.run
    args = Args(context, event, action.params)
    try:
        if isinstance(run, Assign):
            return _assigned(run, args), None
        if isinstance(run, Raise):
            payload = run.payload(args) if callable(run.payload) else run.payload
            return context, Event(run.name, payload)
        run(args)
    except Exception as error:
        raise _fault(chart, _site(action), event, error) from error
    return context, None


def said(
    chart: Chart, action: ActionUse, run: Answer, context: Any, event: Event, audience: Audience
) -> list[Said]:
    """Ask an answer once for each pick that hears it; nobody hearing is said too.

    Raises:
        ActionError: Its function raised.
    """
    found: list[Said] = []
    for pick, chain in audience.hear(action.state, action.place, event):
        try:
            value = run.fn(AnswerArgs(context, event, chain, action.params))
        except Exception as error:
            raise _fault(chart, _site(action), event, error) from error
        found.append(Said(action, pick, value))
    return found or [Said(action, None)]


def started_with(chart: Chart, invocation: Invocation, context: Any, event: Event) -> Any:
    """The input of an actor.

    Raises:
        ActionError: A function that gives it raised.
    """
    written, args = invocation.input, Args(context, event)
    try:
        if callable(written):
            return written(args)
        if isinstance(written, Mapping):
            return {key: item(args) if callable(item) else item for key, item in written.items()}
    except Exception as error:
        raise _fault(chart, f'the input of the actor "{invocation.id}"', event, error) from error
    return written


def valued(chart: Chart, node: Node, value: Any, context: Any, event: Event) -> Any:
    """A value, or what the function gives that stands in its place.

    Raises:
        ActionError: The function raised.
    """
    if not callable(value):
        return value
    try:
        return value(Args(context, event))
    except Exception as error:
        raise _fault(chart, f'the output of "{node.id}"', event, error) from error


def first_context(chart: Chart, given: Any, event: Event) -> Any:
    """The context with which a machine starts.

    Raises:
        ActionError: The function that gives it raised.
    """
    if not callable(chart.context):
        return {} if chart.context is None else _own_copy(chart.context)
    try:
        return chart.context(given)
    except Exception as error:
        raise _fault(chart, "the function of the context", event, error) from error


def _own_copy(context: Any) -> Any:
    """A copy for this run, so that an author who changes it in place spoils no other one."""
    try:
        return deepcopy(context)
    except Exception:  # noqa: BLE001 - what cannot be copied is shared, as it was written
        return context


def _assigned(assign: Assign, args: Args) -> dict[str, Any]:
    if not isinstance(args.context, Mapping):
        raise TypeError(
            f"assign needs a context that is a mapping, not {type(args.context).__name__}"
        )
    if callable(assign.update):
        return {**args.context, **assign.update(args)}
    values = {k: v(args) if callable(v) else v for k, v in assign.update.items()}
    return {**args.context, **values}


def _site(action: ActionUse) -> str:
    return f'the action "{action.name}", {action.place}[{action.index}] of "{action.state}",'


def _fault(chart: Chart, what: str, event: Event, error: Exception) -> ActionError:
    return ActionError(
        f'Machine "{chart.id}": {what} raised {type(error).__name__}: '
        f'{shorten(str(error), 200)} on "{shorten(event.name, 80)}". '
        "The configuration stays as it was before the event. Mend it, or catch the error inside."
    )
