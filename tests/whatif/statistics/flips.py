"""Measurements by their counts, so that a test reads like the line that it expects."""

from explainkit.whatif.statistics import Measurement, TwoArms


def measured(changed, unchanged, **known):
    """A measurement from texts such as `5/5` (flips first, so the order is the worst one)."""
    return Measurement(
        arms=TwoArms(unchanged=_outcomes(unchanged), changed=_outcomes(changed)), **known
    )


def _outcomes(text):
    flips, n = map(int, text.split("/"))
    return (True,) * flips + (False,) * (n - flips)
