"""Texts for property tests: words that collide, numbers in many spellings, hostile characters."""

from hypothesis import strategies as st

HOSTILE = (
    "\x00\ud800\udfff\u200d\ufe0f\u0301\u202e\u05e9\u06f3\u6f22\U0001f44d\U0001f3fd"
    "\ufb01\u00df\u0130\u00a0\u2028"
)
WORDS = [
    "the",
    "fare",
    "Half",
    "of",
    "refund",
    "stra\u00dfe",
    "STRASSE",
    "HAT069",
    "A4",
    "60 min",
    "1,234.50",
    "1234.5",
    "$5",
    "20MB",
    "3.11.7",
    "2025-12-03",
    "don't",
    "\u6f22\u5b57",
    "\U0001f44d",
]
GAPS = [" ", "  ", "\n", ", ", ". ", "\t- ", '"', '": ', "|"]


def texts(max_words: int = 40) -> st.SearchStrategy[str]:
    piece = st.one_of(
        st.sampled_from(WORDS),
        st.text(st.characters(), max_size=6),
        st.text(st.sampled_from(HOSTILE + "a1.,' "), max_size=6),
        st.integers(0, 10**7).map(str),
        st.decimals(0, 10**6, places=2).map(lambda d: f"{d:,}"),
    )
    parts = st.lists(st.tuples(piece, st.sampled_from(GAPS)), max_size=max_words)
    return parts.map(lambda pairs: "".join(word + gap for word, gap in pairs))


def word_lists(max_size: int = 60) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from([f"w{chr(97 + i)}" for i in range(12)]), max_size=max_size)
