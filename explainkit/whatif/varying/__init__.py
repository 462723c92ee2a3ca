"""What a what-if changes: words of a user become changes of recorded points, checked beforehand."""

from explainkit.whatif.varying.gone import SHORT, Gone
from explainkit.whatif.varying.planning import Plan, plan_of
from explainkit.whatif.varying.requests import Intervention, interventions_of

__all__ = ["SHORT", "Gone", "Intervention", "Plan", "interventions_of", "plan_of"]
