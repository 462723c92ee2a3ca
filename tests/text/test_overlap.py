"""Overlap and support say what a sentence shares with its sources."""

from explainkit.text.overlap import coverage, lexical_overlap, support, weigh

TARIFF = "The tariff pays a refund from 60 minutes of delay."
NOTE = "goodwill: half of the fare for every passenger"


def test_overlap_is_the_share_of_words_found():
    assert lexical_overlap("half of the fare", "the FARE, half of it") == 1.0
    assert lexical_overlap("half of the fare", "nothing") == 0.0
    assert lexical_overlap("", "x") == 0.0


def test_rare_words_weigh_more():
    weights = weigh(["the fare", "the train", "the delay", "the goodwill"])
    rare = lexical_overlap("the goodwill", "goodwill", weights=weights)
    common = lexical_overlap("the goodwill", "the", weights=weights)
    assert rare > 0.6 > 0.4 > common
    assert lexical_overlap("a b", "a", weights=weigh([])) == 0.5


def test_coverage_tells_supported_from_unsupported_sentences():
    answer = "You get half of the fare for every trip. Bananas are violet."
    first, second = coverage(answer, [TARIFF, NOTE])
    assert [span.source for span in first.spans] == [1]
    span = first.spans[0]
    assert answer[span.target_start : span.target_end] == "half of the fare for every"
    assert 0 < first.share < 1
    assert (second.spans, second.share) == ((), 0.0)


def test_a_number_that_the_source_puts_otherwise_is_named():
    answer = "Yes. The tariff pays a refund from 40 minutes of delay."
    (_, second) = coverage(answer, [NOTE, TARIFF])
    (disagreement,) = second.disagreements
    assert disagreement.source == 1
    assert answer[disagreement.said.start : disagreement.said.end] == "40 minutes"
    assert TARIFF[disagreement.read.start : disagreement.read.end] == "60 minutes"


def test_a_number_that_some_source_has_does_not_disagree():
    found = support("The tariff pays a refund from 40 minutes of delay.", [TARIFF, "late: 40 min"])
    assert found.disagreements == ()


def test_nothing_to_cover():
    assert coverage("", [TARIFF]) == []
    assert support("Some words here.", []).spans == ()
