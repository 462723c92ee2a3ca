"""The public strategies: what they promise, and what they say when Hypothesis is missing."""

import sys

import pytest
from hypothesis import Phase, given, settings

from explainkit.errors import MissingExtraError
from explainkit.records import KINDS
from explainkit.safety.encoding import encode
from explainkit.testing.building import TraceBuilder
from explainkit.testing.strategies import traces, values


@given(traces(crashed=True))
def test_crashed_traces_have_no_end(trace):
    assert trace.status == "crashed"
    assert not trace.notes
    assert trace.lines[-1].startswith((b'{"kind"', b'{"check"'))


@given(traces(crashed=False, notes=False))
def test_finished_traces_close_every_link(trace):
    assert trace.open_links == ()
    assert trace.lines[-1].startswith(b'{"end"')
    assert not trace.notes


@given(values())
def test_values_are_recorded_exactly(value):
    assert encode(value).fidelity == "exact"


def test_every_form_of_value_and_every_kind_is_drawn():
    forms, kinds = set(), set()

    @settings(max_examples=150, phases=[Phase.generate], derandomize=True, database=None)
    @given(traces())
    def collect(trace):
        for row in trace.records:
            kinds.add(row["kind"])
            forms.update({"data", "parts", "items", "base"} & row.keys())

    collect()
    assert forms == {"data", "parts", "items", "base"}
    assert set(KINDS) <= kinds


def test_without_hypothesis_the_message_names_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'explainkit-jupyter\[testing\]'"):
        traces()


def test_a_trace_is_built_by_hand():
    built = TraceBuilder(run="r9", name="by hand")
    built.append("run_started", run="r9", name="by hand")
    built.append("answer", value=built.value("half"))
    trace = built.build("answered")
    assert [row["kind"] for row in trace.records] == ["run_started", "value", "answer", "run_ended"]
    assert list(trace.contents.values()) == [b'"half"']
