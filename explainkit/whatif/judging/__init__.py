"""Did the answer flip? One judge decides it for every re-run, chosen by stated rules."""

from explainkit.whatif.judging.choosing import judge_for
from explainkit.whatif.judging.ends import End, end_of, recorded_end
from explainkit.whatif.judging.judges import Judge

__all__ = ["End", "Judge", "end_of", "judge_for", "recorded_end"]
