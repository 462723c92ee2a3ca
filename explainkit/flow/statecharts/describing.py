"""The words on a drawing of a chart, the same in every drawing language."""

from explainkit.flow.statecharts.nodes import ActionUse, Chart, Node, Transition
from explainkit.flow.statecharts.vocabulary import Raise

_SHOWN_ACTIONS = 3


def state_words(node: Node) -> str:
    """What stands in a state: its key, or the mark of a history."""
    if node.kind == "history":
        return "H*" if node.deep else "H"
    return node.key


def transition_words(transition: Transition) -> str:
    """What stands on an arrow: `event [guard] / actions`, as in UML."""
    if transition.trigger == "after":
        trigger = f"after {transition.delay} ms"
    elif transition.trigger == "on":
        trigger = transition.event
    else:
        trigger = "done" if transition.trigger == "on_done" else "always"
    guard = f" [{transition.guard.name}]" if transition.guard else ""
    names = [_action_words(action) for action in transition.actions[:_SHOWN_ACTIONS]]
    more = len(transition.actions) - len(names)
    names += [f"{more} more"] if more else []
    return trigger + guard + (f" / {', '.join(names)}" if names else "")


def _action_words(action: ActionUse) -> str:
    raised = action.run
    return f"raise {raised.name}" if isinstance(raised, Raise) else action.name


def drawn_transitions(chart: Chart) -> list[tuple[int, int, str]]:
    """Every arrow: from, to, words. One without a target leads back to its own state."""
    return [
        (t.origin, aim, transition_words(t) + ("" if t.aims else " (stays)"))
        for node in chart.nodes
        for t in node.transitions
        for aim in t.aims or (t.origin,)
    ]
