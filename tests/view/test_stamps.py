"""Static boards carry what was measured: the word, its numbers, counted anew beside the others."""

import sys

import explainkit as ek
from explainkit.whatif.statistics.fisher import fisher_p, fisher_table
from tests.view.parsed import parsed

NOTE = "For 30 minutes we pay back half of the fare."
ASKED = "without rules; judge: still says 'pay back half'"


@ek.link(kind="model")
def ask(prompt):
    fare = "half" if "half" in prompt else "nothing"
    return f"We pay back {fare}. Your ticket costs 12 euros."


@ek.traced("claim")
def claim(question):
    rules = ek.context("rules", NOTE)
    other = ek.context("other", "Tickets cost 12 euros.")
    third = ek.context("third <b>kind</b>", "Be kind to everybody.")
    return ask(ek.assemble("{r} {o} {t} {q}", r=rules, o=other, q=question, t=third))


def recorded():
    claim("How much?")
    return ek.last()


def text_of(html):
    return parsed(html.removeprefix("<!DOCTYPE html>")).text


def shown(text):
    return " ".join(text.split())


def test_a_board_that_was_shown_before_carries_the_stamp_once_it_was_measured():
    back = recorded().backtrack(span="pay back half")
    assert "Measured" not in repr(back)
    assert "measured" not in back._repr_html_()
    back.whatif(remove="rules")
    verdict = "cause 5/5 vs 0/5, p = 0.008; flips in 57% to 100% of re-runs with the change"
    assert f"Measured {verdict} (Wilson, 95 %). Asked: {ASKED}" in shown(repr(back))
    assert f"measured {verdict}" in shown(text_of(back._repr_html_()))
    assert f"measured {verdict}" in shown(text_of(back.to_html()))
    assert ASKED in text_of(back._repr_html_())
    assert len(repr(back).splitlines()) <= 20


def test_the_p_value_counts_with_everything_that_was_measured_since():
    run = recorded()
    back = run.backtrack(span="pay back half")
    back.whatif(remove="rules")
    back.whatif(remove="other")
    assert "cause 5/5 vs 0/5, p = 0.016 over 2 suspects" in shown(repr(back))
    back.whatif(remove="third <b>kind</b>")
    for told in (repr(back), back.text(), repr(run), text_of(run._repr_html_())):
        assert "cause 5/5 vs 0/5, p = 0.024 over 3 suspects" in shown(told)
        assert "0.016" not in told
    assert "2 more findings in run.findings" in repr(back)
    assert len(repr(run).splitlines()) <= 20


def test_what_is_no_suspect_is_listed_apart_and_as_text():
    back = recorded().backtrack(span="pay back half")
    back.whatif(remove="third <b>kind</b>")
    assert "Measured of other pieces" in back.text()
    assert "Measured not shown 0/5 vs 0/5" in repr(back)
    html = back._repr_html_()
    assert "Measured of other pieces, for this answer" in html
    assert "<b>" not in html
    assert "without third <b>kind</b>" in text_of(html)


def test_a_saved_run_shows_the_same_stamps(tmp_path):
    run = recorded()
    run.backtrack(span="pay back half").whatif(remove="rules")
    run.save(tmp_path / "claim.ek.jsonl")
    loaded = ek.load(tmp_path / "claim.ek.jsonl")
    for span in ("pay back half", None):
        assert loaded.backtrack(span=span).text() == run.backtrack(span=span).text()
        assert "cause 5/5 vs 0/5, p = 0.008" in shown(loaded.backtrack(span=span).text())


def test_findings_on_another_answer_are_not_stamped_on_this_one():
    @ek.traced("two")
    def two(question):
        note = ek.context("rules", NOTE)
        ek.answer(ask(note))
        return ek.answer(ask(note) + " Bye.", slot="second")

    two("How much?")
    run = ek.last()
    run.whatif(remove="rules", slot="second", span="pay back half")
    assert "Measured cause" in repr(run.backtrack(slot="second"))
    assert "Measured" not in repr(run.backtrack())


def test_a_board_needs_no_extra_to_show_what_was_found(monkeypatch):
    run = recorded()
    back = run.backtrack(span="pay back half")
    back.whatif(remove="rules")
    fisher_p.cache_clear()
    fisher_table.cache_clear()
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    told = shown(repr(back))
    assert "Measured cause, as it was found; with scipy it is counted beside the others" in told
