"""What a user holds: runs, backtracks and prompts, with display and export.

Only what opens a run is imported here: a traced program pays for nothing that it does not show.
"""

from explainkit.session.loading import load, load_all, runs
from explainkit.session.recent import last
from explainkit.session.run import Run
from explainkit.session.running import trace, traced

__all__ = ["Run", "last", "load", "load_all", "runs", "trace", "traced"]
