"""The panels that go from suspect to cause: what may be changed, what was found, which step."""

from explainkit.view.explorer.causes.asked import CausePanel
from explainkit.view.explorer.causes.doors import Reruns, Wanted
from explainkit.view.explorer.causes.told import ended, measuring, refused

__all__ = ["CausePanel", "Reruns", "Wanted", "ended", "measuring", "refused"]
