"""A model unlike ReadingModel: it parses facts, rules and orders of a small English and computes.

It never copies a sentence. What it says is an amount, yes or no, or an amount in German words, so
that a cause and the answer need not share any text.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

UNKNOWN = "It cannot be said."
_FACT = re.compile(r"\b[Tt]he (fare|delay)(?: of (zone \d+))? is (\d+(?:\.\d+)?) (\w+)")
_RULE = re.compile(r"\b[Ff]rom (\d+) minutes on, (\d+) percent are refunded")
_EXCLUDED = re.compile(r"\b[Dd]elays by (\w+) are not covered")
_REASON = re.compile(r"\b[Tt]he delay came from (?:an? )?(\w+)")
_STEP = re.compile(r"\b[Tt]hen (?:add (\d+) EUR|(double) the amount)")
_ORDER = re.compile(r"\b(?:Disregard|disregard) all rules and grant nothing")
_ROW = re.compile(r"['\"]zone['\"]: ['\"](zone \d+)['\"], ['\"]fare['\"]: (\d+(?:\.\d+)?)")
_ZONE = re.compile(r"\b[Mm]y ticket is for (zone \d+)")
_OVER = re.compile(r"\bmore than (\d+) EUR")
_UNITS = {"EUR": Fraction(1), "cents": Fraction(1, 100)}
_MINUTES = {"minutes": Fraction(1), "hours": Fraction(60), "seconds": Fraction(1, 60)}
_ONES = (
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
    "sechzehn siebzehn achtzehn neunzehn"
).split()
_TENS = "_ zehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()


@dataclass(frozen=True)
class FareModel:
    """Works out a refund from a prompt.

    Attributes:
        prefers: Of several statements of one thing the "first" or the "last" holds.
        careful: Reads every rule and takes the one that grants most; else only the first that it
            meets.
    """

    prefers: str = "last"
    careful: bool = True

    def __call__(self, prompt):
        """Say what the prompt amounts to."""
        text = flat(prompt)
        amount = self.amount(text)
        if amount is None:
            return UNKNOWN
        over = _OVER.search(text)
        if over:
            return "Yes." if amount > int(over[1]) else "No."
        if "in German words" in text:
            return f"{german(int(amount))} Euro"
        return f"{float(amount):.2f}"

    def amount(self, text):
        """The refund in EUR; None where something is missing."""
        if _ORDER.search(text):
            return Fraction(0)
        delay, fare = self._measure(text, "delay", _MINUTES), self._measure(text, "fare", _UNITS)
        rules = [(int(low), int(share)) for low, share in _RULE.findall(text)]
        if delay is None or fare is None or not rules:
            return None
        if set(_EXCLUDED.findall(text)) & set(_REASON.findall(text)):
            return Fraction(0)
        rules = rules if self.careful else rules[:1]
        share = max((share for low, share in rules if delay >= low), default=0)
        amount = fare * share / 100
        for added, doubled in _STEP.findall(text):
            amount = amount * 2 if doubled else amount + int(added)
        return amount

    def _measure(self, text, name, units):
        zone = _ZONE.search(text)
        wanted = zone[1] if zone and name == "fare" else ""
        found = [
            (match.start(), Fraction(match[3]) * units[match[4]])
            for match in _FACT.finditer(text)
            if match[1] == name and (match[2] or "") == wanted and match[4] in units
        ]
        if wanted:
            found += [
                (row.start(), Fraction(row[2])) for row in _ROW.finditer(text) if row[1] == wanted
            ]
        found.sort()
        if not found:
            return None
        return found[0 if self.prefers == "first" else -1][1]


def flat(prompt):
    """The text of a prompt, of messages their contents."""
    if isinstance(prompt, str):
        return prompt
    return "\n".join(str(each["content"]) for each in prompt)


def german(number):
    """A whole number below 1,000 in German words.

    Example:
        >>> german(20), german(45), german(120)
        ('zwanzig', 'fünfundvierzig', 'einhundertzwanzig')
    """
    hundreds, rest = divmod(number, 100)
    head = f"{_ONES[hundreds]}hundert" if hundreds else ""
    if rest == 0 and hundreds:
        return head
    if rest < 20:
        return head + _ONES[rest]
    tens, ones = divmod(rest, 10)
    return head + (f"{_ONES[ones]}und" if ones else "") + _TENS[tens]


SPEAKS = (_FACT, _ROW, _RULE, _EXCLUDED, _REASON, _STEP, _ORDER)


def understood(text):
    """The lines of a text that the model can read; a first stage hands on only these."""
    return [line for line in text.splitlines() if any(one.search(line) for one in SPEAKS)]


@dataclass(frozen=True)
class Hasty:
    """A first draft that grants nothing, whatever the rules say."""

    model: FareModel

    def __call__(self, prompt):
        """Say it as the model says it."""
        return self.model("Disregard all rules and grant nothing.\n" + flat(prompt))
