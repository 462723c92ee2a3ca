"""Two runs are the same only where everything on record is, and slots pair by what they are of."""

import contextlib

import pytest

import explainkit as ek
from explainkit.flow import Agent, Sequence
from explainkit.flow.models import CallableModel
from tests.session.test_pick_slots import approved


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return f"Reply to {prompt}"


def recorded(q="q", extra=1, *, left=None, sender=None, raises=None, **context):
    """A run whose records are the same, but for what is asked of it."""

    @ek.traced("told", question="q")
    def told(q, extra=1):
        note = ek.context("note", "x", **context)
        if left:
            ek.left_out("page", "far", why=left)
        ek.event("arrived", "hello", sender=sender)
        reply = ask(note)
        if raises:
            raise ValueError(raises)
        return reply

    with contextlib.suppress(ValueError):
        told(q, extra=extra)
    return ek.last()


@pytest.mark.parametrize(
    ("one", "other", "named", "texts"),
    [
        ({}, {"q": "z"}, "argument q", ("q", "z")),
        ({}, {"extra": 2}, "argument extra", ("1", "2")),
        ({}, {"kind": "memory"}, "context 'note': kind", ("fact", "memory")),
        ({}, {"source": "desk.md"}, "context 'note': source", ("", "desk.md")),
        ({"why": "a"}, {"why": "b"}, "context 'note': why", ("a", "b")),
        ({"left": "a"}, {"left": "b"}, "context 'page': why", ("a", "b")),
        ({"sender": "x"}, {"sender": "y"}, "event 'arrived': sender", ("x", "y")),
        (
            {"raises": "a"},
            {"raises": "b"},
            "error at the end",
            ("ValueError: a", "ValueError: b"),
        ),
    ],
)
def test_what_differs_is_never_called_the_same(one, other, named, texts):
    found = ek.diff(recorded(**one), recorded(**other))
    assert not found.is_same
    assert [(each.name, each.before, each.after) for each in found.fields] == [(named, *texts)]
    assert repr(found).startswith(f"Every link of both runs is the same; what differs: {named}.")
    assert named.partition("'")[0] in found._repr_html_()


@pytest.mark.parametrize("settings", [{}, {"raises": "a"}, {"left": "far"}])
def test_two_recordings_of_the_same_differ_in_times_and_ids_alone(settings):
    found = ek.diff(recorded(**settings), recorded(**settings))
    assert found.is_same, found.fields


def test_a_remark_and_the_order_of_overrides_are_differences():
    def changed(*names):
        with ek.trace("changed") as run:
            ek.answer("x")
            for name in names:
                ek.override("y", by=name)
        return run

    found = ek.diff(changed("a", "b"), changed("b", "a"))
    assert [(each.name, each.before, each.after) for each in found.fields] == [
        ("override in slot answer: by", "a", "b"),
        ("override in slot answer #2: by", "b", "a"),
    ]


def test_an_answer_that_reads_the_same_and_is_another_value_differs():
    def answered(value):
        with ek.trace("typed") as run:
            ek.answer(value)
        return run

    found = ek.diff(answered(1), answered("1"))
    assert (found.is_same, found.answers[0].same) == (False, False)


def test_names_that_a_user_chose_cannot_hide_one_another():
    def offered(source):
        with ek.trace("names") as run:
            ek.context("a", "x")
            ek.context("a", "x", source=source)
            ek.context("a' #2", "x")
            ek.context("a #2", "x")
        return run

    (change,) = ek.diff(offered("one"), offered("two")).fields
    assert (change.of, change.field) == ("context 'a' #2", "source")


def steps(*before):
    reader = Agent(CallableModel(lambda prompt: "Same.", deterministic=True), name="reader")
    Sequence(*before, str.title, reader, str.upper, name="steps").run_sync("hello")
    return ek.last()


def test_answers_of_agents_pair_by_their_links_where_record_numbers_shift():
    found = ek.diff(steps(), steps(str.strip))
    answers = [each for each in found.answers if each.slot != "answer"]
    assert [(each.before, each.after, each.same) for each in answers] == [("Same.", "Same.", True)]
    (answer,) = answers
    assert answer.slot != answer.other
    assert answer.name == "answer of agent 'reader'"
    assert found.divergence.how == "only in b"


def test_picks_pair_by_their_events_where_record_numbers_shift():
    one, other = approved("ask", "stop"), approved("publish", "ask", "stop")
    found = ek.diff(one, other)
    picks = {each.name.split("'")[1]: each for each in found.answers if each.slot != "answer"}
    assert set(picks) == {"ask", "stop"}
    assert all(each.slot != each.other for each in picks.values())
    assert all("no answer" not in (each.before, each.after) for each in picks.values())


def test_a_re_run_that_differs_in_nothing_but_what_was_changed_says_only_that():
    @ek.link(kind="retrieval")
    def retrieve(question):
        ek.left_out("page 9", "far away", why="rank 9")
        return ["near"]

    @ek.traced("claim")
    def claim(question):
        pages = retrieve(question)
        return ask(ek.assemble("{n} {p}", n=ek.context("note", "half"), p=pages))

    claim("How much?")
    found = ek.last().whatif(remove="note").diff
    assert found.fields == ()
    assert [(each.name, each.how) for each in found.contexts] == [("note", "changed")]
