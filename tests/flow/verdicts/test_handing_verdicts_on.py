"""A verdict is handed on whole, from whatever carries it, and nothing else passes for one."""

import json
from typing import Literal

import pytest

from explainkit.errors import ConsentPendingError, PolicyHaltError, VerdictKindError
from explainkit.flow.outcomes import Answered, Failed, Refused
from explainkit.flow.verdicts import (
    CHILD_VERDICT_KEY,
    ConsentPending,
    PolicyHalt,
    TerminalVerdict,
    UnknownVerdict,
    carry_verdict,
    child_outcome,
    raise_child_verdict,
    verdict_from_json,
)

HALT = PolicyHalt(reason="no refunds", sequence=({"name": "refund"},))
CONSENT = ConsentPending(waiting="the refund")


def state_of(*states):
    merged = {}
    for each in states:
        merged |= each
    return merged


class TestACarriedVerdict:
    @pytest.mark.parametrize("stored", ["as it is", "as JSON", "unpacked", "unpacked as JSON"])
    def test_is_raised_in_whatever_form_the_state_kept_it(self, stored):
        state = carry_verdict(HALT)
        if stored.startswith("unpacked"):
            state = {key: each[0] for key, each in state.items()}
        if stored.endswith("JSON"):
            state = json.loads(json.dumps(state, default=TerminalVerdict.to_json))
        with pytest.raises(PolicyHaltError) as raised:
            raise_child_verdict(state.get)
        assert raised.value.verdict == HALT

    def test_of_two_the_last_merged_stands_whole(self):
        with pytest.raises(ConsentPendingError):
            raise_child_verdict(state_of(carry_verdict(HALT), carry_verdict(CONSENT)).get)

    @pytest.mark.parametrize("nothing", [None, (), []])
    def test_that_is_not_there_raises_nothing(self, nothing):
        raise_child_verdict({CHILD_VERDICT_KEY: nothing}.get)

    @pytest.mark.parametrize(
        "strange", ["halted", 7, [7], {"reason": "no"}, {"kind": "policy-halt"}]
    )
    def test_that_is_none_is_no_reason_to_go_on(self, strange):
        with pytest.raises(VerdictKindError):
            raise_child_verdict({CHILD_VERDICT_KEY: strange}.get)

    def test_of_an_unknown_kind_is_raised_too(self):
        with pytest.raises(Exception, match="ended on the verdict nobody-knows-it") as raised:
            raise_child_verdict({CHILD_VERDICT_KEY: [{"kind": "nobody-knows-it"}]}.get)
        assert isinstance(raised.value.verdict, UnknownVerdict)


@pytest.mark.parametrize("strange", [None, [], "policy-halt", 7, {"kind": 7}])
def test_what_is_no_verdict_is_told_so(strange):
    with pytest.raises(VerdictKindError, match="is no terminal verdict: it has no kind"):
        verdict_from_json(strange)


class Foreign:
    def __init__(self, end):
        self.end = end

    def outcome_of(self, output):
        return self.end


class TestAnOutcomeOfSomebodyElse:
    @pytest.mark.parametrize("end", [None, "refused", 7])
    def test_that_is_none_is_told_so(self, end):
        with pytest.raises(TypeError, match=r"Foreign.outcome_of\(...\) gave"):
            child_outcome(Foreign(end), {})

    @pytest.mark.parametrize("verdict", [None, "no", {"kind": "policy-halt"}])
    def test_refuses_on_a_verdict(self, verdict):
        with pytest.raises(TypeError, match="is no terminal verdict"):
            child_outcome(Foreign(Refused(verdict)), {})

    @pytest.mark.parametrize("error", ["no", None, KeyboardInterrupt()])
    def test_fails_with_an_error(self, error):
        with pytest.raises(TypeError, match="is no Exception"):
            child_outcome(Foreign(Failed(error)), {})


@pytest.mark.parametrize("value", [Refused(HALT), [HALT], {"kind": "policy-halt"}, HALT])
def test_a_value_that_looks_like_an_end_stays_an_answer(value):
    assert child_outcome(lambda value: value, value) == Answered(value)


def test_a_kind_of_ones_own_keeps_its_error_in_a_carried_state():
    class Spent(TerminalVerdict):
        kind: Literal["spent"] = "spent"

    with pytest.raises(Exception, match="spent") as raised:
        raise_child_verdict(carry_verdict(Spent()).get)
    assert raised.value.verdict == Spent()
