"""Custody names the way of a context, whatever handed it on; none that came is said not to."""

import json

import pytest

import explainkit as ek

NOTE = "Goodwill campaign: for any delay we pay back half of the fare."
OTHER = "Bicycles travel free on regional trains after nine."
SAID = "We pay back half of the fare."


@ek.link(kind="model")
def ask(prompt):
    return SAID


def context():
    return ek.context("note", NOTE, kind="memory", source="memory/1", why="about delays")


def list_item():
    ek.answer(ask(ek.assemble("{notes}\nWhat?", notes=[OTHER, context()])))


def message():
    ek.answer(ask([{"role": "user", "content": "What?"}, {"role": "user", "content": context()}]))


def nested():
    inner = ek.assemble("Memory:\n{note}", note=context())
    ek.answer(ask(ek.assemble("{memory}\nWhat?", memory=inner)))


@ek.link(kind="retrieval")
def retrieve(question):
    return [{"text": OTHER}, {"text": NOTE}]


def row():
    context()
    rows = retrieve("What?")
    ek.answer(ask(ek.assemble("{rows}", rows="\n".join(each["text"] for each in rows))))


@ek.link(kind="tool")
def lookup(store):
    return {"found": f"The memory says: {store[0]}"}


def tool():
    found = lookup([context()])
    ek.answer(ask(ek.assemble("{found}", found=json.dumps(found))))


@ek.link(kind="model")
def research(prompt):
    return "According to the memory we pay back half of the fare."


@ek.link(kind="agent")
def look_into(task, memory):
    return research(ek.assemble("{memory}\n{task}", memory=memory, task=task))


def sub_agent():
    ek.answer(ask(ek.assemble("{report}", report=look_into("goodwill", context()))))


def quoted():
    note = context()
    quote = ek.context("summary", lookup([note])["found"], kind="document")
    ek.answer(ask(ek.assemble("{quote}", quote=quote)))


def direct():
    note = ek.context("note", SAID, kind="memory", source="memory/1", why="about delays")
    ek.answer(note)


WAYS = {
    list_item: ((), ("notes[1] of assemble",), ("ask",)),
    message: ((), ("prompt[1].content of ask",), ("ask",)),
    nested: ((), ("note of assemble #1", "memory of assemble #2"), ("ask",)),
    row: (("output[1].text of retrieve",), ("rows of assemble",), ("ask",)),
    tool: (("output.found of lookup",), ("found of assemble",), ("ask",)),
    sub_agent: (
        ("output of look_into",),
        ("memory of assemble #1", "report of assemble #2"),
        ("research", "ask"),
    ),
    quoted: (("output.found of lookup", "context summary"), ("quote of assemble",), ("ask",)),
    direct: ((), (), ()),
}


@pytest.mark.parametrize("make", WAYS)
def test_custody_names_every_step_of_the_way(make):
    with ek.trace("way", question="What do I get?") as run:
        make()
    through, landed, read = WAYS[make]
    back = run.backtrack(span="half of the fare")
    use = next(each for each in back.contexts if each.name == "note")
    assert (use.born, use.allowed) == ("memory/1", "about delays")
    assert (use.through, use.landed, use.read, use.said) == (through, landed, read, ("answer",))
    text = " ".join(back.text().split())
    for words in (*through, *landed):
        assert words in text
    assert "note" not in {each.name for each in back.left_out if each.how == "never read"}
    assert "note" not in {each.name for each in back.ignored}


def test_a_story_tells_by_way_of_what_a_context_came():
    with ek.trace("way", question="What do I get?") as run:
        tool()
    run.verdict("failed", judge="reader")
    assert "came by way of what “lookup” gave" in str(run.story())


def test_a_context_of_which_a_model_read_only_what_came_of_it_is_not_called_never_read():
    @ek.link(kind="tool")
    def rate(text):
        return 40

    @ek.link(kind="model")
    def tell(prompt):
        return "It is 40."

    with ek.trace("rate") as run:
        note = ek.context("note", "The rate is forty of a hundred.")
        ek.context("unused", OTHER)
        ek.answer(tell(ek.assemble("{rate}", rate=rate(note))))
    left = {each.name: (each.how, each.why) for each in run.backtrack().left_out}
    assert left == {
        "note": ("not read itself", "rate was given it, and a model read what came of that"),
        "unused": ("never read", None),
    }


def test_a_context_whose_words_came_by_way_of_another_left_words_in_the_answer():
    with ek.trace("twice") as run:
        context()
        ek.answer(ask(ek.assemble("{s}", s=ek.context("summary", "We pay back half of the fare"))))
    back = run.backtrack()
    assert [use.name for use in back.contexts] == ["summary"]
    assert back.ignored == ()


def test_a_context_that_gave_a_number_left_words_in_the_answer():
    @ek.link(kind="model")
    def tell(prompt):
        return "Mia Li gets 540 EUR."

    with ek.trace("paid") as run:
        rule = ek.context("rule", "Pay Mia Li 540 EUR.")
        other = ek.context("other", OTHER)
        ek.answer(tell(ek.assemble("{r} {o}", r=rule, o=other)))
    assert [use.name for use in run.backtrack().ignored] == ["other"]


def test_calls_of_one_name_are_told_apart():
    with ek.trace("two calls") as run:
        note = context()
        ask(ek.assemble("{n}", n="Hello."))
        ek.answer(ask(ek.assemble("{n}", n=note)))
    (use,) = run.backtrack(span="half of the fare").contexts
    assert (use.landed, use.read) == (("n of assemble #2",), ("ask #2",))
