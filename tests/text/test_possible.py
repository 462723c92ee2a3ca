"""That no strong run is possible is only said where none is found."""

from hypothesis import event, given
from hypothesis import strategies as st

from explainkit.text.matching import build_index

WORDS = [f"{a}{b}{c}" for a in ("br", "st", "k", "m") for b in "aeiou" for c in ("nt", "rd", "l")]
SAID = st.lists(st.sampled_from([*WORDS, "1,234.5", "60 min", "zone-17"]), min_size=6, max_size=12)
BEFORE = [" ".join(WORDS[at : at + 20]) for at in range(0, 40, 20)]


@given(SAID, SAID, st.data())
def test_what_is_not_possible_is_not_found(said, other, data):
    first = data.draw(st.integers(0, len(said) - 5))
    last = data.draw(st.integers(first + 4, len(said)))
    texts = [*BEFORE, " ".join(said), " ".join([*other[:3], *said[first:last], *other[3:]])]
    if len(set(texts)) < len(texts):
        return
    index = build_index(texts)
    found = [match for match in index.between(3, [2]) if match.strong]
    event(f"{bool(found)} strong")
    for match in found:
        for start, end in ((0, len(texts[3])), (match.target_start + 1, match.target_start + 2)):
            assert index.may_be_strong(3, [(start, end)], [2])


def test_words_that_the_other_text_lacks_are_not_looked_for():
    index = build_index(["Line 4 has 28 words of text.", "Line 4 has 28 letters of text."])
    assert not index.may_be_strong(1, [(14, 22)], [0])
    assert build_index(
        [
            "The bridge of Avignon closed at 17:45.",
            "It says: the bridge of Avignon closed at 17:45.",
        ]
    ).may_be_strong(1, [(0, 40)], [0])
