"""Re-runs of mended code are not added to those of the code before."""

import explainkit as ek


def test_outcomes_of_other_code_stand_beside_and_are_not_added_up():
    def answers(prompt):
        return "yes" if "half" in prompt else "no"

    def mended(prompt):
        return "yes"

    links = [ek.link(kind="model", name="ask")(answers)]

    @ek.traced("claim")
    def claim(question):
        note = ek.context("note", "pay half")
        return links[-1](ek.assemble("{n} {q}", n=note, q=question))

    claim("q")
    run = ek.last()
    first = run.whatif(remove="note")
    assert str(first).startswith("cause 5/5 vs 0/5")
    links.append(ek.link(kind="model", name="ask")(mended))
    again = run.whatif(remove="note")
    assert (again.word, again.n, again.flips) == ("not shown", 5, (0, 0))
    assert again.judgement.family == 2
    assert (first.word, first.flips) == ("cause", (5, 0))
    assert len(run.findings) == 2
    links.append(links[0])
    more = run.whatif(remove="note")
    assert more.judgement.family >= 2


def test_outcomes_of_the_same_code_are_added_up():
    @ek.link(kind="model")
    def ask(prompt):
        return "yes" if "half" in prompt else "no"

    @ek.traced("claim")
    def claim(question):
        note = ek.context("note", "pay half")
        return ask(ek.assemble("{n} {q}", n=note, q=question))

    claim("q")
    run = ek.last()
    assert run.whatif(remove="note", times=3).word == "inconclusive"
    assert str(run.whatif(remove="note")).startswith("cause 5/5 vs 0/5")
    assert len(run.findings) == 1
