"""Re-runs that are dealt out instead of made: real ones, each recorded once, drawn by chance.

A decision of a door takes up to 80 re-runs, and thousands of decisions are wanted. So the function
that makes one re-run is replaced: for each change the program is really run again twice, once with
its own answer and once with the other one, and of these two recorded re-runs one is dealt each
time. Everything around it is the product's: planning, judging, what counts, looks, family, record.
"""

import random
from contextlib import contextmanager
from unittest.mock import patch

from explainkit.whatif.measuring import loops


class Coin:
    """Decides whether the deciding step says something else."""

    def __init__(self, rate, key):
        self.rate, self._rng = rate, random.Random(key)
        self.forced = None

    def strikes(self):
        """Whether it does this time."""
        return self._rng.random() < self.rate if self.forced is None else self.forced


class Dealer:
    """Deals real re-runs.

    Attributes:
        coin: Of the program that is run again.
        made: Re-runs really made.
        dealt: Re-runs dealt out.
    """

    def __init__(self, coin):
        self.coin, self.made, self.dealt = coin, 0, 0
        self._known = {}
        self._rerun, self._rerun_async = loops.rerun, loops.rerun_async

    def rerun(self, entry, origin, plan, *, forced=frozenset(), **settings):
        """In the place of the function of this name."""
        strikes = self.coin.strikes()
        key = self._key(entry, plan, forced, strikes)
        if key not in self._known:
            self.coin.forced = strikes
            self._known[key] = self._rerun(entry, origin, plan, forced=forced, **settings)
            self.coin.forced = None
            self.made += 1
        self.dealt += 1
        return self._known[key]

    async def rerun_async(self, entry, origin, plan, *, forced=frozenset(), **settings):
        """In the place of the function of this name."""
        strikes = self.coin.strikes()
        key = self._key(entry, plan, forced, strikes)
        if key not in self._known:
            self.coin.forced = strikes
            self._known[key] = await self._rerun_async(
                entry, origin, plan, forced=forced, **settings
            )
            self.coin.forced = None
            self.made += 1
        self.dealt += 1
        return self._known[key]

    @staticmethod
    def _key(entry, plan, forced, strikes):
        told = tuple(sorted(str(each) for each in plan.told))
        return entry.name, told, frozenset(forced), strikes

    @contextmanager
    def deals(self):
        """While this lasts, re-runs are dealt."""
        with (
            patch.object(loops, "rerun", self.rerun),
            patch.object(loops, "rerun_async", self.rerun_async),
        ):
            yield self
