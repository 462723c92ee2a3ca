"""Which recorded call a call of a re-run is: where the record cannot tell, it runs."""

import explainkit as ek
from tests.whatif.programs import ask, recorded


@ek.link(kind="model", deterministic=True)
def priced(prompt):
    return "Expensive." if "ninety" in prompt else "Cheap."


class Shop:
    def __init__(self, fare):
        self.fare = fare

    @ek.link(kind="tool", deterministic=True)
    def look_up(self, key):
        return f"{key} {self.fare}"


def test_results_of_two_objects_are_not_exchanged_where_the_change_turns_their_order():
    old, new = Shop("ten euros"), Shop("ninety euros")

    @ek.traced("two shops")
    def program(question):
        hint = ek.context("hint", "ask the old one first")
        shops = {"old": old, "new": new}
        order = ["old", "new"] if "old" in hint else ["new", "old"]
        found = {name: shops[name].look_up("fare") for name in order}
        return priced(ek.assemble("{n} {q}", n=found["new"], q=question))

    found = recorded(program, "q").whatif(remove="hint")
    assert found.word != "cause"
    assert found.after == "Expensive."


def test_results_before_the_change_are_handed_out_in_their_order_though_they_differ():
    calls = []
    shops = [Shop("ten euros"), Shop("ninety euros")]
    for shop in shops:
        shop.calls = calls

    @ek.link(kind="tool")
    def look_up(key):
        calls.append(key)
        return len(calls)

    @ek.traced("numbered")
    def program(question):
        numbers = [look_up("fare"), look_up("fare")]
        note = ek.context("note", "We pay half of the fare.")
        return ask(ek.assemble("{n} {q} {numbers}", n=note, q=question, numbers=numbers))

    found = recorded(program, "q").whatif(remove="note")
    assert (found.word, len(calls)) == ("cause", 2)


def test_calls_with_redacted_arguments_are_not_taken_for_one_another():
    @ek.link(kind="tool", deterministic=True)
    def log_in(password):
        return f"user {len(password)}"

    @ek.traced("secrets")
    def program(question):
        hint = ek.context("hint", "try the old one too")
        if "old" in hint:
            log_in("short")
        return log_in("muchlongerone")

    found = recorded(program, "q").whatif(remove="hint")
    assert found.word != "cause"
    assert found.after == "user 13"


def test_a_call_with_an_object_that_is_not_on_record_runs_again():
    ran = []

    @ek.link(kind="tool", deterministic=True)
    def look_up(client, key):
        ran.append(key)
        return key

    @ek.traced("client")
    def program(question):
        note = ek.context("note", "We pay half of the fare.")
        return ask(ek.assemble("{n} {t}", n=note, t=look_up(object(), question)))

    run = recorded(program, "q")
    ran.clear()
    assert run.whatif(remove="note").word == "cause"
    assert ran


def test_what_is_said_of_a_link_after_the_run_does_not_make_it_run_again():
    sent = []

    @ek.link(kind="effect")
    def book():
        sent.append(1)
        return "Booked 3 seats."

    @ek.traced("books")
    def program(question):
        booked = book()
        tip = ek.context("tip", "Be kind.")
        return ask(ek.assemble("{b} {t}", b=booked, t=tip))

    run = recorded(program, "q")
    link = next(row["seq"] for row in run.recording.rows("link_opened"))
    run.verdict("failed", judge="me", link=link)
    assert run.whatif(remove="tip").word == "not shown"
    assert len(sent) == 1


def test_a_link_that_changes_what_it_is_given_runs_again_where_that_is_missed():
    @ek.link
    def collect(notes, more):
        notes.append(more)
        return len(notes)

    @ek.traced("collects")
    def program(question):
        notes = []
        collect(notes, "half of the fare")
        greeting = ek.context("greeting", "Good day.")
        return ask(ek.assemble("{g} {n}", g=greeting, n=" ".join(notes)))

    run = recorded(program, "q")
    found = run.whatif(remove="greeting")
    assert (found.word, found.before, found.after) == ("not shown", *["Half is paid back."] * 2)
    assert "collect" in {each.name for each in found.trial.changed[0].done.executed}
