"""The words on a drawing of a chart, the same in every drawing language."""

from explainkit.flow.statecharts.chains import Answer
from explainkit.flow.statecharts.nodes import ActionUse, Chart, Invocation, Node, Transition
from explainkit.flow.statecharts.vocabulary import Raise

_SHOWN_ACTIONS = 3
_OF_ACTORS = {"actor_done": "done", "actor_error": "error"}


def state_words(node: Node) -> str:
    """What stands in a state: its key, or the mark of a history."""
    if node.kind == "history":
        return "H*" if node.deep else "H"
    return node.key


def invoke_words(node: Node) -> str:
    """What stands below the name of a state that invokes actors; empty for others."""
    if not node.invokes:
        return ""
    told = (f"{use.src} as {use.id}" if use.custom_id else use.src for use in node.invokes)
    return f"invoke: {', '.join(told)}"


def transition_words(node: Node, transition: Transition) -> str:
    """What stands on an arrow from a state: `event [guard] / actions`, as in UML."""
    guard = f" [{transition.guard.name}]" if transition.guard else ""
    names = [_action_words(action) for action in transition.actions[:_SHOWN_ACTIONS]]
    more = len(transition.actions) - len(names)
    names += [f"{more} more"] if more else []
    return _trigger_words(node, transition) + guard + (f" / {', '.join(names)}" if names else "")


def drawn_transitions(chart: Chart) -> list[tuple[int, int, str]]:
    """Every arrow: from, to, words. One without a target leads back to its own state."""
    return [
        (t.origin, aim, transition_words(node, t) + ("" if t.aims else " (stays)"))
        for node in chart.nodes
        for t in node.transitions
        for aim in t.aims or (t.origin,)
    ]


def _trigger_words(node: Node, transition: Transition) -> str:
    if transition.trigger == "after":
        return f"after {transition.delay} ms"
    if transition.trigger == "on":
        return transition.event
    if transition.trigger in _OF_ACTORS:
        end = _OF_ACTORS[transition.trigger]
        return f"{_actor_word(node.invokes, transition.event, end)} {end}"
    return "done" if transition.trigger == "on_done" else "always"


def _actor_word(invokes: tuple[Invocation, ...], event: str, end: str) -> str:
    """What an actor is called on an arrow: its own id where it has one, else its key."""
    use = next(use for use in invokes if event == f"{end}.actor.{use.id}")
    return use.id if use.custom_id else use.src


def _action_words(action: ActionUse) -> str:
    run = action.run
    if isinstance(run, Raise):
        return f"raise {run.name}"
    if isinstance(run, Answer) and not action.name.startswith("answer "):
        return f"answer {action.name}"
    return action.name
