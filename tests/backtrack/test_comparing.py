"""Two runs side by side: what matches, where they part, and what differs before that."""

import pytest
from hypothesis import given

import explainkit as ek
from explainkit.backtrack.comparing import compare
from explainkit.session.diffs import Diff
from explainkit.store import Recording
from explainkit.testing.strategies import traces

NOTE = "We pay back half of the fare."


@ek.link(kind="model")
def ask(prompt):
    return f"reply to {prompt}"


@ek.link(kind="tool")
def look_up(word):
    return word.upper()


def claim(*, note=NOTE, words=("a", "b"), say=None, tone="plain"):
    with ek.trace("claim", question="How much?") as run:
        ek.context("tariff", "Nothing below 60 minutes.")
        if note is not None:
            ek.context("note", note, kind="memory")
        found = [look_up(word) for word in words]
        reply = ask("|".join(found))
        ek.answer(say or reply)
        ek.override(lambda text: f"{tone}: {text}", by="tone")
    return run


def test_the_same_run_differs_in_nothing():
    found = ek.diff(claim(), claim())
    assert found.is_same
    assert repr(found).startswith("Nothing that was recorded differs.")
    assert [pair.is_matched for pair in found.found.pairs] == [True] * 3


def test_an_added_call_is_found_and_the_others_still_match():
    found = ek.diff(claim(words=("a", "b")), claim(words=("a", "x", "b")))
    alone = [pair for pair in found.found.pairs if not pair.is_matched]
    assert [(pair.a, pair.name) for pair in alone] == [(None, "look_up")]
    assert found.to_frame().shape == (4, 6)


def test_the_runs_part_where_the_same_was_given_and_something_else_came():
    flips = iter(["yes", "no"])

    @ek.link(kind="model")
    def moody(prompt):
        return next(flips)

    def run():
        with ek.trace("moody") as held:
            ek.answer(ask(moody("Well?")))
        return held

    parted = ek.diff(run(), run()).divergence
    assert (parted.how, parted.pair.name) == ("output", "moody")
    assert parted.outputs == ("yes", "no")
    assert parted.given == ("prompt: Well?", "prompt: Well?")


def test_of_links_in_one_another_the_innermost_is_where_they_part():
    flips = iter(["yes", "no"])

    @ek.link
    def inner():
        return next(flips)

    @ek.link
    def outer():
        return f"said {inner()}"

    def run():
        with ek.trace("nested") as held:
            ek.answer(outer())
        return held

    assert ek.diff(run(), run()).divergence.pair.name == "inner"


def test_context_that_is_missing_changed_or_moved_is_named():
    def changes(a, b):
        return [(each.name, each.how) for each in ek.diff(a, b).contexts]

    assert changes(claim(), claim(note=None)) == [("note", "only in a")]
    assert changes(claim(note=None), claim()) == [("note", "only in b")]
    assert changes(claim(), claim(note="else")) == [("note", "changed")]

    def ordered(*names):
        with ek.trace("order") as run:
            for name in names:
                ek.context(name, name)
        return run

    assert changes(ordered("x", "y"), ordered("y", "x")) == [("x", "moved")]

    def offered(*, admitted):
        with ek.trace("left") as run:
            if admitted:
                ek.context("page", "text")
            else:
                ek.left_out("page", "text", why="too long")
        return run

    pair = offered(admitted=True), offered(admitted=False)
    assert changes(*pair) == [("page", "left out in b")]


def test_answers_overrides_and_verdicts_differ_by_words():
    good, bad = claim(), claim(say="half", tone="loud")
    good.verdict("passed", judge="reviewer")
    found = ek.diff(good, bad)
    assert [(each.slot, each.same) for each in found.answers] == [("answer", False)]
    assert found.overrides == ()
    assert [(each.side, each.words) for each in found.verdicts] == [
        ("a", "passed, says reviewer of answer")
    ]


def test_runs_that_ended_without_an_answer_say_how_they_ended():
    with pytest.raises(ValueError), ek.trace("fails") as run:
        raise ValueError("no")
    (answer,) = ek.diff(claim(), run).answers
    assert answer.after == "no answer (error)"


def test_a_what_if_is_held_against_its_origin_without_what_reused_links_left_out():
    @ek.link(kind="retrieval")
    def retrieve(question):
        ek.left_out("page 9", "far away", why="rank 9")
        return ["near"]

    @ek.traced("claim")
    def traced_claim(question):
        note = ek.context("note", NOTE)
        pages = retrieve(question)
        return ask(ek.assemble("{note} {pages}", note=note, pages=pages))

    traced_claim("How much?")
    run = ek.last()
    found = run.whatif(remove="note").diff
    assert [(each.name, each.how) for each in found.contexts] == [("note", "changed")]


PAGES = ["Opening hours: open on Thursday until 21:00.", "The shop sells cards."]


@ek.link(kind="retrieval", deterministic=True)
def pages_of(question):
    ek.left_out("new", "Late evenings were ended.", why="rank 3")
    return list(PAGES)


@ek.link(kind="model", deterministic=True)
def hours(prompt):
    ended = "were ended" in prompt
    return "Until 21:00." if "21:00" in prompt and not ended else "Until 17:00."


def museum():
    @ek.traced("museum")
    def program(question):
        return hours("\n".join(pages_of(question)))

    program("When do you close?")
    return ek.last()


@pytest.mark.parametrize(
    "change",
    [
        {"remove": ("pages_of", 0)},
        {"replace": {("pages_of", "21:00"): "18:00"}},
        {"reorder": {"pages_of": [1, 0]}},
        {"swap": {"pages_of": ["Nothing."]}},
        {"restore": "new"},
    ],
)
def test_a_what_if_is_said_to_have_given_a_link_the_result_that_it_gave_it(change):
    found = museum().whatif(**change).diff
    assert (found.divergence.how, found.divergence.pair.name) == ("changed", "pages_of")
    assert "the what-if gave it another result" in repr(found)
    assert "given the same" not in repr(found)
    assert "It gave" in found._repr_html_()
    assert "the what-if gave it another result" in found._repr_html_()


def test_a_link_that_draws_by_chance_in_a_re_run_is_told_as_in_any_two_runs():
    drawn = iter(range(100))

    @ek.link
    def draw():
        return next(drawn)

    @ek.traced("draws")
    def program(question):
        number, note = draw(), ek.context("note", "Say it.")
        return hours(f"{note} {number} {draw()}")

    program("Which?")
    found = ek.last().whatif(remove="note").diff
    assert found.divergence is None or found.divergence.how != "changed"


def test_what_was_measured_of_a_run_later_is_no_difference_of_two_runs():
    one, other = museum(), museum()
    one.whatif(remove=("pages_of", 0))
    assert ek.diff(one, other).is_same
    one.note("Looked at by Ann.")
    assert [each.name for each in ek.diff(one, other).fields] == ["notes"]


def test_a_text_that_is_cut_at_its_beginning_is_marked_there():
    long = "Opening hours of the museum are told here at length. " * 12
    text = repr(ek.diff(claim(note=f"{long}until 21:00."), claim(note=f"{long}until 18:00.")))
    (line,) = (line for line in text.split("\n") if "21:00" in line)
    assert line.split("first run:  ", 1)[1].startswith("… ")


def test_files_are_compared_by_their_paths(tmp_path):
    good, bad = claim(), claim(note=None)
    paths = [run.save(tmp_path / f"{name}.ek.jsonl") for name, run in (("g", good), ("b", bad))]
    assert ek.diff(*paths).found.contexts == ek.diff(good, bad).found.contexts


@given(traces(), traces())
def test_any_two_runs_can_be_compared_and_each_is_the_same_as_itself(one, other):
    a, b = (Recording.of_lines(each.lines) for each in (one, other))
    for left, right in ((a, b), (b, a)):
        found = Diff(compare(left, right))
        assert repr(found)
        assert found._repr_html_().startswith("<div")
        pairs = found.found.pairs
        for side, recording in (("a", left), ("b", right)):
            seqs = [getattr(pair, side) for pair in pairs if getattr(pair, side) is not None]
            assert seqs == [row["seq"] for row in recording.rows("link_opened")]
    same = compare(a, a)
    assert same.is_same


def test_two_trials_of_a_real_task_part_somewhere_and_say_so(shared_data):
    (path,) = (shared_data / "recorded" / "tau_bench").glob("*.json")
    runs = {run.name: run for run in ek.load_all(path)}
    found = ek.diff(runs["tau-airline-6-trial-0"], runs["tau-airline-6-trial-1"])
    assert found.divergence is not None
    assert {each.side for each in found.verdicts} == {"a", "b"}


def test_what_is_no_run_is_refused_in_plain_words():
    with ek.trace("one") as run:
        ek.answer("yes")
    with pytest.raises(TypeError, match=r"ek\.diff holds two runs.*got None.*ek\.last\(\)"):
        ek.diff(run, None)
