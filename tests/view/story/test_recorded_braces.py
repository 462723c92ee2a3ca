"""Braces in what was recorded are told as they are; they are no places to fill in."""

import pytest

import explainkit as ek


@pytest.mark.parametrize("braces", ["{0}", "{them}", "{", "}", "{;}", "{0!r:>{1}}"])
def test_reasons_names_and_words_may_hold_braces(braces):
    @ek.link(kind="model")
    def ask(prompt):
        return "You get 80 euros back."

    with ek.trace(f"run {braces}", question=f"How much {braces}?") as run:
        text = f"Pay 80 euros back {braces}."
        note = ek.context(f"note {braces}", text, why=f"because {braces}", source=braces)
        ek.answer(ask(ek.assemble("{note}", note=note)))
    run.verdict("failed", judge=braces, reason=f"wrong {braces}")
    told = [each.text for each in run.story() if each.kind == "origin"]
    assert any(f"“because {braces}”" in text for text in told)
    assert all("80 euros" not in text or braces in text for text in told[:1])
