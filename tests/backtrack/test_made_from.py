"""Links, and versions of the answer, know which links they were made from."""

import explainkit as ek
from explainkit.backtrack.made_from import link_sources
from explainkit.flow.agents import Agent
from explainkit.flow.models import ScriptedModel


def sources(run, **settings):
    """What was made from what, by name: each link with the names of its inputs."""
    found = link_sources(run.evidence, **settings)
    names = {row["seq"]: row.get("name") or row["kind"] for row in run.recording.rows()}
    told = [(names[seq], [names[each] for each in inputs]) for seq, inputs in found.inputs.items()]
    return found, told, names


@ek.link
def make(question):
    return "the long text of the state that is made"


@ek.link
def upper(text):
    return text.upper() + " in capitals, and more"


@ek.link
def lower(text):
    return text.lower() + " with something behind it"


@ek.link
def join(left, right):
    return f"{left} / {right} / joined"


@ek.link
def increase(number):
    return number + 1


def test_paths_that_run_side_by_side_meet_in_the_link_that_was_given_both():
    with ek.trace("fan") as run:
        made = make("q")
        ek.answer(join(upper(made), lower(made)))
    found, told, names = sources(run)
    assert told == [
        ("make", []),
        ("upper", ["make"]),
        ("lower", ["make"]),
        ("join", ["upper", "lower"]),
    ]
    assert names[found.target] == "join"
    assert not found.versions
    assert not found.by_order


def test_a_context_between_two_links_hands_on_what_it_holds():
    with ek.trace("context") as run:
        hit = ek.context("hit", make("q"))
        ek.answer(upper(ek.assemble("{hit}, please", hit=hit)))
    assert sources(run)[1] == [("make", []), ("assemble", ["make"]), ("upper", ["assemble"])]


def test_every_reply_of_a_conversation_that_is_handed_on_whole_is_an_input():
    @ek.link(kind="model")
    def chat(messages):
        return f"This is reply number {len(messages)} of the model."

    with ek.trace("chat") as run:
        history = ["Hello there, my dear model."]
        for _ in range(20):
            history = [*history, chat(history)]
        ek.answer(history[-1])
    found, told, _ = sources(run)
    assert [len(inputs) for _, inputs in told] == list(range(20))
    assert not found.by_order


def test_small_numbers_show_no_source_and_are_tied_by_order():
    with ek.trace("numbers") as run:
        number = 1
        for _ in range(4):
            number = increase(number * 3)
        ek.answer(number)
    found, told, _ = sources(run)
    assert [len(inputs) for _, inputs in told] == [0, 1, 1, 1]
    assert found.by_order == frozenset(list(found.inputs)[1:])


def test_a_link_is_made_from_the_links_inside_it_and_these_from_what_it_was_given():
    @ek.link
    def outer(number):
        return increase(increase(number)) * 2

    with ek.trace("nested") as run:
        ek.answer(outer(outer(3)) and 7)
    found, told, _ = sources(run)
    assert told[2] == ("outer", ["increase", "increase"])
    assert told[3] == ("increase", ["outer"])  # the first one inside: not the one beside it before
    assert told[4] == ("increase", ["increase"])
    assert told[5] == ("outer", ["outer", "increase", "increase"])
    assert list(found.inputs) == sorted(found.inputs, key=list(found.inputs).index)


def test_a_link_that_is_given_nothing_is_made_from_nothing():
    @ek.link
    def today():
        return "Monday, the first of the month"

    with ek.trace("today") as run:
        made = make("q")
        ek.answer(join(made, today()))
    assert ("today", []) in sources(run)[1]


def test_an_answer_that_no_link_gave_as_it_stands_is_a_step_of_its_own():
    with ek.trace("put together") as run:
        made = make("q")
        ek.answer(f"{upper(made)} -- {lower(made)}")
    found, told, _ = sources(run)
    assert told[-1] == ("answer", ["upper", "lower"])
    assert found.versions == {found.target: 1}


def test_an_answer_that_is_the_text_of_a_reply_is_no_step_of_its_own():
    agent = Agent(ScriptedModel(["It is ninety euros to Rome."]))
    agent.run_sync("How much is it?")
    found, told, names = sources(ek.last())
    assert not found.versions
    assert names[found.target] == "Agent model"
    assert told[0] == ("Agent model", [])


def test_each_override_is_made_from_the_version_before_it_and_from_what_it_holds():
    with ek.trace("overridden") as run:
        ek.answer(make("q"))
        ek.override(upper("something of its own"), by="editor", reason="louder")
        ek.override("Nothing.", by="cutter", reason="shorter")
    found, told, _ = sources(run)
    assert told[-2:] == [("override", ["make", "upper"]), ("override", ["override"])]
    assert sorted(found.versions.values()) == [2, 3]
    assert found.target == max(found.versions)


def test_an_answer_without_a_source_is_tied_to_the_link_that_ended_last():
    with ek.trace("yes or no") as run:
        make("q")
        ek.answer(True)
    found, told, _ = sources(run)
    assert told == [("make", []), ("answer", ["make"])]
    assert found.target in found.by_order


def test_another_answer_slot_has_a_target_of_its_own():
    with ek.trace("two slots") as run:
        first = make("q")
        ek.answer(upper(first), slot="loud")
        ek.answer(lower(first))
    assert sources(run, slot="loud")[2][link_sources(run.evidence, slot="loud").target] == "upper"
    assert sources(run)[2][link_sources(run.evidence).target] == "lower"


def test_links_that_made_the_same_call_have_the_same_key():
    with ek.trace("twice") as run:
        one, two, three = make("q"), make("q"), make("another")
        ek.answer(join(one + two, three))
    found, _, _ = sources(run)
    keys = [found.same[seq] for seq in found.inputs][:3]
    assert keys[0] == keys[1] != keys[2]


def test_a_run_that_raised_leads_to_the_link_that_ended_last():
    @ek.link
    def fail(text):
        raise ValueError("no")

    try:
        with ek.trace("failing") as run:
            fail(make("q"))
    except ValueError:
        pass
    found, told, names = sources(run)
    assert names[found.target] == "fail"
    assert told == [("make", []), ("fail", ["make"])]


def test_a_run_without_links_has_no_target():
    with ek.trace("empty") as run:
        pass
    assert link_sources(run.evidence).target is None
