"""What a user holds: runs, backtracks and prompts, with display and export."""

from explainkit.session.backtracked import Backtrack, PromptView
from explainkit.session.loading import load, load_all, runs
from explainkit.session.recent import last
from explainkit.session.run import Run
from explainkit.session.running import trace, traced

__all__ = ["Backtrack", "PromptView", "Run", "last", "load", "load_all", "runs", "trace", "traced"]
