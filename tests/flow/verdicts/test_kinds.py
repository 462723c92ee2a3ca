"""Terminal verdicts are plain: they go through JSON and back, and each raises its own error."""

import json
import uuid
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.errors import (
    AnswerValidationError,
    ConsentPendingError,
    MessageDeniedError,
    PolicyHaltError,
    ReliabilityFailFastError,
    UnsupportedValuesError,
    VerdictError,
    VerdictKindError,
)
from explainkit.flow import (
    Answered,
    AnswerValidation,
    Cancelled,
    CheckOutcome,
    ConsentPending,
    Exhausted,
    Failed,
    MessageDenied,
    Paused,
    PolicyHalt,
    Refused,
    ReliabilityFailFast,
    TerminalVerdict,
    UnknownVerdict,
    UnsupportedValues,
    ValidationReport,
    child_error,
    first_standing,
    register_verdict,
    verdict_from_json,
)

WORDS = st.text(max_size=30)
MAYBE = st.none() | WORDS
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.lists(st.dictionaries(WORDS, JSON, max_size=3), max_size=3)
CHECKS = st.lists(
    st.builds(
        CheckOutcome,
        id=WORDS,
        status=st.sampled_from(["passed", "failed", "unavailable", "not-run", "not-applicable"]),
        issues=st.lists(st.fixed_dictionaries({"code": WORDS, "path": MAYBE}), max_size=2),
    ),
    max_size=2,
)
KINDS = {
    ReliabilityFailFast: (
        ReliabilityFailFastError,
        st.builds(
            ReliabilityFailFast,
            fail_kind=WORDS,
            phase=st.sampled_from(["pre-check", "post-decide"]),
            attempt=st.integers(1, 99),
            provider=MAYBE,
            error_kind=MAYBE,
            error_message=MAYBE,
            reason=WORDS,
        ),
    ),
    PolicyHalt: (
        PolicyHaltError,
        st.builds(
            PolicyHalt,
            reason=WORDS,
            tell_model=MAYBE,
            sequence=OBJECTS,
            iteration=st.integers(1, 99),
            history=OBJECTS,
            checker=MAYBE,
        ),
    ),
    MessageDenied: (
        MessageDeniedError,
        st.builds(
            MessageDenied,
            reason=WORDS,
            phase=st.sampled_from(["input", "output"]),
            middleware=WORDS,
        ),
    ),
    UnsupportedValues: (
        UnsupportedValuesError,
        st.builds(
            UnsupportedValues,
            values=st.lists(WORDS, max_size=3),
            candidates=st.dictionaries(WORDS, st.lists(WORDS, max_size=2), max_size=2),
            revised=st.booleans(),
            explanation=WORDS,
        ),
    ),
    ConsentPending: (ConsentPendingError, st.builds(ConsentPending, waiting=WORDS, whom=MAYBE)),
    AnswerValidation: (
        AnswerValidationError,
        st.builds(
            AnswerValidation,
            report=st.builds(
                ValidationReport,
                validator=WORDS,
                version=MAYBE,
                mode=st.sampled_from(["required", "advisory"]),
                status=st.sampled_from(["passed", "failed", "unverified"]),
                checked=st.integers(0, 9),
                failed=st.integers(0, 9),
                unreachable=st.integers(0, 9),
                not_applicable=st.integers(0, 9),
                checks=CHECKS,
                candidate=MAYBE,
            ),
        ),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_a_verdict_goes_through_json_and_back(kind, data):
    verdict = data.draw(KINDS[kind][1])
    again = verdict_from_json(json.loads(json.dumps(verdict.to_json())))
    assert type(again) is kind
    assert again == verdict
    assert again.to_json() == verdict.to_json()


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_its_error_is_of_its_own_class_and_carries_it(kind, data):
    verdict = data.draw(KINDS[kind][1])
    error = child_error(verdict)
    assert type(error) is KINDS[kind][0]
    assert isinstance(error, VerdictError)
    assert str(error) == verdict.message()
    assert error.verdict == verdict
    for field in kind.model_fields:
        assert getattr(error, field) == getattr(verdict, field)
    with pytest.raises(AttributeError):
        _ = error.no_such_field


@given(word=st.uuids(), carries=st.dictionaries(st.text(min_size=5), JSON, max_size=3))
def test_one_of_an_unknown_kind_is_kept_as_it_is(word, carries):
    written = {**carries, "kind": f"kind {word}"}
    verdict = verdict_from_json(json.loads(json.dumps(written)))
    assert isinstance(verdict, UnknownVerdict)
    assert verdict.to_json() == written


def test_a_kind_of_ones_own_is_read_back_once_it_is_registered():
    word = f"own {uuid.uuid4()}"

    class Own(TerminalVerdict):
        kind: Literal[word] = word
        used: int

    assert isinstance(verdict_from_json({"kind": word, "used": 3}), UnknownVerdict)
    register_verdict(Own)
    assert verdict_from_json({"kind": word, "used": 3}) == Own(used=3)
    register_verdict(Own)  # a cell that is run again

    class Other(TerminalVerdict):
        kind: Literal[word] = word

    with pytest.raises(VerdictKindError, match="is registered by"):
        register_verdict(Other)
    with pytest.raises(VerdictKindError, match="does not fit"):
        verdict_from_json({"kind": word, "used": "many"})


def test_a_kind_without_a_word_is_refused():
    class Wordless(TerminalVerdict):
        pass

    with pytest.raises(VerdictKindError, match="has no word of its own"):
        register_verdict(Wordless)


STANDING = [
    Refused(ReliabilityFailFast(fail_kind="x", phase="pre-check", attempt=1)),
    Refused(PolicyHalt(reason="x")),
    Refused(MessageDenied(reason="x", phase="input", middleware="m")),
    Refused(UnsupportedValues(values=("9",))),
    Refused(ConsentPending(waiting="x")),
    Paused({}),
    Failed(ValueError("x")),
    Refused(AnswerValidation(report=ValidationReport(validator="v", status="failed"))),
    Exhausted(None),
    Answered(1),
]


@given(st.permutations(range(len(STANDING))), st.integers(1, len(STANDING)))
def test_of_several_ends_the_first_of_the_order_stands(order, count):
    chosen = order[:count]
    assert first_standing([STANDING[number] for number in chosen]) is STANDING[min(chosen)]


@given(st.lists(st.sampled_from(range(len(STANDING))), min_size=1, max_size=4))
def test_a_cancel_yields_only_to_a_verdict(chosen):
    ends = [STANDING[number] for number in chosen]
    verdicts = [number for number in chosen if isinstance(STANDING[number], Refused)]
    stands = first_standing([*ends, Cancelled()])
    assert stands == (STANDING[min(verdicts)] if verdicts else Cancelled())
