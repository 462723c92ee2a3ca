"""The explorer's view-model: a run as something that is asked, with no notebook and no browser."""

from explainkit.view.explorer.exploration import Exploration
from explainkit.view.explorer.walks import Walks

__all__ = ["Exploration", "Walks"]
