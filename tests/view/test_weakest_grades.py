"""The headline says how weak its path is, in every skin."""

import pytest

import explainkit as ek


@ek.link(kind="model", deterministic=True)
def reword(prompt):
    return "We refund one half of it, so 40 crowns."


@ek.link(kind="model", deterministic=True)
def copied(prompt):
    return prompt


def told(model):
    with ek.trace("refund", question="What do I get back?") as run:
        note = ek.context("note", "For a long delay we pay back half of the fare.")
        ek.answer(model(ek.assemble("{note}", note=note)))
    return run


def skins(back):
    return back.text(), str(back), back._repr_html_(), back.to_html()


@pytest.mark.parametrize(
    ("grade", "says"),
    [
        ("exposure", "The weakest grade on the path shown is exposure: what was in an input"),
        ("order", "The weakest grade on the path shown is order: what came before"),
    ],
)
def test_a_path_beyond_characters_says_its_weakest_grade(grade, says):
    back = told(reword).backtrack(grade=grade)
    assert grade in {hop.grade for hop in back.hops}
    assert all(says in skin for skin in skins(back))


def test_a_path_of_characters_says_its_own_grade_and_no_weaker_one():
    run = told(copied)
    for back in (run.backtrack(), run.backtrack(span="half of the fare")):
        assert {hop.grade for hop in back.hops} <= {"declared", "value"}
        assert all("weakest grade" not in skin for skin in skins(back))
        assert all("evidence: value" in skin for skin in skins(back))


def test_sources_of_two_grades_are_told_by_the_weaker_one():
    with ek.trace("two") as run:
        wired = ek.context("wired", "The desk opens at 7:45 on weekdays.")
        ek.answer(ek.context("copied", "Bicycles travel free of charge on Sundays."))
        ek.override(lambda text: f"{text} Early birds first.", by="editor", uses=[wired])
    back = run.backtrack()
    sources = {use.name: use.grade for use in back.contexts if use.type != "override"}
    assert sources == {"copied": "value", "wired": "declared"}
    assert "evidence: value, the same characters on both sides" in back.board().headline


def test_a_walk_without_a_path_says_nothing_of_grades():
    with ek.trace("nothing") as run:
        ek.answer("Nobody said this before.")
    assert "weakest" not in run.backtrack(grade="order").text()
