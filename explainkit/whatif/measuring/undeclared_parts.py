"""Why one re-run did not suffice: what of a run nobody declared to give the same each time."""

from typing import TYPE_CHECKING

from explainkit.safety import shorten
from explainkit.whatif.cut_lists import listed
from explainkit.whatif.rerunning import Rerun
from explainkit.whatif.rerunning.steering import Executed

if TYPE_CHECKING:
    from explainkit.whatif.measuring.trials import Trial

NAMES = 4
"""Links that are named."""

_ONE, _TWO = 1, 2
"""Re-runs with the change, and without it, that suffice where everything is declared."""


def why_repeated(trial: "Trial") -> str | None:
    """Why repeats were made, and how to declare what they were made for; None without repeats.

    Args:
        trial: What was measured.
    """
    made = (*trial.changed, *trial.unchanged)
    if len(trial.changed) <= _ONE and len(trial.unchanged) <= _TWO:
        return None
    ran = [(link, each.done) for each in made for link in each.done.executed]
    open_ones = [each for each in ran if not each[0].deterministic]
    if open_ones:
        names = list(dict.fromkeys(repr(shorten(link.name, 40)) for link, _ in open_ones))
        told = f"links {listed(names, NAMES)} are" if len(names) > 1 else f"link {names[0]} is"
        return (
            f"{told} not declared deterministic. What gives the same for the same needs no "
            f"repeats once it is declared so: {_declared(*open_ones[0])}"
        )
    kept = trial.undeclared or trial.ties.undeclared
    if kept is not None:
        return (
            f"the code around the links may draw or keep something ({shorten(kept, 120)}), "
            "whatever the links are declared to be"
        )
    if trial.origin.draws_chance:
        return "the function itself reads the time or draws by chance"
    if not ran:
        return "no link ran again, so what decides is code of which nobody declared anything"
    return "unchanged re-runs gave different answers although every link is declared not to"


def _declared(link: Executed, done: Rerun) -> str:
    """The line that declares a link."""
    row = {} if link.link < 0 else done.recording.raw(link.link)
    parent = row.get("parent")
    within = {} if parent is None else done.recording.raw(parent)
    name = shorten(link.name, 40)
    if within.get("type") == "agent" and link.type == "model":
        return "CallableModel(fn, deterministic=True), or deterministic = True in the model's class"
    if within.get("type") == "agent":
        return f"tool({name}, deterministic=True)"
    kind = "" if link.type == "function" else f'kind="{shorten(link.type, 20)}", '
    return f"@ek.link({kind}deterministic=True) on {name}"
