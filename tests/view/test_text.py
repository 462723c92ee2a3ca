"""Plain text tells the finding in twenty harmless lines, and all of it when asked."""

from dataclasses import replace

import pytest

import explainkit as ek
from explainkit.backtrack import walk as backtrack
from explainkit.graph import Evidence
from explainkit.view.compose import board_of
from explainkit.view.plain import LINES, text_of_backtrack, text_of_prompt, text_of_run
from explainkit.view.prompting import pane_of
from tests.view.claims import claims_recording, recorded_prompt, recorded_suspects, recorded_walk
from tests.view.hostile import ATTACKS, HUGE, spoiled


@pytest.fixture(scope="module")
def board():
    recording, seqs = claims_recording()
    return board_of(
        recording,
        recorded_walk(seqs),
        prompt=recorded_prompt(seqs),
        suspects=recorded_suspects(seqs),
    )


def test_a_backtrack_names_question_answer_verdict_source_and_every_hop(board):
    text = text_of_backtrack(board)
    assert "My train was 40 minutes late" in text
    assert "you get back «half of the fare»" in text
    assert "failed, says reviewer" in text
    assert "goes back to campaign-note (memory, memory/2025-12)" in text
    verbs = ["overridden", "said", "read", "landed", "allowed", "born"]
    trail = text.split("Trail\n")[1]
    places = [trail.index(verb) for verb in verbs]
    assert places == sorted(places)
    assert "declared" in trail
    assert "value" in trail


def test_the_whole_text_adds_custody_overrides_coverage_and_what_was_not_used(board):
    text = text_of_backtrack(board, full=True)
    for words in (
        "Context campaign-note", "slot note of the assembled prompt", "[-Ms Keller-]",
        "{+the passenger+}", "numbers that disagree: 40 minutes", "tariff-2026-note: cut by rank",
        "opening-hours", "global NAME read by claim",
    ):  # fmt: skip
        assert words in text


def test_a_run_says_where_it_is_kept_and_how_to_open_it(board):
    assert "in memory only" in text_of_run(board)
    text = text_of_run(board, saved="runs/claim.ek.jsonl")
    assert "runs/claim.ek.jsonl" in text
    assert "run.backtrack(" in text


def test_what_the_model_saw_is_shown_whole_under_the_names_of_its_origins():
    _, seqs = claims_recording()
    prompt = recorded_prompt(seqs)
    text = text_of_prompt(pane_of(prompt, recorded_walk(seqs)))
    assert "── campaign-note (declared)" in text
    assert "«half of the fare», no questions asked." in text
    bare = text.replace("«", "").replace("»", "")
    assert all(segment.text.strip() in bare for segment in prompt.segments)


def test_a_walk_without_an_answer_says_so(board):
    recording, seqs = claims_recording()
    walk = replace(
        recorded_walk(seqs),
        answer="",
        answer_seq=None,
        span=None,
        hops=(),
        contexts=(),
        verdicts=(),
    )
    text = text_of_backtrack(board_of(recording, walk))
    assert "This run has no answer" in text
    assert "none recorded" in text


def test_words_that_an_upstream_text_holds_first_are_not_said_to_be_in_none():
    recording, seqs = claims_recording()
    walk = recorded_walk(seqs)
    walk = replace(walk, hops=(), contexts=(), introducers=walk.introducers[:1])
    headline = board_of(recording, walk).headline
    assert "is in no upstream text" not in headline  # it is in one: only nothing holds it earlier
    assert "first appears in context campaign-note; no earlier text holds it" in headline


def test_a_real_walk_is_told_from_the_answer_to_the_source():
    recording, _ = claims_recording()
    found = backtrack(Evidence(recording), span="half of the fare")
    text = text_of_backtrack(board_of(recording, found), full=True)
    trail = text.split("Trail\n")[1]
    assert trail.index("overridden") < trail.index("said") < trail.index("born")
    assert "campaign-note (memory, memory/2025-12)" in " ".join(text.split())
    assert "customer wrote about a delay before" in text


def test_words_that_a_model_made_up_are_said_to_appear_there_first():
    recording, _ = claims_recording()
    found = backtrack(Evidence(recording), span="Dear")
    assert "first appears in output of ask" in board_of(recording, found).headline


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
@pytest.mark.parametrize("draw", [text_of_run, text_of_backtrack])
def test_a_repr_is_short_and_harmless_whatever_was_recorded(attack, draw):
    recording, seqs = claims_recording()
    text = ATTACKS[attack]
    walk = spoiled(recorded_walk(seqs), text)
    board = board_of(
        recording,
        walk,
        prompt=spoiled(recorded_prompt(seqs), text),
        suspects=spoiled(recorded_suspects(seqs), text),
    )
    shown = draw(board)
    assert len(shown.splitlines()) <= LINES
    assert max(map(len, shown.splitlines())) <= 120
    assert all(c.isprintable() or c == "\n" for c in shown)
    assert all(c.isprintable() or c in "\n\t" for c in text_of_backtrack(board, full=True))


def test_five_megabytes_in_every_field_are_cut_and_counted():
    recording, seqs = claims_recording()
    board = board_of(recording, spoiled(recorded_walk(seqs), HUGE))
    assert len(text_of_backtrack(board)) < 4_000
    assert "more characters" in text_of_backtrack(board, full=True)
    assert len(text_of_backtrack(board, full=True)) < 60_000


def recorded_search(hits, reply):
    """A retriever that returns dictionaries, and a prompt that somebody put together by hand."""

    @ek.link(kind="retrieval")
    def retrieve(question):
        return hits

    @ek.link(kind="model")
    def ask(prompt):
        return reply

    with ek.trace("search", question="When is it paid?") as run:
        ek.answer(ask("\n".join(hit["text"] for hit in retrieve("paid"))))
    return run


def test_the_trail_names_the_hit_that_the_words_come_from():
    run = recorded_search(
        [{"text": "Refunds take 14 days."}, {"text": "In spring refunds take 60 days."}],
        "It takes 60 days.",
    )
    text = str(run.backtrack(span="60 days"))
    assert "“60 days” first appears in output[1].text of retrieve (retrieval)" in text
    assert "prompt of ask ← output[1].text of retrieve" in text


def test_words_of_several_hits_name_each_of_them():
    run = recorded_search(
        [{"text": "Refunds take 60 days."}, {"text": "Parcels take 60 days."}], "It takes 60 days."
    )
    text = str(run.backtrack(span="60 days"))
    assert "first appears in output[0].text, [1].text of retrieve (retrieval)" in text


def test_words_of_many_hits_name_none_of_them():
    run = recorded_search([{"text": f"Parcel {n} takes 60 days."} for n in range(4)], "60 days.")
    text = str(run.backtrack(span="60 days"))
    assert "first appears in output of retrieve (retrieval)" in text


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (None, "Answer   null  (Version 1; the value None, not a text)"),
        ("null", "Answer   «null»  (Version 1)"),
        (False, "Answer   false  (Version 1; the value False, not a text)"),
        (7, "Answer   «7»  (Version 1; a number, not a text)"),
        ([], "Answer   []  (Version 1; a list, not a text)"),
        ({}, "Answer   {}  (Version 1; an object, not a text)"),
        ("", "Answer   an empty text  (Version 1)"),
    ],
)
def test_an_answer_that_is_no_text_is_told_from_one_that_reads_the_same(answer, told):
    with ek.trace("kinds") as run:
        ek.answer(answer)
    assert told in repr(run).splitlines()
    assert ("not a text" in run._repr_html_()) == ("not a text" in told)
