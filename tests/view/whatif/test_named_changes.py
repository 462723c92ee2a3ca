"""A measured change is named by what was changed, in the table of findings and in the panel."""

import pytest

import explainkit as ek
from explainkit.view.explorer.causes.offered import Offered
from explainkit.view.explorer.causes.stamped_words import said_of

HITS = ["Open until 21:00.", "The shop sells cards.", "Tickets cost 9 euros."]


@ek.link(kind="retrieval", deterministic=True)
def search(question, most=3):
    return HITS[:most]


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "Until 21:00." if "21:00" in prompt else "Nobody knows."


@ek.traced("desk")
def desk(question):
    note = ek.context("note", "We pay half of the fare, or 5 euros.", kind="memory")
    mail = ek.context("mail", "Be kind.")
    said = ask(ek.assemble("{a}\n{b}\n{c}", a=note, b=mail, c="\n".join(search(question))))
    ek.answer(said)
    return ek.override(f"{said} Bye.", by="greeter")


@pytest.fixture(scope="module")
def run():
    desk("When?")
    return ek.last()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"remove": "note"}, "remove note"),
        ({"remove": ("search", 0)}, "remove item 1 of search (“Open until 21:00.”)"),
        ({"remove": ("note", "half of the fare")}, "remove “half of the fare” from note"),
        ({"replace": {("note", "5"): "7"}}, "replace “5” in note by '7'"),
        (
            {"replace": {("search", 0, "21:00"): "17:00"}},
            "replace “21:00” in item 1 of search (“Open until 21:00.”) by '17:00'",
        ),
        ({"reorder": {"search": [2, 0, 1]}}, "reorder search: item 3 before item 1"),
        ({"reorder": {"search": [1, 2, 0]}}, "reorder search: item 1 behind item 3"),
        ({"reorder": {"search": [2, 1, 0]}}, "reorder search: items 3, 2, 1"),
        ({"reorder": ["mail", "note"]}, "reorder mail before note"),
        ({"swap": {"ask": "No."}}, "swap what ask gave for 'No.'"),
        ({"edit": {"search": {"most": 1}}}, "edit most of search"),
        ({"hold": "greeter"}, "hold off the override by greeter"),
    ],
)
def test_a_finding_says_which_words_and_which_items_were_changed(run, change, named):
    found = run.whatif(**change)
    told = run.findings.set_index("seq")["changed"]
    assert told[found.seq] == named


def test_orders_of_one_list_have_names_of_their_own_in_the_panel(run):
    offered = Offered(run.recording)
    said = set()
    for change in ({"search": [2, 0, 1]}, {"search": [1, 0, 2]}, ["mail", "note"]):
        found = run.whatif(reorder=change)
        said |= {said_of(each, offered) for each in run.recording.raw(found.seq)["interventions"]}
    assert said == {
        "search: item 3 before item 1",
        "search: item 2 before item 1",
        "mail before note",
    }
