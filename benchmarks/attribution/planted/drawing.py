"""Draws the texts and numbers of a run: facts, rules, the question, and other sentences."""

import random
from dataclasses import dataclass

from benchmarks.attribution.planted.fares import FareModel
from benchmarks.attribution.planted.scenes import Piece

OTHERS = (
    "The hall at stop {n} opens at {h} o'clock.",
    "Dogs taller than {n} cm need a lead on line {m}.",
    "Bicycles are carried on line {n} after {h} o'clock.",
    "Lost property of depot {n} is kept for {h} weeks.",
    "Line {n} runs every {m} quarters of an hour.",
    "A night bus to stop {n} costs {m} tokens.",
    "Conductor {n} announced a detour by way of stop {m}.",
    "Season passes were sold at desk {n} until {h} o'clock.",
    "The lift at stop {n} was repaired in week {m}.",
    "Groups of {n} travellers sit in coach {h}.",
)
FORMS = ("amount", "yes", "german")
TAILS = {
    "amount": "How much is refunded?",
    "yes": "Is more than {limit} EUR refunded? Answer yes or no.",
    "german": "How much is refunded, in German words?",
}


@dataclass
class Drawing:
    """Random numbers of one case, and what is made of them."""

    rng: random.Random
    size: int
    structure: str
    seed: int

    def __post_init__(self):
        self.prefers = self.rng.choice(("first", "last"))
        self.form = FORMS[self.rng.randrange(3)]
        self.fare = self.rng.randrange(40, 100, 4)
        self.other_fare = self.fare + self.rng.choice((-20, 20, 60))
        self.delay = self.rng.randrange(40, 60)
        self.low = self.rng.randrange(20, 35)
        self.share = self.rng.choice((25, 50, 75))

    @property
    def rule(self):
        """A rule that applies."""
        return f"From {self.low} minutes on, {self.share} percent are refunded."

    def model(self, **settings):
        """The model that holds the first or the last of what contradicts itself."""
        return FareModel(prefers=self.prefers, **settings)

    def asked(self, right, wrong, *, given=""):
        """A question whose answer differs between two prompts' amounts."""
        limit = int((right + wrong) / 2)
        if self.form == "german" and int(right) == int(wrong):
            self.form = "amount"
        return " ".join((given, TAILS[self.form].format(limit=limit))).strip()

    def ordered(self, evidence, planted):
        """Evidence and what was planted, so that the planted statement holds."""
        return [planted, *evidence] if self.prefers == "first" else [*evidence, planted]

    def placed(self, important, size=None):
        """The important pieces in their order, at random places among others."""
        total = max(self.size if size is None else size, len(important))
        at = sorted(self.rng.sample(range(total), len(important)))
        given = iter(important)
        return tuple(next(given) if n in at else self.another(n) for n in range(total))

    def another(self, place):
        """A piece that has no part in any answer."""
        text = self.rng.choice(OTHERS).format(
            n=self.rng.randrange(2, 99), m=self.rng.randrange(2, 99), h=self.rng.randrange(5, 12)
        )
        return Piece(f"piece {place}", text)
