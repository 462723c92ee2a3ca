"""The attributor that is measured: what a user does with the shortlist and the what-if, as a rule.

Only the public product is used. The rule was fixed before any result was seen:

1. The shortlist of the whole answer (`run.backtrack().shortlist(5)`) is the ranking. Rows that name
   a model or a template are passed over.
2. Every override is held off. Then the suspects of the shortlist are tried in their order, at most
   five: a context, message or row is removed, a tool's result emptied, a yes made a no, a choice
   made another.
3. If nothing was convicted: the other links whose result can be put in doubt, at most five, the
   last first; then the left-out pieces, at most five, in their order.
4. If nothing was convicted: `run.smallest_cause()` over all contexts, messages and rows, which
   names a set, or two whose order decides. (The order since the search finds it; `results.md` says
   which figures are from before.)
5. If nothing was convicted: each of them alone, those first that share words with the answer.
6. If nothing was convicted: the first four texts of the shortlist change places in pairs.
7. If something was convicted by removing: `run.cause_roles` over what was convicted and the
   shortlist, or over everything where there are no more than ten parts, tells who is needed and who
   is a copy.
8. What was convicted when it was asked, and is not any more because the family grew, is asked once
   more. (Added after a trial on runs of ten parts, before any figure was taken.)

All of it has 400 model calls (`BUDGET`); what is left is the budget of the next question. What is
reported are the words that all findings have in the end, beside each other, in the order of
asking; behind them the rest of the shortlist.

Metric: top-1 is whether the first row is (part of) the cause; top-3 whether all of the cause is in
the first three rows. Of equal ranks each order is equally likely. The share shown is the number of
rows divided by the number of contexts, messages, rows, links that can be put in doubt, overrides
and left-out pieces. A conviction is false when the same change does not flip the answer in the run
without noise.
"""

import re
from dataclasses import dataclass, field
from itertools import combinations

from benchmarks.attribution.planted.suspects import Suspects, arguments_of
from explainkit.errors import ExplainkitError

BUDGET = 400
SHORT = 5
SHUFFLED = 4
FEW = 10


@dataclass
class Attribution:
    """What came of a run.

    Attributes:
        ranked: Groups of equal rank of the shortlist.
        tried: What-ifs with the changes that they tried, in order of asking.
        sets: Sets that a search named: (keys, its what-if or None).
        calls: Model calls used.
        reruns: Re-runs used.
        refused: Questions that raised, with their words.
    """

    ranked: list
    size: int
    tried: list = field(default_factory=list)
    sets: list = field(default_factory=list)
    calls: int = 0
    reruns: int = 0
    refused: list = field(default_factory=list)

    @property
    def convicted(self):
        """Sets of changes that are called a cause in the end, in order of asking."""
        found = [(key,) for key, whatif in self.tried if whatif.word == "cause"]
        found += [keys for keys, whatif in self.sets if whatif is None or whatif.word == "cause"]
        return list(dict.fromkeys(found))

    @property
    def rows(self):
        """The final list: groups of equal rank."""
        first = list(dict.fromkeys(key for keys in self.convicted for key in keys))
        rest = [[key for key in group if key not in first] for group in self.ranked]
        return [*([key] for key in first), *(group for group in rest if group)]

    @property
    def words(self):
        """How often each word was said in the end."""
        return [whatif.word for _, whatif in self.tried]

    @property
    def shown(self):
        """The share of the trace that is shown."""
        return min(1.0, sum(map(len, self.rows)) / self.size)


class Attributor:
    """Follows the rule of this module on one run."""

    def __init__(self, run, judge, *, budget=BUDGET):
        self.run, self.judge, self.budget = run, judge, budget
        self.suspects = Suspects(run)
        ranked = self.suspects.ranked(SHORT)
        self.found = Attribution(ranked, len(self.suspects.all))
        self._once = []

    def attribute(self):
        """Ask until something is convicted."""
        suspects = self.suspects
        short = [key for group in self.found.ranked for key in group][:SHORT]
        self._each(suspects.holdable)
        self._each(short)
        stages = (
            lambda: self._each([*suspects.swaps][::-1], most=SHORT),
            lambda: self._each(suspects.restorable, most=SHORT),
            self._smallest,
            lambda: self._each(suspects.exposed(), until_cause=True),
            lambda: self._pairs(short),
        )
        for stage in stages:
            if self.found.convicted or self._left <= 0:
                break
            stage()
        self._roles(short)
        self._again()
        return self.found

    @property
    def _left(self):
        return self.budget - self.found.calls

    def _each(self, keys, *, most=None, until_cause=False):
        tried = {key for key, _ in self.found.tried}
        for key in [each for each in keys if each not in tried][:most]:
            for value in self.suspects.swaps.get(key, [None]):
                if self._left <= 0:
                    return
                self._ask(key, arguments_of(key, value))
            if until_cause and self.found.convicted:
                return

    def _again(self):
        named = {key for keys in self.found.convicted for key in keys}
        for key, change in [each for each in self._once if each[0] not in named]:
            if self._left > 0:
                self._ask(key, change)

    def _ask(self, key, change):
        try:
            whatif = self.run.whatif(**change, **self.judge, budget=self._left)
        except ExplainkitError as error:
            self.found.refused.append((key, str(error)))
            return
        self._spend(whatif.trial.spent)
        self.found.tried.append((key, whatif))
        if whatif.word == "cause":
            self._once.append((key, change))

    def _spend(self, spent):
        self.found.calls += spent.calls
        self.found.reruns += spent.reruns

    def _smallest(self):
        search = self._search(self.run.smallest_cause, self.suspects.removable)
        if search is not None and search.items:
            keys = tuple(self.suspects.removable[at] for at in search.found.items)
            self.found.sets.append((keys, search.whatif))
        elif search is not None and search.order:
            self.found.sets.append(((_order_key(search.order),), search.whatif))

    def _search(self, door, keys):
        items = [arguments_of(key)["remove"] for key in keys]
        if not items or self._left <= 0:
            return None
        try:
            search = door(items, **self.judge, budget=self._left)
        except ExplainkitError as error:
            self.found.refused.append((door.__name__, str(error)))
            return None
        if search.whatifs:
            self._spend(search.whatifs[-1].trial.spent)
        return search

    def _pairs(self, short):
        kept = [key for key in short if key[0] == "remove"][:SHUFFLED]
        for one, other in combinations(kept, 2):
            if self._left <= 0:
                return
            self._ask(*self._swapped(one, other))

    def _swapped(self, one, other):
        order = {key: at for at, key in enumerate(self.suspects.removable)}
        first, second = sorted((one, other), key=order.get)
        if len(first) == 3 and first[1] == second[1]:
            places = list(range(sum(key[1] == first[1] for key in self.suspects.removable)))
            places[first[2]], places[second[2]] = second[2], first[2]
            return ("reorder", first[1], first[2], second[2]), {"reorder": {first[1]: places}}
        return ("reorder", first[1], second[1]), {"reorder": [second[1], first[1]]}

    def _roles(self, short):
        removed = [key for keys in self.found.convicted for key in keys if key[0] == "remove"]
        if not removed:
            return
        among = list(dict.fromkeys([*removed, *(key for key in short if key[0] == "remove")]))[:FEW]
        if len(self.suspects.removable) <= FEW:
            among = self.suspects.removable
        roles = self._search(self.run.cause_roles, among) if len(among) > 1 else None
        if roles is None:
            return
        self.found.sets += [((among[at],), None) for at in roles.found.needed]
        copies = tuple(among[at] for at in roles.found.copies)
        if copies:
            self.found.sets.append((copies, None))


def _order_key(names):
    """Two names whose order decides as a change: texts of a template, or items of one list."""
    items = [re.fullmatch(r"item (\d+) of (.+?)(?: \(“.*”\))?", name) for name in names]
    if all(items):
        return ("reorder", items[0][2], *sorted(int(each[1]) - 1 for each in items))
    return ("reorder", *names)
