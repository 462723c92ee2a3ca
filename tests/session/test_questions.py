"""The questions that the product answers, one test each, asked of one run with a known fault."""

import pytest

import explainkit as ek

TARIFF = (
    "Tariff, section 7. A delay of 60 minutes or more: one quarter of the fare is paid back. "
    "For a delay below 60 minutes nothing is paid back."
)
NOTE = (
    "Goodwill campaign of last winter: "
    "for a delay of 30 minutes or more we pay back half of the fare."
)
QUESTION = "My train was 40 minutes late. What do I get back?"


@ek.link(kind="retrieval")
def retrieve(question):
    return ["Bicycles travel free after nine.", "Lost property is kept for four weeks."]


@ek.link(kind="model")
def ask(prompt):
    return "Dear Ms Harlow, we pay back half of the fare. It comes by stagecoach."


@ek.traced("claim")
def claim(question):
    tariff = ek.context("tariff", TARIFF, kind="document", source="tariff.md", why="always on")
    note = ek.context(
        "campaign-note", NOTE, kind="memory", source="memory/2025-12", why="a delay before"
    )
    ek.context("unused", "Ferries do not run on Sundays at all.", source="ferries.md")
    ek.left_out("page 9", "Refunds take ten days.", why="rank 9", how="cut by rank")
    lines = "\n".join(retrieve(question))
    prompt = ek.assemble(
        "{tariff}\n{note}\n{lines}\n\nQ: {q}", tariff=tariff, note=note, lines=lines, q=question
    )
    ek.answer(ask(prompt))
    return ek.override(
        lambda text: text.replace("Ms Harlow", "passenger"), by="redactor", reason="names"
    )


@pytest.fixture
def run():
    claim(QUESTION)
    found = ek.last()
    found.verdict("failed", judge="reviewer", reason="40 minutes is below 60")
    return found


def test_1_what_did_the_model_see_and_where_did_each_character_come_from(run):
    prompt = run.prompt()
    assert prompt.text.startswith("Tariff, section 7.")
    assert "".join(segment.text for segment in prompt.segments) == prompt.text
    names = {segment.name: segment.text for segment in prompt.segments}
    assert names["campaign-note"] == NOTE
    assert names["tariff"] == TARIFF
    assert any(segment.text == QUESTION for segment in prompt.segments)


def test_2_where_did_these_words_first_appear_and_who_carried_them(run):
    back = run.backtrack(span="half of the fare")
    assert [place.text for place in back.introducers] == ["half of the fare"]
    assert "campaign-note" in back.introducers[0].label
    assert len(back.carriers) >= 3


def test_3_which_context_is_in_the_slice_and_what_does_every_path_pass(run):
    back = run.backtrack(span="half of the fare")
    assert [context.name for context in back.contexts] == ["campaign-note"]
    (note,) = back.contexts
    assert (note.born, note.allowed) == ("memory/2025-12", "a delay before")
    assert note.grade in ("declared", "value")
    kinds = {run.recording.raw(seq)["kind"] for seq in back.dominators}
    assert kinds
    wide = run.backtrack(span="half of the fare", grade="exposure")
    assert {"campaign-note", "tariff"} <= {context.name for context in wide.contexts}


def test_the_walk_goes_said_read_landed_allowed_born(run):
    back = run.backtrack(span="half of the fare")
    verbs = [hop.verb for hop in back.hops]
    order = ["overridden", "said", "read", "landed", "allowed", "born"]
    assert [verb for verb in verbs if verb in order and verb != "carried"] == order
    for hop in back.hops:
        assert hop.target.text == "half of the fare"


def test_4_which_overrides_and_verdicts_stand_between(run):
    back = run.backtrack(span="half of the fare")
    (step,) = back.overrides
    assert (step.by, step.reason, step.touches_span) == ("redactor", "names", False)
    (verdict,) = back.verdicts
    assert (verdict.status, verdict.judge, verdict.stale) == ("failed", "reviewer", False)
    assert run.backtrack(span="passenger").overrides[0].touches_span


def test_5_what_was_available_and_never_reached_the_model(run):
    left = {item.name: item for item in run.backtrack().left_out}
    assert left["page 9"].how == "cut by rank"
    assert left["page 9"].why == "rank 9"
    assert "unused" in left


def test_6_what_is_in_no_upstream_text_and_what_was_never_used(run):
    back = run.backtrack()
    assert any("stagecoach" in place.text for place in back.unsupported)
    states = {line.text: line.state for line in back.coverage}
    assert states["It comes by stagecoach."] == "nothing"
    assert "tariff" in {context.name for context in back.ignored}


def test_spans_by_offsets_and_by_pattern(run):
    import re

    start = run.answer.index("half of")
    assert run.backtrack(span=(start, start + 16)).span == (start, start + 16)
    assert run.backtrack(span=re.compile(r"half of \w+ \w+")).contexts[0].name == "campaign-note"


def test_an_unknown_span_names_the_nearest(run):
    with pytest.raises(ek.SpanNotFoundError) as caught:
        run.backtrack(span="half of the fair")
    assert any("half of the fare" in phrase for phrase in caught.value.nearest)


def test_an_earlier_version_can_be_walked(run):
    assert run.backtrack(answer=1, span="Ms Harlow").answer.startswith("Dear Ms Harlow")
    with pytest.raises(ek.SpanNotFoundError):
        run.backtrack(span="Ms Harlow")


def test_a_verdict_goes_stale_when_the_answer_changes():
    with ek.trace("t") as run:
        ek.answer("one")
        run.verdict("failed", judge="j")
        ek.override("two", by="b")
    assert [line.stale for line in run.backtrack().verdicts] == [True]


def test_a_loaded_run_says_the_same(run, tmp_path):
    again = ek.load(run.save(tmp_path / "c.ek.jsonl"))
    for span in (None, "half of the fare"):
        live, loaded = run.backtrack(span=span), again.backtrack(span=span)
        assert live.to_json() == loaded.to_json()
        assert live.to_html() == loaded.to_html()
        assert live.to_frame().equals(loaded.to_frame())
    assert run._repr_html_() == again._repr_html_()


def test_displays_are_bounded_and_total(run):
    assert len(repr(run).splitlines()) <= 20
    assert len(repr(run.backtrack()).splitlines()) <= 20
    bundle = run.backtrack()._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}


def test_a_run_without_an_answer_says_so():
    with ek.trace("empty") as run:
        pass
    assert "no answer" in repr(run.backtrack()).lower()
    with pytest.raises(ek.UnknownRecordError, match="has no answer"):
        _ = run.answer


def test_forward_and_chop(run):
    back = run.backtrack(span="half of the fare")
    note = back.contexts[0].seq
    assert [hop.verb for hop in back.chop(note)][-1] in ("born", "allowed")
    assert any("half of the fare" in place.text for place in back.forward(note))


def test_links_and_sources_can_be_asked_for_by_name(run):
    assert run.prompt("ask").text == run.prompt().text
    back = run.backtrack(span="half of the fare")
    note = int(run.contexts.set_index("name").loc["campaign-note", "seq"])
    assert back.forward("campaign-note") == back.forward(note)
    assert back.chop("campaign-note") == back.chop(note)
    with pytest.raises(ek.UnknownRecordError, match="'retrieve', 'assemble', 'ask'"):
        run.prompt("asks")
    with pytest.raises(ek.UnknownRecordError, match="'campaign-note'"):
        back.forward("note")


def test_a_page_that_is_written_gives_its_path(run, tmp_path):
    page = tmp_path / "claim.html"
    assert run.to_html(page) == page
    assert run.backtrack().to_html(page) == page
    assert page.read_text("utf-8") == run.to_html()


def test_a_short_answer_is_walked_as_if_it_was_selected():
    @ek.link(kind="model")
    def name_it(prompt):
        return "Casino Royale"

    with ek.trace("film") as run:
        plot = ek.context("plot", "A long evening. Later the film Casino Royale was shown again.")
        for number in range(12):
            ek.context(f"page {number}", f"Page {number} says that Casino Royale is a film.")
        ek.answer(name_it(ek.assemble("{plot}\nQ: which film?", plot=plot)))
    assert [context.name for context in run.backtrack().contexts] == ["plot"]


def test_the_full_stop_belongs_to_the_words_that_it_ends():
    with ek.trace("joined") as run:
        lines = retrieve("q")
        ek.answer(ask(ek.assemble("{lines}\n\nQ: why?", lines="\n".join(lines))))
    texts = [segment.text for segment in run.prompt().segments if segment.origin is not None]
    assert "Bicycles travel free after nine." in texts


def test_calls_of_one_name_are_told_apart():
    @ek.link(kind="tool")
    def look_up(city):
        return f"The kiosk in {city} opens at half past seven."

    with ek.trace("kiosks") as run:
        first = look_up("Oslo")
        look_up("Bergen")
        ek.answer(first)
    assert run.backtrack().contexts[0].name == "output of look_up #1"


def test_another_answer_is_walked_back_by_the_name_of_its_slot():
    with ek.trace("two answers") as run:
        ek.answer("an hour", slot="delay")
        ek.answer("half of the fare")
    assert run.backtrack(answer="delay").answer == run.backtrack(slot="delay").answer == "an hour"


def test_a_walk_of_another_answer_shows_the_verdicts_on_that_one_alone():
    with ek.trace("three answers") as run:
        ek.answer("half of the fare")
        for name in ("a", "b"):
            ek.answer(f"the value of {name}", slot=f"item:{name}")
    run.verdict("failed", judge="reviewer", slot="item:a")
    run.verdict("passed", judge="reviewer", slot="item:b")
    run.verdict("passed", judge="reviewer")
    assert [each.target for each in run.backtrack(slot="item:a").verdicts] == ["item:a v1"]
    assert len(run.backtrack().verdicts) == 3
