"""A number or date that may be the selected one in another form convicts nobody."""

import pytest

import explainkit as ek


def asked(kept, changed, span):
    """The what-if of selected words of a run that says one thing with its note, one without."""

    @ek.link(kind="model", deterministic=True)
    def tell(prompt):
        return kept if "half" in prompt else changed

    @ek.traced
    def desk(q):
        return tell(ek.context("note", "half") + q)

    desk("?")
    return ek.last().whatif(remove="note", span=span)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.000 Euro", "1000 Euro"),
        ("1,000 Euro", "1.000 Euro"),
        ("2024-03-05", "5 March 2024"),
        ("March 5, 2024", "05/03/2024"),
        ("2024-03-05", "05.03.2024"),
    ],
)
def test_another_form_is_inconclusive_both_ways(one, other):
    for kept, changed in ((one, other), (other, one)):
        found = asked(f"Total: {kept}", f"Total: {changed}", kept)
        assert found.word == "inconclusive", (kept, changed)
        assert "judge=" in str(found)


@pytest.mark.parametrize(
    ("one", "other"),
    [("1.000 Euro", "2000 Euro"), ("2024-03-05", "6 March 2024"), ("12 Euro", "13 Euro")],
)
def test_another_value_is_a_cause(one, other):
    assert asked(f"Total: {one}", f"Total: {other}", one).word == "cause"
