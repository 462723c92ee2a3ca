"""Results that are copied or pickled, as by a framework that does so with whatever it is given."""

import copy
import pickle

import pytest

from explainkit.answering import UNSET, CheckResult
from tests.answering.flow_parts import PASSED, failed, run


def answered():
    return run(
        "ab",
        generate=lambda *, items, **_: {each.id: {"text": [each.id]} for each in items},
        check=lambda *, item, **_: PASSED if item.id == "a" else failed(),
    )


def test_a_deep_copy_has_values_of_its_own_and_knows_the_same_run():
    results = answered()
    copied = copy.deepcopy(results)
    assert copied == results
    assert copied["a"].value is not results["a"].value
    assert copied["b"].value is UNSET
    assert copied.run is results.run
    assert copied.ladders.text() == results.ladders.text()
    assert list(copied.to_frame()["status"]) == ["accepted", "blocked"]
    assert copied[1:].ladders.text() == results.ladder("b").text()


def test_a_deep_copy_keeps_what_is_shared_with_other_objects():
    results = answered()
    whole = copy.deepcopy({"all": results, "first": results["a"].value})
    assert whole["first"] is whole["all"]["a"].value


def test_a_shallow_copy_is_the_results_themselves():
    results = answered()
    assert copy.copy(results) is results


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_says_what_to_keep_instead(protocol):
    with pytest.raises(TypeError, match=r"results\.to_frame\(\).*results\.run\.save\(path\)"):
        pickle.dumps(answered(), protocol)


def test_no_value_stays_no_value_in_a_copy():
    assert copy.deepcopy(CheckResult("passed")).value is UNSET
    assert copy.copy(UNSET) is UNSET
    assert pickle.loads(pickle.dumps(UNSET)) is UNSET
