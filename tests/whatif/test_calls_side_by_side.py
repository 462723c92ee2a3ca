"""Calls that run side by side change their order; what is changed of one stays with it."""

import explainkit as ek
from tests.whatif.programs import recorded


def test_changed_arguments_reach_the_call_that_had_them_whatever_the_order():
    turn = iter(((0, 1), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0)))

    @ek.link(kind="model", deterministic=True)
    def answer(text):
        return "yes" if "half" in text else "no"

    @ek.traced("side by side")
    def program(question):
        texts, said = ["nothing for the first", "half for the second"], ["", ""]
        for at in next(turn):
            said[at] = answer(texts[at])
        return " ".join(said)

    run = recorded(program, "q")
    first = next(r["seq"] for r in run.recording.rows("link_opened") if r["name"] == "answer")
    found = run.whatif(edit={first: {"text": "half as well"}})
    assert (found.before, found.after) == ("no yes", "yes yes")
