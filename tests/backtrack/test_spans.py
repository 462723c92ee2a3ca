"""What a span may be."""

import re

import pytest

import explainkit as ek
from explainkit.backtrack.spans import select


@pytest.mark.parametrize(
    "span", [(1, 2, 3), (1.5, 2), ("a", "b"), (True, False), [0, 3], re.compile(b"x"), b"x", 5]
)
def test_a_span_of_another_kind_is_refused_in_words(span):
    with pytest.raises(TypeError, match="A span is words of the answer"):
        select("half of the fare", span)


def test_words_in_many_places_are_each_covered_by_their_own_source():
    @ek.link(kind="model")
    def ask(prompt):
        return prompt

    with ek.trace("many") as run:
        ek.answer(ask(ek.context("note", "half fare. " * 200)))
    back = run.backtrack(span="half fare")
    assert [(each.start, each.end) for each in back.coverage] == [
        (11 * number, 11 * number + 9) for number in range(200)
    ]
    assert {(each.text, each.state) for each in back.coverage} == {("half fare", "supported")}
