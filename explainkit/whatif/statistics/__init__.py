"""The statistics of a causal claim, in one place, because every door must count alike.

arms            outcomes of the unchanged and the changed re-runs
wilson          intervals of a flip rate
fisher          Fisher's exact test, one table or all tables of a look
null_paths      exact error rate of a rule that looks several times
looks           when to look, and a p-value that stays valid under looking
crossing_levels the computed constants of that p-value
holm            correction for the family of suspects
foresight       what more repeats would show at the observed rates
measurements    what a door hands in
judgements      the five words with their numbers, and their one line
deciding        from measurements to judgements, and how many repeats to run next
"""

from explainkit.whatif.statistics.arms import NO_ARMS, Arm, TwoArms
from explainkit.whatif.statistics.deciding import judge_all, level_in, repeats_to_run
from explainkit.whatif.statistics.holm import holm_adjusted, holm_level
from explainkit.whatif.statistics.judgements import Judgement, Word
from explainkit.whatif.statistics.looks import ALPHA, LAST_LOOK, LOOKS, p_after_looks
from explainkit.whatif.statistics.measurements import Measurement, Stopped
from explainkit.whatif.statistics.wilson import wilson_interval

__all__ = [
    "ALPHA",
    "LAST_LOOK",
    "LOOKS",
    "NO_ARMS",
    "Arm",
    "Judgement",
    "Measurement",
    "Stopped",
    "TwoArms",
    "Word",
    "holm_adjusted",
    "holm_level",
    "judge_all",
    "level_in",
    "p_after_looks",
    "repeats_to_run",
    "wilson_interval",
]
