"""Random batches, ports and policies against a reference model of the policy, in ten lines."""

import asyncio
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

import explainkit as ek
from explainkit.answering import AnswerItem, CheckResult, OperationContext, Recovery
from explainkit.flow import Signal
from explainkit.view.ladder_rungs import ladders_of
from tests.answering.flow_parts import flow_of

MOST_REPAIRS = 3
ROUNDS = MOST_REPAIRS + 1


@dataclass(frozen=True)
class Scripted:
    """What happens to an item, round by round."""

    ready: bool
    values: tuple[bool, ...]
    checks: tuple[str, ...]
    reviews: tuple[str, ...]
    fallback: str


@dataclass(frozen=True)
class Case:
    """A batch, what its ports do as a whole, and the policy."""

    items: tuple[Scripted, ...]
    generates: tuple[str, ...]
    reviews: tuple[str, ...]
    budget: tuple[tuple[bool, bool], ...]
    repairs: int
    policy: str
    has_review: bool
    awaits: bool

    @property
    def due(self):
        return self.has_review and self.policy != "off"


def in_rounds(**weights):
    """What happens in each round, with how often of all together."""
    drawn = [each for each, weight in weights.items() for _ in range(weight)]
    return st.tuples(*[st.sampled_from(drawn)] * ROUNDS)


def flags(*pairs):
    """Pairs of flags in each round."""
    return st.tuples(*[st.sampled_from(pairs)] * ROUNDS)


SCRIPTED = st.builds(
    Scripted,
    ready=st.sampled_from([True, True, True, False]),
    values=st.tuples(*[st.sampled_from([True] * 7 + [False])] * ROUNDS),
    checks=in_rounds(
        passed=10, value=4, failed=5, unavailable=1, **{"not-run": 1}, raises=1, awaits=1
    ),
    reviews=in_rounds(passed=5, failed=5, unavailable=1, **{"not-run": 1}, nonsense=1),
    fallback=st.sampled_from(["handled", "not", "raises"]),
)
CASES = st.builds(
    Case,
    items=st.lists(SCRIPTED, max_size=5).map(tuple),
    generates=in_rounds(gives=12, raises=1, list=1),
    reviews=in_rounds(gives=8, raises=1, fewer=1, more=1),
    budget=flags(*[(True, True)] * 14, (True, False), (False, True)),
    repairs=st.integers(0, MOST_REPAIRS),
    policy=st.sampled_from(["optional", "required", "off"]),
    has_review=st.sampled_from([True, True, False]),
    awaits=st.booleans(),
).filter(lambda case: case.has_review or case.policy != "required")


def model(case, item):
    """The end of an item."""
    last = "fallback" if item.fallback == "handled" else "blocked"
    for n in range(case.repairs + 1 if item.ready else 0):
        if not case.budget[n][0]:
            return last
        if case.generates[n] != "gives" or not item.values[n] or item.checks[n] == "failed":
            continue
        if item.checks[n] not in ("passed", "value"):
            return last
        told = case.budget[n][1] and case.reviews[n] == "gives" and item.reviews[n]
        if not case.due or told == "passed":
            return "accepted"
        if told != "failed":
            return "accepted" if case.policy == "optional" else "blocked"
    return last


class Ports:
    """The ports of a case, which remember what they were asked."""

    def __init__(self, case):
        self.case = case
        self.script = {f"q{n}": each for n, each in enumerate(case.items)}
        self.asked = []
        self.passed = set()
        self.due = False

    @property
    def n(self):
        return len(self.asked) - 1

    def can_invoke(self, context):
        if self.due:
            self.due = False
            return self.case.budget[self.n][1]
        return self.case.budget[self.n + 1][0]

    def generate(self, *, items, repairs, previous, context):
        ids = [each.id for each in items]
        assert list(repairs) == (ids if self.asked else [])
        assert set(previous) <= set(ids)
        assert not self.passed & set(ids)
        self.asked.append(ids)
        how = self.case.generates[self.n]
        if how == "raises":
            raise RuntimeError("no model")
        if how == "list":
            return ids
        return {i: f"{i} in round {self.n}" for i in ids if self.script[i].values[self.n]}

    def check(self, *, item, value, context):
        assert value == f"{item.id} in round {self.n}"
        said = self.script[item.id].checks[self.n]
        if said == "raises":
            raise RuntimeError("no rule")
        if said == "awaits":
            return asyncio.sleep(0)
        if said in ("passed", "value"):
            self.due = self.case.due
            if not self.due:
                self.passed.add(item.id)
        return CheckResult("passed", value=value.upper()) if said == "value" else CheckResult(said)

    def review(self, *, items, context):
        how = self.case.reviews[self.n]
        if how == "raises":
            raise RuntimeError("nobody there")
        told = {
            each.item.id: {"status": self.script[each.item.id].reviews[self.n]} for each in items
        }
        self.passed |= {i for i, each in told.items() if each["status"] == "passed"}
        if how == "fewer":
            told.popitem()
        return told | ({"other": {"status": "passed"}} if how == "more" else {})

    def fallback(self, *, item, issues, context):
        assert item.id not in self.passed
        said = self.script[item.id].fallback
        if said == "raises":
            raise RuntimeError("no rest")
        return Recovery(said == "handled", f"instead of {item.id}")

    def flow(self):
        ports = {name: getattr(self, name) for name in ("generate", "review", "fallback")}
        if self.case.awaits:
            ports = {name: awaiting(port) for name, port in ports.items()}
        if not self.case.has_review:
            ports.pop("review")
        return flow_of(
            max_repairs=self.case.repairs,
            review_policy=self.case.policy,
            can_invoke=self.can_invoke,
            check=self.check,
            **ports,
        )

    def batch(self):
        return [
            AnswerItem(i, ["in"], "ready" if each.ready else "lost", i)
            for i, each in self.script.items()
        ]


def awaiting(port):
    async def later(**given):
        await asyncio.sleep(0)
        return port(**given)

    return later


@settings(max_examples=200, deadline=None)
@given(CASES)
def test_every_item_ends_as_the_model_says_and_passed_ones_are_never_asked_for_again(case):
    ports = Ports(case)
    batch = ports.batch()
    if any(how in ("fewer", "more") for how in case.reviews):
        ports.passed = Forgetful()
    results = ports.flow().run_sync(input_ids=["in"] if batch else [], items=batch)
    assert [each.status for each in results] == [model(case, item) for item in case.items]
    assert [each.item for each in results] == batch
    assert len(ports.asked) <= case.repairs + 1
    asked = [i for ids in ports.asked for i in ids]
    assert [each.rounds for each in results] == [asked.count(each.item.id) for each in results]
    the_record_tells_the_same(results)


class Forgetful(set):
    """Takes nothing: what a review of wrong ids said counts for nothing."""

    def __ior__(self, other):
        return self


def the_record_tells_the_same(results):
    run = results.run
    assert run.doctor() == []
    ladders = ladders_of(run.recording)
    assert [(each.item, each.status) for each in ladders] == [
        (each.item.id, each.status) for each in results
    ]
    for ladder, result in zip(ladders, results, strict=True):
        told = [rung for rung in ladder.rungs if rung.what == "check"]
        assert [rung.status for rung in told] == [each.status for each in result.checks]
        told = [rung for rung in ladder.rungs if rung.what == "review"]
        assert [rung.status for rung in told] == [each.status for each in result.reviews]
        versions = [
            r.version
            for r in ladder.rungs
            if r.what in ("draft", "repair", "value", "fallback") and r.version
        ]
        assert versions == list(range(1, len(versions) + 1))
    opened = [row["seq"] for row in run.recording.rows("link_opened")]
    assert sorted(row["link"] for row in run.recording.rows("link_closed")) == opened


@settings(max_examples=60, deadline=None)
@given(CASES, st.sampled_from(["generate", "check", "review", "fallback"]), st.integers(1, 6))
def test_a_flow_that_is_cancelled_at_any_call_keeps_what_had_ended(case, where, when):
    ports, signal = Ports(case), Signal()
    batch, calls = ports.batch(), []
    inner = getattr(ports, where)

    def cancelling(**given):
        calls.append(1)
        if len(calls) == when:
            signal.cancel()
        return inner(**given)

    setattr(ports, where, cancelling)
    if any(how in ("fewer", "more") for how in case.reviews):
        ports.passed = Forgetful()
    context = OperationContext(signal=signal)
    flow = ports.flow()

    async def main():
        return await flow.outcome(
            input_ids=["in"] if batch else [], items=batch, context=context, to=None
        )

    outcome = asyncio.run(main())
    run = ek.last()
    assert run.doctor() == []
    expected = {f"q{n}": model(case, item) for n, item in enumerate(case.items)}
    for ladder in ladders_of(run.recording):
        assert ladder.status in ("unfinished", expected[ladder.item])
    if not signal.cancelled:
        assert [each.status for each in outcome.value] == list(expected.values())
    else:
        assert run.status == "cancelled"
