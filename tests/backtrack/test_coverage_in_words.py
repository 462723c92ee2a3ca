"""Coverage says in words what of a sentence its sources say, and calls nothing else supported."""

import pytest

import explainkit as ek

TARIFF = (
    "A delay of 60 minutes or more: one quarter of the fare is paid back. "
    "It is paid within ten working days."
)


def covered(said, *texts, span=None):
    """The coverage of an answer that a model gave after it had read some contexts."""

    @ek.link(kind="model")
    def ask(prompt):
        return said

    with ek.trace("covered", question="What is it?") as run:
        given = {f"c{at}": ek.context(f"c{at}", text) for at, text in enumerate(texts)}
        ek.answer(ask(ek.assemble(" ".join(f"{{{name}}}" for name in given), **given)))
    return run.backtrack(**({} if span is None else {"span": span})).coverage


def test_what_is_supported_in_part_is_told_in_words_figures_first():
    (row,) = covered("For a delay of 60 minutes you get half of the fare within a week.", TARIFF)
    assert row.state == "partly"
    assert row.words == "supported: 60 minutes, delay; not: half of the fare, week"
    assert row.disagree == ("half, but upstream one quarter",)


@pytest.mark.parametrize(
    ("said", "source", "line"),
    [
        (
            "A delay of 90 minutes or more: one quarter of the fare is paid back.",
            TARIFF,
            "90 minutes, but upstream 60 minutes",
        ),
        (
            "A delay of 60 hours or more: one quarter of the fare is paid back.",
            TARIFF,
            "60 hours, but upstream 60 minutes",
        ),
        (
            "The train to Graz leaves at 14:30 from the second track.",
            "The train to Graz leaves at 14:35 from the second track.",
            "14:30, but upstream 14:35",
        ),
        (
            "It is 80 euros for adults and 60 euros for their children.",
            "It is 60 euros for adults and 80 euros for their children.",
            "80 euros, but upstream 60 euros",
        ),
        (
            "The contract of the tenant ends on 2026-03-09 at noon.",
            "The contract of the tenant ends on 2026-03-11 at noon.",
            "2026-03-09, but upstream 2026-03-11",
        ),
    ],
)
def test_a_sentence_whose_figure_its_source_puts_otherwise_is_not_supported(said, source, line):
    (row,) = covered(said, source)
    assert row.state == "partly"
    assert line in row.disagree
    assert line.partition(",")[0] in row.missing


@pytest.mark.parametrize(
    ("said", "source", "turned"),
    [
        (
            "The customer is charged a fee for rebooking.",
            "Goodwill: the customer is not charged a fee for rebooking.",
            "“not” stands upstream only",
        ),
        (
            "The customer is never charged a fee for rebooking.",
            "The customer is charged a fee for rebooking.",
            "“never” stands here only",
        ),
        (
            "A delay of 60 minutes or more: one quarter of the fare is not paid back.",
            TARIFF,
            "“not” stands here only",
        ),
        (
            "Seat reservations are refunded when the train did run.",
            "Seat reservations are refunded when the train didn't run.",
            "“didn't” stands upstream only",
        ),
    ],
)
def test_a_sentence_that_its_source_negates_or_does_not_is_not_supported(said, source, turned):
    (row,) = covered(said, source)
    assert row.state == "partly"
    assert turned in row.turned
    assert turned in row.words


def test_a_negation_on_both_sides_or_of_another_clause_turns_nothing():
    for said, source in [
        (
            "The customer is never charged a fee.",
            "The customer is not charged a fee for rebooking.",
        ),
        (
            "The customer is charged a fee for rebooking.",
            "There is no rebate, but the customer is charged a fee for rebooking.",
        ),
    ]:
        (row,) = covered(said, source)
        assert row.turned == ()


def test_a_selection_is_compared_within_its_sentence():
    source = "The customer is not charged a fee for rebooking."
    (row,) = covered(source, source, span="charged a fee for rebooking")
    assert (row.state, row.words) == ("supported", "supported")
    (row,) = covered(source.replace("not ", ""), source, span="charged a fee for rebooking")
    assert row.words == "supported: charged a fee, rebooking; “not” stands upstream only"


def test_another_name_or_another_word_is_missing():
    source = "Ms. Huber approved the refund of 80 euros for the ticket."
    (row,) = covered(source.replace("Huber", "Weber"), source)
    assert row.state == "partly"
    assert row.words == "supported: 80 euros, approved the refund, ticket; not: Weber"
    (row,) = covered(source.replace("approved", "denied"), source)
    assert (row.state, row.missing) == ("partly", ("denied",))


def test_the_same_figure_in_another_form_is_supported():
    for said in (
        "It is paid within 10 working days.",
        "One quarter of the fare is paid back for a delay of 60 min or more.",
    ):
        (row,) = covered(said, TARIFF)
        assert (row.state, row.disagree, row.missing) == ("supported", (), ()), said
    (row,) = covered("The way is 1,234.5 km long on foot.", "The way is 1234.50 km long on foot.")
    assert row.state == "supported"


def test_two_sources_may_each_say_a_part():
    (row,) = covered(
        "The gate opens at 9:30 in the morning, and the last tram of the day leaves at 22:15.",
        "The gate opens at 9:30 in the morning.",
        "The last tram of the day leaves at 22:15.",
    )
    assert (row.state, len(row.places)) == ("supported", 2)


def test_what_was_made_from_a_source_as_declared_is_not_said_by_it():
    with ek.trace("declared") as run:
        prices = ek.context("prices", "One costs 40, the other 2.")
        ek.answer("In all that makes 42 euros.", uses=[prices])
    (row,) = run.backtrack().coverage
    assert (row.state, row.held) == ("nothing", ())
    assert row.missing == ("42 euros", "all", "makes")
    assert [place.label for place in row.places] == ["context prices"]
    words = "made from what is named, as was declared, which says none of it"
    assert row.words == words
    assert f"{words}: In all that makes 42 euros." in " ".join(run.backtrack().text().split())


def test_every_display_says_what_is_supported_and_what_is_not():
    @ek.link(kind="model")
    def ask(prompt):
        return "For a delay of 60 minutes you get half of the fare within a week."

    with ek.trace("shown") as run:
        ek.answer(ask(ek.assemble("{t}", t=ek.context("tariff", TARIFF))))
    back = run.backtrack()
    words = "supported: 60 minutes, delay; not: half of the fare, week"
    assert words in " ".join(back.text().split())
    assert words in back._repr_html_()
    (row,) = back.to_json()["coverage"]
    assert row["held"] == ("60 minutes", "delay")
    assert row["missing"] == ("half of the fare", "week")
