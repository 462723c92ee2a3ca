"""What a run says of an error that its machine caught by a route of the chart."""

import explainkit as ek
from explainkit.flow import answer, invoke, state, to
from tests.session.test_prompts_of_picks import run_of

SORRY = "It failed, sorry: the kettle is cold"


def boil():
    raise ValueError("the kettle is cold")


def routed(**to_what):
    return run_of(state(invoke=invoke("f", on_error=to("r", **to_what))), boil)


def answered(run):
    return run.backtrack(slot=f"pick:{run.picks['seq'][0]}", span="the kettle is cold")


def test_words_of_an_error_are_found_in_the_error_and_nothing_contradicts_it():
    back = answered(routed(do=answer(lambda _: SORRY)))
    text = " ".join(back.text().split())
    assert "in no upstream text" not in text.split("Trail")[0]
    assert [(use.name, use.type) for use in back.contexts][:1] == [("error of f", "error")]
    assert "error['$exception'].message of f" in text
    assert back.contexts[0].born == "raised in f"
    assert back.contexts[0].places[0].text == "the kettle is cold"


def test_the_error_that_an_answer_was_made_from_is_one_declared_hop():
    back = answered(routed(do=answer(lambda args: f"Sorry: {args.event.error.message}.")))
    (hop,) = back.hops
    assert (hop.grade, hop.source.slot, hop.source.label) == ("declared", "error", "error of f")
    assert hop.source.text == "the kettle is cold"


def test_a_routed_error_is_a_suspect_of_the_answer_that_it_reaches_with_its_message():
    back = answered(routed(do=answer(lambda _: SORRY)))
    reasons = {each.actor: [reason.word for reason in each.reasons] for each in back.shortlist()}
    assert "failed: 'ValueError: the kettle is cold'" in reasons["f"]


def test_a_routed_error_is_no_suspect_of_an_answer_that_it_does_not_reach():
    with ek.trace("own") as run:
        routed()
        run_of_it = ek.last()
        ek.answer("Something that has nothing to do with it.")
    assert run_of_it.recording.run == run.recording.run
    assert list(run.links["status"]).count("error") == 1
    assert run.backtrack().shortlist() == ()


def test_an_error_that_no_route_caught_stays_a_suspect():
    @ek.link
    def orders():
        raise KeyError("orders")

    with ek.trace("own") as run:
        try:
            orders()
        except KeyError:
            ek.answer("You have no orders.")
    (suspect,) = run.backtrack().shortlist()
    assert [reason.word for reason in suspect.reasons] == ["failed: \"KeyError: 'orders'\""]
