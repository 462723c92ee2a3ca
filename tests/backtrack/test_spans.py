"""What a span may be."""

import re

import pytest

from explainkit.backtrack.spans import select


@pytest.mark.parametrize(
    "span", [(1, 2, 3), (1.5, 2), ("a", "b"), (True, False), [0, 3], re.compile(b"x"), b"x", 5]
)
def test_a_span_of_another_kind_is_refused_in_words(span):
    with pytest.raises(TypeError, match="A span is words of the answer"):
        select("half of the fare", span)
