"""What went together in one what-if is told as all there is, where it is all there is."""

import explainkit as ek
from explainkit.view.explorer.causes.offered import Offered
from explainkit.view.explorer.causes.stamped import stamps_of

NOTES = ("law", "tariff", "campaign", "manners", "memory")


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "Half is paid back." if "half" in prompt else "Nothing is paid back."


@ek.traced("claim")
def claim(question):
    notes = [ek.context(name, f"{name} says half of it.") for name in NOTES]
    fixed = ek.context("limits", {"minutes": 60})
    return ek.answer(ask(ek.assemble("{notes} {fixed}", notes="\n".join(notes), fixed=fixed)))


def said(**changes):
    claim("Late?")
    run = ek.last()
    found = run.whatif(**changes)
    (stamp,) = stamps_of(run.recording, Offered(run.recording), lambda _: None)["stamps"]
    return run, found, stamp


def test_all_that_can_be_taken_away_is_one_line():
    run, _, stamp = said(remove=list(NOTES))
    assert stamp["said"] == ["without everything that can be taken away (5)"]
    assert stamp["more"] == 0
    assert len(stamp["targets"]) == 5
    (card, *_) = (each for each in run.backtrack().board().suspects if each.stamps)
    assert card.stamps[0].said == "without everything that can be taken away (5)"


def test_many_pieces_that_are_not_all_are_named():
    _, _, stamp = said(remove=list(NOTES[:4]))
    assert stamp["said"] == [f"without {name}" for name in NOTES[:4]]


def test_parts_of_all_pieces_are_not_all_of_them():
    _, _, stamp = said(remove=[(name, "half of it") for name in NOTES])
    assert all(each.startswith("without “half of it” in ") for each in stamp["said"])
