"""What links share beside what they are given: names of a module, closures, objects, files.

The result of a link says nothing of what it left there, and what a link is given does not say
what it found there. Such links run again, and a re-run in which something may be left of an
earlier run shows no more than it can.
"""

from explainkit.whatif.shared_state.code_units import functions_beside, is_runner
from explainkit.whatif.shared_state.tied_links import NO_TIES, Ties, ties_of

__all__ = ["NO_TIES", "Ties", "functions_beside", "is_runner", "ties_of"]
