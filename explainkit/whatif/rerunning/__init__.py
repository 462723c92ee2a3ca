"""Running a recorded run again: what is reused, what is executed, and what came of it."""

from explainkit.whatif.rerunning.entries import CalledEntry, CellEntry, Entry
from explainkit.whatif.rerunning.once import Rerun, loop_runs, require_given, rerun, rerun_async
from explainkit.whatif.rerunning.origins import Origin
from explainkit.whatif.rerunning.steering import Steered

__all__ = [
    "CalledEntry",
    "CellEntry",
    "Entry",
    "Origin",
    "Rerun",
    "Steered",
    "loop_runs",
    "require_given",
    "rerun",
    "rerun_async",
]
