"""That no strong run is possible is only said where none is found."""

from hypothesis import given
from hypothesis import strategies as st

from explainkit.text.matching import build_index

WORDS = [
    "fare",
    "fares",
    "delay",
    "tariff",
    "Ines",
    "Harlow",
    "zone-17",
    "1,234.5",
    "60",
    "min",
    "half",
]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)


@given(st.lists(TEXTS, min_size=2, max_size=6, unique=True), st.data())
def test_what_is_not_possible_is_not_found(texts, data):
    index = build_index(texts)
    target = data.draw(st.integers(0, len(texts) - 1))
    start = data.draw(st.integers(0, len(texts[target])))
    end = data.draw(st.integers(start, len(texts[target])))
    sources = [each for each in range(len(texts)) if each != target]
    found = [
        match
        for match in index.between(target, sources)
        if match.strong and match.target_start < end and match.target_end > start
    ]
    assert not found or index.may_be_strong(target, [(start, end)], sources)


def test_words_that_the_other_text_lacks_are_not_looked_for():
    index = build_index(["Line 4 has 28 words of text.", "Line 4 has 28 letters of text."])
    assert not index.may_be_strong(1, [(14, 22)], [0])
    assert build_index(
        [
            "The bridge of Avignon closed at 17:45.",
            "It says: the bridge of Avignon closed at 17:45.",
        ]
    ).may_be_strong(1, [(0, 40)], [0])
