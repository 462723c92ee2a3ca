"""Hypothesis strategies of contexts for the reading model: readable facts, and anything at all."""

from hypothesis import strategies as st

NAMES = ["Anna", "Ben", "Carl", "Dora", "Emil", "Fay"]
THINGS = ["colour", "height", "garden", "village", "teacher", "boat", "invoice"]
VALUES = ["red", "blue", "tall", "oak", "seven", "old", "stone", "glass", "tin", "silver"]

WORDS = st.sampled_from(
    [
        *NAMES,
        *THINGS,
        *VALUES,
        "the",
        "is",
        "of",
        "and",
        "not",
        "3",
        "40 minutes",
        "60 EUR",
        "half of the price",
        "price",
        "from 20 minutes",
        "60 minutes or more",
        "under 5 EUR",
        "Q:",
        "A.",
        "1.",
        "Dr.",
        "no.",
        "- ",
        "in total",
        "what",
        "how many",
        "apples",
        ";",
        ":",
        ",",
        "Answer yes or no.",
        "Answer in upper case.",
        'Always say "tin".',
        "Answer with the number only.",
        'If the context does not say, say "unknown".',
        'Begin your answer with "Well,".',
        "Fine.",
        'If the question mentions "boat", say "afloat".',
        "Why?",
        "日。",
        "!",
        "\n",
        "\n\n",
        "\u2028",
        "Answer in at most 3 words.",
        "Answer in one sentence.",
        "1e9",
        "100%",
        "a quarter of the price",
    ]
)

SENTENCES = st.builds(
    lambda words, end: " ".join(words) + end,
    st.lists(WORDS, min_size=1, max_size=7),
    st.sampled_from([".", "?", "!", ""]),
)
QUESTIONS = st.sampled_from(
    [
        "What is the colour of Anna?",
        "Q: Is the boat blue?",
        "How many apples are there in total?",
        "Q: I waited 40 minutes. What is the price?",
        "What is half of the price?",
        "Fine.",
        "How much is the boat, for 40 minutes?",
        "Question:\nWho is Ben, the teacher?",
        "",
        "What is the difference between the price of tin and the price of glass?",
    ]
)
MESSY = st.builds(
    lambda parts, question, gaps: "".join(
        part + gap for part, gap in zip([*parts, question], gaps, strict=True)
    ),
    st.just([]),
    QUESTIONS,
    st.just([""]),
) | st.lists(SENTENCES, max_size=8).flatmap(
    lambda parts: st.builds(
        lambda gaps, question: "".join(p + g for p, g in zip(parts, gaps, strict=True)) + question,
        st.lists(
            st.sampled_from([" ", "  ", "\n", "\n\n", ""]),
            min_size=len(parts),
            max_size=len(parts),
        ),
        QUESTIONS,
    )
)
ANY_TEXT = (
    st.text(max_size=120) | st.text(alphabet="aA1.!? \n,:;-Q%日。\ud800", max_size=80) | MESSY
)


@st.composite
def facts_once(draw):
    """A context in which each fact stands once, and a question about one of them."""
    count = draw(st.integers(2, 6))
    pairs = draw(
        st.lists(
            st.tuples(st.sampled_from(NAMES), st.sampled_from(THINGS)),
            min_size=count,
            max_size=count,
            unique=True,
        )
    )
    values = draw(st.lists(st.sampled_from(VALUES), min_size=count, max_size=count, unique=True))
    gap = draw(st.sampled_from([" ", "\n", "\n\n"]))
    facts = [
        f"The {thing} of {name} is {value}."
        for (name, thing), value in zip(pairs, values, strict=True)
    ]
    name, thing = draw(st.sampled_from(pairs))
    return gap.join([*facts, f"What is the {thing} of {name}?"])


@st.composite
def rules_once(draw):
    """Rules with different limits and different outcomes, and a question with one measure."""
    bounds = draw(st.lists(st.integers(1, 200), min_size=1, max_size=5, unique=True))
    outcomes = draw(
        st.lists(st.sampled_from(VALUES), min_size=len(bounds), max_size=len(bounds), unique=True)
    )
    shapes = draw(
        st.lists(
            st.sampled_from(
                [
                    "A wait of {n} minutes or more: you get a {v} ticket.",
                    "For a wait of at least {n} minutes, you get a {v} ticket.",
                    "You get a {v} ticket for a wait of more than {n} minutes.",
                    "From {n} minutes of waiting you get a {v} ticket.",
                ]
            ),
            min_size=len(bounds),
            max_size=len(bounds),
        )
    )
    lines = [s.format(n=n, v=v) for s, n, v in zip(shapes, bounds, outcomes, strict=True)]
    waited = draw(st.integers(1, 220))
    return "\n".join([*lines, f"Q: Which ticket do I get for a wait of {waited} minutes?"])


@st.composite
def amounts_once(draw):
    """Counts that a question adds up or compares."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
    counts = draw(
        st.lists(st.integers(1, 90), min_size=len(names), max_size=len(names), unique=True)
    )
    facts = [f"{name} has {n} apples." for name, n in zip(names, counts, strict=True)]
    question = draw(
        st.sampled_from(
            [
                "How many apples are there in total?",
                f"How many more apples does {names[0]} have than {names[1]}?",
            ]
        )
    )
    return " ".join([*facts, question])
