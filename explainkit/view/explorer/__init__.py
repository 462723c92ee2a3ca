"""The explorer's view-model: a run as something that is asked, with no notebook and no browser."""

from explainkit.view.explorer.exploration import Exploration, Walks

__all__ = ["Exploration", "Walks"]
