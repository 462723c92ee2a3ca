"""Blocks without a function: the last model is asked again where every step is on record."""

import asyncio
import json

import pytest

import explainkit as ek
from explainkit.errors import InterventionError, RerunError
from explainkit.flow.models import CallableModel
from tests.whatif.programs import HALF, ask, undeclared


def block(**more):
    with ek.trace("block") as run:
        rules = ek.context("rules", f"{HALF} {{braces}}")
        note = ek.context("note", "Ask for the ticket.")
        ek.answer(ask(ek.assemble("{r}\n{n} {{so}}", r=rules, n=note, **more)))
        ek.override(lambda text: text.replace("Half", "HALF"), by="shouter")
    return run


def test_the_last_model_is_asked_again_with_the_edited_prompt():
    found = block().whatif(remove="rules")
    assert (found.word, found.before, found.after) == (
        "cause",
        "HALF is paid back.",
        "Nothing is paid back.",
    )
    assert found.run.prompt().text == "\nAsk for the ticket. {so}"
    assert block().whatif(remove="note").word == "not shown"
    assert block().whatif(remove=("rules", "half of the fare")).word == "cause"
    assert block().whatif(hold="shouter").after == "Half is paid back."


def test_a_list_of_messages_is_assembled_again():
    with ek.trace("chat") as run:
        history = ek.context("history", [{"role": "user", "content": HALF}], kind="message")
        rule = ek.context("rule", "Be brief.")
        ek.answer(
            ask(
                ek.assemble(
                    [{"role": "system", "content": "Rule: {rule} {{x}}"}, "{history}"],
                    rule=rule,
                    history=history,
                )
            )
        )
    found = run.whatif(remove=("history", 0))
    assert (found.word, found.after) == ("cause", "Nothing is paid back.")
    assert run.whatif(remove="rule").word == "not shown"
    assert "Rule:  {x}" in str(run.whatif(remove="rule").run.prompt().text)


def test_a_context_that_is_the_prompt_itself_is_enough():
    with ek.trace("plain") as run:
        undeclared(ek.context("prompt", HALF))
    assert str(run.whatif(remove="prompt")) == "cause 5/5 vs 0/5, p = 0.008"


def test_an_awaited_model_of_a_block():
    @ek.link(kind="model", deterministic=True)
    async def reply(prompt):
        await asyncio.sleep(0)
        return ask.__wrapped__(prompt)

    async def main():
        async with ek.trace("async block") as run:
            ek.answer(await reply(ek.context("rules", HALF)))
        return await run.whatif_async(remove="rules")

    assert asyncio.run(main()).word == "cause"


def test_streamed_words_of_a_block():
    @ek.link(kind="model", deterministic=True)
    def stream(prompt):
        yield from ask.__wrapped__(prompt).split(" ")

    with ek.trace("stream") as run:
        ek.answer("".join(stream(ek.context("rules", HALF))))
    found = run.whatif(remove="rules")
    assert (found.word, found.after) == ("cause", "Nothingispaidback.")


def test_effects_of_a_block_are_not_told_again():
    sent = []

    @ek.link(kind="effect")
    def mail(text):
        sent.append(text)

    with ek.trace("mails") as run:
        reply = ask(ek.context("rules", HALF))
        mail("fixed words")
        ek.answer(reply)
    assert run.whatif(remove="rules").word == "cause"
    assert sent == ["fixed words"]


def unrecorded_prompt():
    rules = ek.context("rules", HALF)
    ek.answer(ask(f"{rules} How much?"))


def unrecorded_answer():
    ek.answer(ask(ek.context("rules", HALF)).upper())


def formatted():
    ek.answer(ask(ek.assemble("{r:>80}", r=ek.context("rules", HALF))))


def value_override():
    ek.answer(ask(ek.context("rules", HALF)))
    ek.override("Something else.", by="guard")


def no_model():
    ek.answer(ek.context("rules", HALF))


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (unrecorded_prompt, "what made the input of ask is not"),
        (unrecorded_answer, "between the last recorded step and the answer"),
        (formatted, "a field with a format"),
        (value_override, "override by guard was given as a value"),
        (no_model, "no model call is on record"),
    ],
)
def test_a_block_with_a_step_off_the_record_is_refused_with_the_form_to_use(steps, why):
    with ek.trace("block") as run:
        steps()
    with pytest.raises(RerunError, match=why) as refused:
        run.whatif(remove="rules")
    assert "@ek.traced('block')\n    def run_it(question): ...\n    run_it(...)" in str(
        refused.value
    )


def test_a_link_before_the_model_that_would_run_again_is_no_cause():
    @ek.link(kind="retrieval")
    def search(words):
        return HALF

    with ek.trace("search first") as run:
        words = ek.context("words", "refund rules")
        ek.answer(ask(ek.assemble("{w} {p}", w=words, p=search(words))))
    found = run.whatif(replace={"words": "something else"})
    assert found.word == "inconclusive"
    assert "search would have to run again" in found.reason


def test_a_loaded_block_is_asked_through_a_living_function(tmp_path):
    run = block()
    run.save(tmp_path / "run.ek.jsonl")
    loaded = ek.load(tmp_path / "run.ek.jsonl")
    with pytest.raises(RerunError, match="override by shouter was given as a value"):
        loaded.whatif(remove="rules")
    with ek.trace("kept") as kept:
        ek.answer(ask(ek.context("rules", HALF)))
    kept.save(tmp_path / "kept.ek.jsonl")
    assert ek.load(tmp_path / "kept.ek.jsonl").whatif(remove="rules").word == "cause"


def imported(tmp_path):
    messages = [
        {"role": "system", "content": f"You are brief. {HALF}"},
        {"role": "user", "content": "What do we pay back?"},
        {"role": "assistant", "content": "Half is paid back."},
        {"role": "user", "content": "Sure?"},
        {"role": "assistant", "content": "Yes, half."},
    ]
    (tmp_path / "chat.json").write_text(json.dumps(messages), "utf-8")
    return ek.load(tmp_path / "chat.json")


def replies(messages):
    return "Yes, half." if "half of the fare" in str(messages) else "No."


def test_a_model_call_of_an_imported_run_is_asked_of_a_model(tmp_path):
    run = imported(tmp_path)
    with pytest.raises(RerunError, match=r"recorded by another tool.*whatif\(model=\)"):
        run.whatif(remove="system")
    for model in (replies, CallableModel(replies)):
        found = run.whatif(remove=("system", "half of the fare"), model=model)
        assert (found.word, found.flips[1], found.after) == ("cause", 0, "No.")
    exact = run.whatif(
        remove=("system", "half of the fare"), model=CallableModel(replies, deterministic=True)
    )
    assert (exact.word, exact.n) == ("cause", 1)
    asked = run.whatif(replace={("system", "brief"): "kind"}, model=replies)
    assert asked.word == "not shown"
    assert "You are kind" in str(asked.run.prompt().text)


def test_another_model_that_never_says_the_same_is_no_judge(tmp_path):
    found = imported(tmp_path).whatif(remove="system", model=lambda messages: "Perhaps.")
    assert found.word == "inconclusive"
    assert "unfit" in found.reason
    said = imported(tmp_path).whatif(
        remove="system", model=replies, judge=lambda answer: "half" in answer
    )
    assert said.word == "cause"


def test_what_is_no_model_is_refused(tmp_path):
    with pytest.raises(RerunError, match=r"model= takes a model with complete"):
        imported(tmp_path).whatif(remove="system", model="gpt")


class Cell:
    """What `%%trace` keeps, with `rerun` and `is_async`."""

    is_async = False

    def rerun(self):
        ek.answer(ask(ek.context("rules", HALF)))
        return {"a name": 1}


def test_a_recorded_cell_is_run_again():
    cell = Cell()
    with ek.trace("cell") as run:
        cell.rerun()
    run.cell = cell
    found = run.whatif(remove="rules")
    assert (found.word, found.after) == ("cause", "Nothing is paid back.")


def test_a_kind_of_ones_own_is_named_where_a_model_is_looked_for():
    @ek.link(kind="llm")
    def chat(prompt):
        return prompt

    with ek.trace("own kind") as run:
        ek.answer(chat(ek.context("note", "A note.")))
    with pytest.raises(RerunError, match=r"chat is of kind llm; only kind='model' is asked"):
        run.whatif(remove="note")


def test_a_model_that_is_only_a_name_is_refused_without_talk_of_blocks(tmp_path):
    chat = tmp_path / "chat.json"
    turns = [{"role": "user", "content": "How late?"}, {"role": "assistant", "content": "Half."}]
    chat.write_text(json.dumps({"messages": turns}), "utf-8")
    with pytest.raises(RerunError) as told:
        ek.load(chat).whatif(remove="user", model="gpt-4o")
    assert "model= takes a model with complete(prompt)" in str(told.value)
    assert str(told.value).endswith("got 'gpt-4o'.")
    assert "block" not in str(told.value)


def test_a_message_of_an_imported_chat_is_named_as_displays_name_it(tmp_path):
    chat = tmp_path / "chat.json"
    turns = [
        {"role": "system", "content": "Pay half of the fare."},
        {"role": "user", "content": "How much?"},
        {"role": "assistant", "content": "Half is paid back."},
    ]
    chat.write_text(json.dumps({"messages": turns}), "utf-8")
    run = ek.load(chat)
    model = lambda messages: "Half." if "half" in str(messages) else "Nothing."  # noqa: E731
    for name in ("system", "system at step 0", "context system at step 0"):
        found = run.whatif(remove=(name, "half of the fare"), model=model, span="Half", times=5)
        assert found.word == "cause"
        assert found.interventions == ("remove 'half of the fare' in system",)


@ek.link(kind="model", deterministic=True)
def decide(prompt):
    return "granted today" if "half" in str(prompt) else "not granted at all"


@ek.link
def by_rule(words):
    return "granted today"


def test_one_of_two_contexts_that_hold_the_same_is_not_taken_for_both():
    with ek.trace("twins") as run:
        one = ek.context("note one", "half")
        two = ek.context("note two", "half")
        ek.answer(decide(ek.assemble("{one} {two}", one=one, two=two)))
    for asked in ({"remove": "note one"}, {"replace": {"note two": "whole"}}):
        found = run.whatif(**asked)
        assert found.word == "inconclusive"
        assert "context 'note one' and context 'note two' held the same" in found.reason
        assert "Put the block into a function with @ek.traced" in found.reason
    both = run.whatif(replace={"note one": "whole", "note two": "whole"})
    assert (both.word, both.after) == ("cause", "not granted at all")


def test_an_answer_that_two_steps_gave_is_not_taken_for_the_model_s():
    with ek.trace("rule and model") as run:
        note = ek.context("note", "half")
        other = ek.context("other", "other words")
        ruled = by_rule(other)
        decide(ek.assemble("{n}", n=note))
        ek.answer(ruled)
    found = run.whatif(remove="note")
    assert found.word == "inconclusive"
    assert "link 'by_rule' and link 'decide' held the same" in found.reason


def test_a_short_answer_of_a_block_may_be_its_own():
    @ek.link(kind="model", deterministic=True)
    def votes(prompt):
        return "yes" if "half" in prompt else "no"

    with ek.trace("own code") as run:
        votes(ek.context("note", "half"))
        ek.answer("yes")
    with pytest.raises(RerunError, match=r"not on record whether the answer 'yes' is what votes"):
        run.whatif(remove="note")
    with ek.trace("the model's") as run:
        reply = votes(ek.context("note", "half"))
        ek.answer(reply, uses=[reply])
    assert run.whatif(remove="note").word == "cause"


def test_the_result_of_a_step_of_a_block_is_swapped():
    @ek.link
    def search(words):
        return "we pay half"

    with ek.trace("swapped") as run:
        found = search(ek.context("words", "some words"))
        ek.answer(decide(ek.assemble("Found: {f}", f=found)))
    swapped = run.whatif(swap={"search": "we pay nothing"})
    assert (swapped.word, swapped.after) == ("cause", "not granted at all")
    assert swapped.run.prompt().text == "Found: we pay nothing"
    with pytest.raises(InterventionError, match=r"given to 'search', which keeps its recorded"):
        run.whatif(edit={"search": {"words": "other words"}})


def with_a_tool(tmp_path):
    call = {"name": "lookup", "arguments": '{"sku": "lamp"}'}
    messages = [
        {"role": "system", "content": "You are a shop desk."},
        {"role": "user", "content": "What do I get for the lamp?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": call}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": '{"sku": "lamp", "price": 40}'},
        {"role": "assistant", "content": "You get 40 euros."},
    ]
    (tmp_path / "shop.json").write_text(json.dumps(messages), "utf-8")
    return ek.load(tmp_path / "shop.json")


def shop(messages):
    price = str(messages[-1]["content"]).partition('"price": ')[2].rstrip("}")
    return f"You get {price or 'no'} euros."


@pytest.mark.parametrize(
    ("asked", "after"),
    [
        ({"swap": {"lookup": '{"sku": "lamp", "price": 35}'}}, "You get 35 euros."),
        ({"swap": {"lookup": {"sku": "lamp", "price": 35}}}, "You get 35 euros."),
        ({"replace": {("lookup", "40"): "35"}}, "You get 35 euros."),
        ({"remove": "lookup at step 3"}, "You get no euros."),
    ],
)
def test_a_result_of_a_tool_in_another_tool_s_chat_is_changed(tmp_path, asked, after):
    model = CallableModel(shop, deterministic=True)
    found = with_a_tool(tmp_path).whatif(**asked, model=model, span="40 euros")
    assert (found.word, found.after) == ("cause", after)


def test_the_messages_of_another_tool_s_chat_are_edited(tmp_path):
    asked = []
    model = CallableModel(lambda messages: asked.append(messages) or shop(messages))
    new = [{"role": "tool", "content": '{"price": 12}'}]
    edit = {"assistant #2": {"messages": new}}
    found = with_a_tool(tmp_path).whatif(edit=edit, model=model, span="40 euros", times=5)
    assert (found.word, found.after, asked[0]) == ("cause", "You get 12 euros.", new)
    with pytest.raises(InterventionError, match=r"given to 'assistant', which keeps its recorded"):
        with_a_tool(tmp_path).whatif(edit={"assistant #1": {"messages": new}}, model=model)


def test_a_model_that_is_given_and_raises_is_named(tmp_path):
    def fails(messages):
        raise ConnectionError("no line")

    found = imported(tmp_path).whatif(remove="system", model=fails)
    assert found.reason.startswith("the model that was given raised ConnectionError: no line (")
    assert "call=" not in found.reason


def test_another_model_of_a_traced_run_is_not_called_a_block():
    @ek.traced("traced")
    def program(question):
        return ask(ek.context("rules", HALF))

    program("q")
    with pytest.raises(RerunError, match=r"got 5\. Leave model= out") as told:
        ek.last().whatif(remove="rules", model=5)
    assert "block" not in str(told.value)
