"""Laws of stories that hold for every valid trace, and for text that attacks its reader."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.safety.symbols import visible
from explainkit.session import Run
from explainkit.session.story import RunStory
from explainkit.store import Recording
from explainkit.testing.building import TraceBuilder
from explainkit.testing.strategies import traces
from explainkit.view.skin import STYLES
from explainkit.view.story.composing import AFTER, BODY, WALKS
from explainkit.view.story.facts_told import SOURCES as FACT_SOURCES
from explainkit.view.story.items_told import ITEMS
from explainkit.view.story.lists import LINES, WIDTH
from explainkit.view.story.origins_told import SOURCES
from explainkit.view.story.sentences import LONGEST
from tests.view.hostile import ATTACKS
from tests.view.parsed import parsed

EDGES = 2 + 1 + 5
"""Sentences of the opening, the end and what is missing."""
MOST = BODY + AFTER + EDGES + WALKS * (FACT_SOURCES + 1 + SOURCES + 4) + ITEMS + 1
PARTS = {"start": 0, "end": 2, "origin": 4, "missing": 5}


def told(trace, **options) -> RunStory:
    return Run.loaded(Recording.of_lines(trace.lines, notes=trace.notes)).story(**options)


def part(story, sentence):
    """Which part of the story a sentence stands in."""
    notes = story.run.recording.run_length
    after = bool(sentence.seq) and sentence.seq[0] >= notes
    return PARTS.get(sentence.kind, 3 if after else 1)


def check_linked(story):
    """Every sentence names records that are there, and what happened is told in order."""
    size = len(story.run.recording)
    for each in story:
        assert list(each.seq) == sorted(set(each.seq))
        assert all(0 <= seq < size for seq in each.seq)
        assert each.text
        assert len(each.text) <= LONGEST
        assert visible(each.text) == each.text
        assert "\n" not in each.text
    parts = [part(story, each) for each in story]
    assert parts == sorted(parts)
    for number in (0, 1, 3):
        seqs = [each.seq[0] for each in story if part(story, each) == number]
        assert seqs == sorted(seqs)


@given(traces(steps=20))
def test_every_valid_trace_has_a_bounded_story_linked_to_its_records(trace):
    story = told(trace)
    check_linked(story)
    assert len(story) <= MOST
    assert [each.text for each in told(trace)] == [each.text for each in story]


@given(traces(steps=20))
def test_the_whole_story_folds_nothing_and_tells_what_the_short_one_counts(trace):
    short, full = told(trace), told(trace, full=True)
    check_linked(full)
    assert full.folded == 0
    counted = {seq for each in short if each.folded for seq in each.seq}
    assert counted <= {seq for each in full for seq in each.seq}
    for seq in counted:
        assert all(each.folded == 0 or each.kind in PARTS for each in short.of(seq))
        assert short.of(seq)


@given(traces(notes=False), st.data())
def test_every_prefix_of_a_trace_has_a_story(trace, data):
    kept = data.draw(st.integers(1, len(trace.lines)))
    story = Run.loaded(Recording.of_lines(trace.lines[:kept])).story()
    check_linked(story)
    assert len(story) <= MOST


@given(traces(steps=20))
def test_our_own_words_never_claim_a_cause(trace):
    ours = re.sub("“[^”]*”", "", str(told(trace)))
    assert "cause" not in ours


@given(traces(steps=20))
def test_displays_are_bounded_and_hold_nothing_but_our_elements(trace):
    story = told(trace)
    lines = repr(story).splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= WIDTH
    found = parsed(story._repr_html_())
    assert set(found.tags) <= {"div", "p", "ol", "li", "code", "span", "bdi"}
    assert {name for _, name, _ in found.attributes} <= {"style"}
    assert {value for _, _, value in found.attributes} <= set(STYLES.values())
    assert list(story._repr_mimebundle_()) == ["text/plain", "text/html"]
    assert len(story.to_frame()) == len(story)


def attacked(text):
    """A run in which every recorded text is an attack."""
    built = TraceBuilder(name=text)
    value = built.value(text)
    form = built.value({"role": text, "content": text, "tool_calls": [{"name": text, text: text}]})
    built.append("run_started", run="r1", name=text, question=value, source={"file": text})
    built.append("context", name=text, value=value, type=text, source=text, why=text)
    built.append("context", name=text, value=value, admitted=False, how=text, why=text)
    built.append("event", name=text, sender=text, value=form)
    link = built.append(
        "link_opened", type=text, name=text, actor=text, inputs=[{"slot": text, "value": form}]
    )
    built.append("decision", link=link, options=[text, "b"], results=[text, None], chosen=text)
    built.append("link_closed", link=link, status="answered", output=form)
    built.append("answer", value=value)
    built.append("override", from_version=1, by=text, reason=text, site=text, value=value)
    built.append("note", text=text, by=text)
    issue = {"code": text, "message": text, "path": text}
    built.append(
        "verdict", slot="answer", version=2, status="failed", judge=text, reason=text,
        issues=[issue],
    )  # fmt: skip
    built.append("lost", what="dropped", reason=text)
    built.append("finding", word=text, reason=text)
    changes = [
        {"verb": verb, "seq": seq, "name": text, "path": text, "by": text, "slots": [text]}
        for verb in ("remove", "replace", "swap", "edit", text)
        for seq in (link, None, text, 10**9, -1)
    ]
    for some in (changes, changes[:1], changes[3:5]):
        built.append("finding", word=text, interventions=some)
    return built.build("answered")


@pytest.mark.parametrize("attack", ATTACKS)
def test_recorded_text_is_only_ever_text(attack):
    for full in (False, True):
        story = told(attacked(ATTACKS[attack]), full=full)
        check_linked(story)
        found = parsed(story._repr_html_())
        assert set(found.tags) <= {"div", "p", "ol", "li", "code", "span", "bdi"}
        assert "<" not in found.naked
        assert "$" not in found.naked
