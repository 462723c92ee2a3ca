"""A row that a board cuts short says by how much."""

import explainkit as ek
from explainkit.view.words import part


def test_sources_of_a_sentence_that_are_not_named_are_counted():
    @ek.link(kind="model")
    def joins(prompt):
        return "; ".join(words)

    words = [f"parcel {word} arrived at depot {at * 37 + 1001}" for at, word in enumerate(
        ["amber", "birch", "cobalt", "dahlia", "ember", "fennel", "garnet", "hazel"]
    )]  # fmt: skip
    with ek.trace("joined") as run:
        sources = [ek.context(f"log {at}", text) for at, text in enumerate(words)]
        ek.answer(joins("\n".join(sources)))
    back = run.backtrack()
    (row,), (line,) = back.coverage, back.board().support
    more = len({part(place) for place in row.places}) - 4
    assert more > 1
    assert line.places[4:] == (f"and {more} more places",)
    assert line.places[4] in " ".join(back.text().split())
    assert line.places[4] in back._repr_html_()


def test_issues_of_a_verdict_that_are_not_named_are_counted():
    with ek.trace("judged") as run:
        ek.answer("half")
    run.verdict("failed", judge="me", issues=[{"code": each, "message": each} for each in "abcde"])
    (verdict,) = run.board().verdicts
    assert verdict.reason == "a: a; b: b; c: c; and 2 more issues"
