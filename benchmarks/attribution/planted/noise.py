"""Makes a deciding step flaky: every run draws anew, and all of it is reproducible."""

import random


class Noise:
    """Sometimes another answer than the one that follows from the prompt.

    Attributes:
        rate: How often.
        way: "lucky" says `target`; "both" also says the recorded answer where it would not come.
        target: Another answer than the recorded one: the right one where somebody knows it.
    """

    def __init__(self, rate, way, *, target, wrong, key):
        self.rate, self.way, self.target, self.wrong = rate, way, target, wrong
        self._rng = random.Random(f"noise {key}")

    def strikes(self):
        """Whether this time it is another one."""
        return self.rate > 0 and self._rng.random() < self.rate

    def __call__(self, answer):
        """What is said in the place of an answer."""
        if not self.strikes():
            return answer
        return self.wrong if self.way == "both" and answer != self.wrong else self.target


class Calm:
    """A deciding step that is never flaky: nothing in it can draw."""

    def strikes(self):
        """Never."""
        return False

    def __call__(self, answer):
        """The answer as it is."""
        return answer
