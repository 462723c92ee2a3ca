"""Bisection names a link whose inputs are right and whose value is wrong, in few questions."""

from math import ceil, log2

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from explainkit.whatif.searching import Inquiry, drive, first_wrong
from explainkit.whatif.searching.slices import WEIGHED_WHOLE, Slice


def chain(length):
    return {step: [step - 1] for step in range(1, length)}


@st.composite
def graphs(draw, most=14):
    """Inputs of numbered links, each made from earlier ones; the last link is the answer."""
    count = draw(st.integers(1, most))
    return {
        link: draw(st.lists(st.integers(0, link - 1), max_size=3)) if link else []
        for link in range(count)
    }


def behind(inputs, target):
    found, waiting = set(), [target]
    while waiting:
        if (link := waiting.pop()) not in found:
            found.add(link)
            waiting += inputs.get(link, [])
    return found


def is_first_wrong(inputs, link, wrong):
    return link in wrong and not any(one in wrong for one in inputs.get(link, []))


@given(inputs=graphs(), data=st.data())
def test_the_link_named_is_wrong_and_its_inputs_are_right(inputs, data):
    target = max(inputs)
    wrong = data.draw(st.sets(st.sampled_from(sorted(inputs)))) | {target}
    found = drive(first_wrong(inputs, target), lambda question: question.link not in wrong)
    assert is_first_wrong(inputs, found.link, wrong)
    assert set(found.inputs) == set(inputs[found.link])
    assert len(found.answers) <= len(behind(inputs, target)) - 1
    assert len({link for link, _ in found.answers}) == len(found.answers)


@given(inputs=graphs(), data=st.data())
def test_don_t_know_leaves_only_links_that_the_answers_allow(inputs, data):
    target = max(inputs)
    links = st.sampled_from(sorted(inputs))
    wrong = data.draw(st.sets(links)) | {target}
    unknown = data.draw(st.sets(links))

    def oracle(question):
        return None if question.link in unknown else question.link not in wrong

    found = drive(first_wrong(inputs, target), oracle)
    assert any(is_first_wrong(inputs, link, wrong) for link in found.candidates)
    assert set(found.candidates[:-1]) <= unknown
    if found.link is not None:
        assert is_first_wrong(inputs, found.link, wrong)
    else:
        assert "is one of" in str(found)


@given(length=st.integers(1, 300), data=st.data())
def test_a_chain_takes_at_most_log2_questions(length, data):
    fault = data.draw(st.integers(0, length - 1))
    found = drive(first_wrong(chain(length), length - 1), lambda asked: asked.link < fault)
    assert found.link == fault
    assert len(found.answers) <= ceil(log2(length))


@given(length=st.integers(2, 200), data=st.data())
def test_one_don_t_know_on_a_chain_costs_one_more_question(length, data):
    fault = data.draw(st.integers(0, length - 1))
    first = first_wrong(chain(length), length - 1).question.link
    assume(fault not in (first, first + 1))
    found = drive(
        first_wrong(chain(length), length - 1),
        lambda asked: None if asked.link == first else asked.link < fault,
    )
    assert found.link == fault
    assert len(found.answers) <= ceil(log2(length)) + 2  # itself, and the halves are uneven by one


def ladder(rungs):
    """Two chains that feed each other: every link of a rung was made from both of the last one."""
    return {
        (rung, side): [(rung - 1, "left"), (rung - 1, "right")] if rung else []
        for rung in range(rungs)
        for side in ("left", "right")
    }


@pytest.mark.parametrize("fault", [0, 13, 31, 63])
def test_a_ladder_of_links_is_halved_too(fault):
    inputs = ladder(64) | {"answer": [(63, "left"), (63, "right")]}
    found = drive(
        first_wrong(inputs, "answer"),
        lambda asked: asked.link[0] < fault or asked.link == (fault, "right"),
    )
    assert found.link == (fault, "left")
    assert len(found.answers) <= 10


def test_branches_that_meet_are_asked_at_their_ends_first():
    inputs = {(branch, step): [(branch, step - 1)] for branch in range(8) for step in range(1, 8)}
    inputs["answer"] = [(branch, 7) for branch in range(8)]
    found = drive(first_wrong(inputs, "answer"), lambda asked: asked.link[0] != 5)
    assert found.link == (5, 0)
    assert len(found.answers) <= 8 + 3


@given(inputs=graphs(most=10))
def test_what_an_answer_would_leave_is_counted_exactly(inputs):
    target = max(inputs)
    links = Slice(inputs, target)
    region = links.region(links.place_of[target], frozenset())
    for place, count in links._left_if_wrong(region).items():
        assert count == len(behind(inputs, links.links[place]))


def test_a_very_long_chain_is_halved_by_evenly_spaced_links():
    length = WEIGHED_WHOLE * 3
    found = drive(first_wrong(chain(length), length - 1), lambda asked: asked.link < 777)
    assert found.link == 777
    assert len(found.answers) <= ceil(log2(length)) + 1


def dense(length):
    """A chat: every link was made from all earlier ones."""
    return {link: list(range(link)) for link in range(length)}


def test_in_a_chat_the_search_is_short_and_then_the_inputs_of_the_link_found_are_checked():
    found = drive(first_wrong(dense(60), 59), lambda asked: asked.link < 33)
    assert (found.link, found.presumed) == (33, ())
    assert found.inputs == tuple(range(33))
    assert len(found.answers) <= 33 + 6


def test_the_inputs_may_be_presumed_right_and_that_is_said():
    found = drive(first_wrong(dense(60), 59, presume=True), lambda asked: asked.link < 33)
    assert (found.link, len(found.answers)) == (33, 6)
    assert len(found.presumed) > 20
    assert str(found).endswith(
        f"after 6 questions; {len(found.presumed)} of its inputs presumed right"
    )


def test_a_wrong_value_behind_a_right_one_is_still_found():
    """The summary is right by luck; the answer used the wrong fact behind it directly."""
    inputs = {"answer": ["summary", "fact"], "summary": ["fact"], "fact": ["page"], "page": []}
    found = drive(first_wrong(inputs, "answer"), lambda asked: asked.link in ("summary", "page"))
    assert (found.link, found.inputs) == ("fact", ("page",))


def test_checking_says_whom_it_is_about():
    inquiry = first_wrong(dense(4), 3)
    suspects = []
    while not inquiry.is_done:
        suspects.append(inquiry.question.suspect)
        inquiry.answer("right")
    assert suspects[0] is None
    assert suspects[-1] == 3


def test_an_answer_without_inputs_is_named_without_a_question():
    inquiry = first_wrong({}, "answer")
    assert inquiry.is_done
    assert (inquiry.result.link, inquiry.result.answers) == ("answer", ())


def test_the_question_says_how_many_more_are_to_come():
    question = first_wrong(chain(60), 59).question
    assert (question.number, question.among, question.about_more) == (1, 60, 6)


def test_links_that_the_answer_was_not_made_from_are_never_asked_about():
    inputs = chain(8) | {"elsewhere": [3]}
    asked = []
    drive(first_wrong(inputs, 7), lambda question: asked.append(question.link) or False)
    assert asked
    assert "elsewhere" not in asked


def test_a_cycle_is_refused_by_name():
    with pytest.raises(ValueError, match="'b' is made from itself"):
        first_wrong({"a": ["b"], "b": ["c"], "c": ["b"]}, "a")


def test_another_kind_of_answer_is_refused_and_the_question_stays():
    inquiry = first_wrong(chain(4), 3)
    before = inquiry.question
    for given_answer in ("maybe", 1, 0.0, [True]):
        with pytest.raises(ValueError, match="is no answer"):
            inquiry.answer(given_answer)
    assert inquiry.question == before


class TestAnUnsureTarget:
    @given(length=st.integers(1, 300), data=st.data())
    def test_it_costs_one_question_more(self, length, data):
        fault = data.draw(st.integers(0, length - 1))
        inquiry = first_wrong(chain(length), length - 1, sure=False)
        assert inquiry.question.opening
        assert inquiry.question.about_more == ceil(log2(length)) + 1
        found = drive(inquiry, lambda asked: asked.link < fault)
        assert found.link == fault
        assert found.answers[0] == (length - 1, "wrong")
        assert len(found.answers) <= ceil(log2(length)) + 1

    def test_one_that_is_right_ends_it(self):
        found = drive(first_wrong(chain(9), 8, sure=False), lambda asked: True)
        assert (found.link, found.candidates, found.nothing) == (None, (), True)
        assert str(found) == "nothing is wrong: what was asked about is right, after 1 question"

    @pytest.mark.parametrize("said", ["wrong", "don't know"])
    def test_what_is_known_of_it_is_not_asked(self, said):
        found = drive(first_wrong(chain(9), 8, known={8: said}, sure=False), lambda q: q.link < 4)
        assert found.link == 4
        assert 8 not in dict(found.answers)

    def test_one_that_is_known_to_be_right_ends_it_at_once(self):
        assert first_wrong(chain(9), 8, known={8: "right"}, sure=False).result.nothing


class TestKnownVerdicts:
    def test_they_save_questions(self):
        known = {20: "right", 40: "wrong"}
        found = drive(first_wrong(chain(60), 59, known=known), lambda asked: asked.link < 33)
        assert found.link == 33
        assert all(20 < link < 40 for link, _ in found.answers)

    def test_known_don_t_knows_are_not_asked(self):
        known = dict.fromkeys(range(1, 7), "don't know")
        found = drive(first_wrong(chain(8), 7, known=known), lambda asked: True)
        assert [link for link, _ in found.answers] == [0]
        assert found.candidates == (1, 2, 3, 4, 5, 6, 7)

    def test_an_answer_that_passed_before_contradicts_that_it_is_wrong(self):
        result = first_wrong(chain(4), 3, known={3: "right"}).result
        assert result.link is None
        assert str(result.contradiction) == "3 was first said to be wrong, then right"


class TestContradictions:
    def test_the_same_call_judged_both_ways_is_said(self):
        """Links 2 and 5 of the chain made the very same call."""
        inquiry = first_wrong(chain(8), 7, known={2: "wrong", 5: "right"}, same={2: "k", 5: "k"})
        assert inquiry.result.link is None
        assert str(inquiry.result) == (
            "the answers contradict each other after 0 questions: "
            "5 (the same call as 2) was first said to be wrong, then right"
        )

    def test_an_answer_goes_for_every_link_that_made_the_same_call(self):
        inputs = {"end": ["x", "y"], "x": [], "y": []}
        found = drive(first_wrong(inputs, "end", same={"x": 1, "y": 1}), lambda asked: True)
        assert (found.link, len(found.answers)) == ("end", 1)

    def test_a_wavering_oracle_is_found_out_when_asked_again(self):
        def wavering(asked):
            return "right" if asked.again else "wrong"

        found = drive(first_wrong(chain(9), 8, confirm=True), wavering)
        assert found.link is None
        assert found.candidates == ()
        assert "0 was first said to be wrong, then right" in str(found)

    def test_an_oracle_that_finds_everything_right_contradicts_the_wrong_answer(self):
        found = drive(first_wrong(chain(9), 8, confirm=True), lambda asked: True)
        assert str(found.contradiction) == "8 was first said to be wrong, then right"

    def test_a_steady_oracle_is_confirmed(self):
        found = drive(first_wrong(chain(16), 15, confirm=True), lambda asked: asked.link < 6)
        assert (found.link, found.contradiction) == (6, None)
        assert len(found.answers) == 4 + 2

    @given(inputs=graphs(most=8), data=st.data())
    def test_random_answers_end_in_a_result_or_a_contradiction(self, inputs, data):
        inquiry = first_wrong(inputs, max(inputs), confirm=data.draw(st.booleans()))
        assert isinstance(inquiry, Inquiry)
        found = drive(inquiry, lambda asked: data.draw(st.sampled_from([True, False, None])))
        assert (found.contradiction is not None) == (not found.candidates)
