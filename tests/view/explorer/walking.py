"""How a session walks, for an exploration of its run."""

from explainkit.session import Run
from explainkit.session.backtracked import Backtrack


def walks_of(run: Run):
    """The walks of a run, those from what it ended on included."""

    def walk(slot, version, span, grade):
        return Backtrack.of(run, slot=slot, answer=version, span=span, grade=grade).walk

    return walk
