"""Every verb changes what it names, at every size of it, and nothing else."""

import pytest

import explainkit as ek
from explainkit.errors import InterventionError, UnknownRecordError
from tests.whatif.programs import HALF, ROWS, ask, claim, executed, recorded, reused


@ek.link(kind="retrieval")
def find_fares(city):
    return [dict(row) for row in ROWS]


@ek.traced("fares")
def fares(question):
    rows = ek.context("rows", find_fares("Oslo"))
    limit = ek.context("limit", 7)
    pieces = ek.context("pieces", ["Bring a ticket.", HALF])
    return ask(
        ek.assemble(
            "{rows} {limit} {pieces} {q}", rows=rows, limit=limit, pieces=pieces, q=question
        )
    )


@ek.traced("chat")
def chat(history):
    told = ek.context("history", history, kind="message")
    return ask(ek.assemble([{"role": "system", "content": "Be brief."}, "{told}"], told=told))


HISTORY = [
    {"role": "user", "content": "Hello there."},
    {"role": "assistant", "content": HALF},
    {"role": "assistant", "content": "Is there anything else?"},
]


@pytest.mark.parametrize(
    ("changes", "after"),
    [
        ({"remove": "rules"}, "Nothing is paid back."),
        ({"remove": ("rules", "half of the fare")}, "Nothing is paid back."),
        ({"remove": ("rules", 0)}, "Nothing is paid back."),
        ({"remove": ("rules", (0, len(HALF)))}, "Nothing is paid back."),
        ({"replace": {"rules": "We pay nothing."}}, "Nothing is paid back."),
        ({"replace": {("rules", "half of"): "all of"}}, "Nothing is paid back."),
    ],
)
def test_the_words_that_decide_are_a_cause(changes, after):
    found = recorded(claim, "40 minutes late?").whatif(**changes)
    assert (found.word, found.flips, found.n, found.after) == ("cause", (1, 0), 1, after)
    assert found.before == "Half is paid back."
    assert executed(found) == ["ask"]


@pytest.mark.parametrize(
    "changes",
    [
        {"remove": "note"},
        {"remove": ("rules", 1)},
        {"remove": ("rules", "Children travel free.")},
        {"replace": {("rules", "30"): "45"}},
        {"reorder": ["note", "rules"]},
    ],
)
def test_other_words_are_not(changes):
    found = recorded(claim, "40 minutes late?").whatif(**changes)
    assert (found.word, found.flips) == ("not shown", (0, 0))


def test_a_row_of_a_table_is_dropped_and_the_rest_stays():
    found = recorded(fares, "How much?").whatif(remove=("rows", 0))
    assert (found.word, found.after) == ("cause", "Half is paid back.")
    prompt = found.run.prompt().text
    assert "inner city" not in prompt
    assert "outer ring" in prompt
    assert "airport" in prompt


def test_an_item_of_a_list_is_dropped_after_the_others_changed():
    run = recorded(fares, "How much?")
    found = run.whatif(remove=[("rows", 0), ("pieces", 1)])
    assert found.after == "Nothing is paid back."
    only = run.whatif(remove=("pieces", 0))
    assert only.word == "not shown"


def test_a_number_is_replaced_and_never_removed():
    run = recorded(fares, "How much?")
    changed = run.whatif(replace={("rows", "inner city"): "centre", "limit": 8})
    assert changed.word == "not shown"
    assert "8" in changed.run.prompt().text
    with pytest.raises(ek.ExplainkitError, match=r"7 cannot be missing.*Use replace="):
        run.whatif(remove="limit")


def test_a_message_is_dropped_though_others_have_its_role():
    run = recorded(chat, HISTORY)
    found = run.whatif(remove=("history", 1))
    assert (found.word, found.after) == ("cause", "Nothing is paid back.")
    assert run.whatif(remove=("history", 2)).word == "not shown"
    assert run.whatif(remove=("history", "half of the fare")).word == "cause"


def test_messages_change_places():
    found = recorded(chat, HISTORY).whatif(reorder={"history": [2, 1, 0]})
    assert found.word == "not shown"
    sent = found.run.prompt().text
    assert sent.index("anything else") < sent.index("Hello there")


def test_contexts_change_places_in_the_prompt():
    found = recorded(claim, "40 minutes late?").whatif(reorder=["note", "rules"])
    sent = found.run.prompt().text
    assert sent.index("Ask for the ticket") < sent.index("Children")


def test_a_tool_result_is_swapped_without_calling_the_tool():
    found = recorded(fares, "How much?").whatif(swap={"find_fares": []})
    assert (found.word, found.after) == ("cause", "Half is paid back.")
    assert "find_fares" not in executed(found)


def test_a_row_of_a_tool_result_is_edited():
    run = recorded(fares, "How much?")
    found = run.whatif(replace={("find_fares", 0): {"zone": "inner city", "fare": 90}})
    assert found.after == "Half is paid back."
    assert run.whatif(remove=("find_fares", 2)).after == "You paid 12."


def test_arguments_of_a_link_are_edited_and_it_runs():
    found = recorded(claim, "40 minutes late?").whatif(edit={"ask": {"prompt": "no rule"}})
    assert (found.word, found.after) == ("cause", "Nothing is paid back.")


def test_an_override_is_held_off():
    @ek.traced("redacted")
    def redacted(question):
        ek.answer(ask(ek.context("rules", HALF)))
        return ek.override(lambda text: text.replace("Half", "[redacted]"), by="redactor")

    found = recorded(redacted, "How much?").whatif(hold="redactor")
    assert (found.word, found.before) == ("cause", "[redacted] is paid back.")
    assert found.after == "Half is paid back."
    assert reused(found) == ["ask"]


def test_what_was_truncated_comes_back_whole():
    @ek.traced("truncated")
    def truncated(question):
        ek.left_out("terms", f"Bring a ticket. {HALF}", why="too long", how="truncated")
        return ask(ek.assemble("{t} {q}", t=ek.context("terms", "Bring a ticket."), q=question))

    found = recorded(truncated, "How much?").whatif(restore="terms")
    assert (found.word, found.after) == ("cause", "Half is paid back.")


def test_what_a_retrieval_cut_by_rank_comes_back_as_its_last_item():
    @ek.link(kind="retrieval")
    def search(question):
        ek.left_out("page 2", HALF, why="rank 2 of 2", how="cut by rank")
        return [ek.context("page 1", "Bring a ticket.")]

    @ek.traced("searched")
    def searched(question):
        return ask(ek.assemble("{pages} {q}", pages=search(question), q=question))

    found = recorded(searched, "How much?").whatif(restore="page 2")
    assert (found.word, found.after) == ("cause", "Half is paid back.")
    assert found.run.recording.values.object is not None
    assert "search" not in executed(found)


def test_what_was_left_out_at_the_top_comes_back_into_the_prompt():
    @ek.traced("left out")
    def short_of_one(question):
        first = ek.context("first", "Bring a ticket.")
        ek.left_out("second", HALF, why="no room")
        return ask(ek.assemble("{first}\n{q}", first=first, q=question))

    found = recorded(short_of_one, "How much?").whatif(restore="second")
    assert (found.word, found.after) == ("cause", "Half is paid back.")


def test_an_event_is_changed_where_it_arrives():
    @ek.traced("asked by a person")
    def approved(question):
        return ask(ek.assemble("{e} {q}", e=ek.event("approval", HALF, sender="desk"), q=question))

    found = recorded(approved, "How much?").whatif(replace={"approval": "No."})
    assert (found.word, found.after) == ("cause", "Nothing is paid back.")


def chunked(*texts):
    """A run with several contexts of one name."""

    @ek.traced("chunks")
    def chunks(question):
        parts = [ek.context("chunk", text) for text in texts]
        return ask(ek.assemble("{parts} {q}", parts=parts, q=question))

    return recorded(chunks, "How much?")


def test_contexts_of_one_name_that_hold_different_things_are_told_apart_by_number():
    run = chunked("Bring a ticket.", HALF)
    numbers = [row["seq"] for row in run.recording.rows("context")]
    with pytest.raises(InterventionError, match=r"the 2 contexts 'chunk' \(records 3, 5\)") as told:
        run.whatif(replace={"chunk": "-"})
    assert str(told.value).endswith("such as 3, or a list of all that you mean: [3, 5].")
    assert run.whatif(replace=dict.fromkeys(numbers, "-")).after == "Nothing is paid back."
    assert run.whatif(remove=numbers[0]).word == "not shown"
    assert run.whatif(remove=numbers[1]).word == "cause"


def test_contexts_of_one_name_that_hold_the_same_are_changed_together():
    run = chunked(HALF, "Bring a ticket.", HALF)
    same = [row["seq"] for row in run.recording.rows("context")][::2]
    found = run.whatif(remove=("chunk", "half of the fare"))
    assert (found.word, len(found.interventions)) == ("cause", 2)
    assert found.trial.plan.touched == set(same)


def test_words_choose_among_contexts_of_one_name():
    run = chunked("Bring a ticket.", HALF)
    assert run.whatif(remove=("chunk", "half of the fare")).word == "cause"
    with pytest.raises(InterventionError, match=r"None of the 2 contexts 'chunk'.*words 'double'"):
        run.whatif(remove=("chunk", "double"))
    twice = chunked(f"{HALF} A", f"{HALF} B")
    with pytest.raises(InterventionError, match=r"such as \(3, 'half'\)"):
        twice.whatif(remove=("chunk", "half"))


def test_names_as_they_are_printed_are_targets():
    @ek.link(kind="retrieval", deterministic=True)
    def search(question):
        return HALF if question == "b" else "Nothing."

    @ek.traced("printed")
    def program(question):
        found = [search(each) for each in "ab"]
        note = ek.context("note", "Ask for the ticket.", kind="memory")
        return ask(ek.assemble("{a} {b} {n}", a=found[0], b=found[1], n=note))

    run = recorded(program, "q")
    back = run.backtrack(span="Half")
    assert back.contexts[0].name == "output of search #2"
    opened = [row["seq"] for row in run.recording.rows("link_opened") if row["name"] == "search"]
    for name in (back.contexts[0].name, "search #2", "retrieval search #2"):
        found = run.whatif(replace={name: "-"})
        assert (found.word, found.trial.plan.touched) == ("cause", {opened[1]})
    assert run.whatif(remove="context note").interventions == ("remove note",)
    assert run.whatif(remove="memory note").interventions == ("remove note",)
    assert run.whatif(edit={f"search (record {opened[1]})": {"question": "a"}}).word == "cause"
    with pytest.raises(UnknownRecordError, match="no context, event or link 'output of searches'"):
        run.whatif(remove="output of searches")


def test_suspects_and_places_of_a_backtrack_are_targets():
    run = recorded(claim, "40 minutes late?")
    suspect = next(each for each in run.backtrack().shortlist(5) if each.actor == "rules")
    assert run.whatif(remove=suspect).word == "cause"
    place = run.backtrack(span="Half").hops[-1].source
    assert (place.label, place.text) == ("context rules", "half")
    found = run.whatif(remove=place)
    assert (found.word, found.interventions) == ("cause", ("remove 'half' in rules",))


def test_what_a_user_put_in_is_not_changed_by_the_run():
    @ek.traced("drains")
    def drains(question):
        items = ek.context("items", ["a", "b"])
        while items:
            items.pop()
        return ask(question)

    mine = ["x", "y", "z"]
    recorded(drains, "q").whatif(replace={"items": mine})
    assert mine == ["x", "y", "z"]


def test_a_function_that_changes_its_argument_gets_the_recorded_one_each_time():
    @ek.traced("pops")
    def pops(lines):
        note = ek.context("note", "Bring a ticket.")
        return ask(ek.assemble("{last} {note}", last=lines.pop(), note=note))

    found = recorded(pops, ["first", HALF]).whatif(remove="note")
    assert (found.word, found.flips) == ("not shown", (0, 0))


def test_an_argument_that_was_left_to_its_default_can_be_edited():
    @ek.link(kind="retrieval", deterministic=True)
    def pick(question, keep=1, *, more=False):
        return f"{HALF} Bring a ticket."[: 10 if keep == 0 or more else None]

    @ek.traced("defaults")
    def program(question):
        return ask(pick(question))

    run = recorded(program, "q")
    for edit in ({"keep": 0}, {"more": True}):
        found = run.whatif(edit={"pick": edit})
        assert (found.word, found.after) == ("cause", "Nothing is paid back.")
    assert run.whatif(edit={"pick": {"keep": 2}}).word == "not shown"
    with pytest.raises(InterventionError, match="was not given 'kept'; it was given: question"):
        run.whatif(edit={"pick": {"kept": 0}})


def test_an_argument_that_came_by_a_name_of_its_own_is_edited():
    @ek.link(kind="model", deterministic=True)
    def says(*words, **more):
        return " ".join([*words, *map(str, more.values())])

    @ek.traced("any names")
    def program():
        return says(ek.context("note", "a note"), tone="kind")

    run = recorded(program)
    assert run.whatif(edit={"says": {"tone": "rude"}}).after == "a note rude"
    assert run.whatif(edit={"says": {"words": ("other",)}}).after == "other kind"


@ek.link(kind="model", deterministic=True)
def counts(given):
    return f"We sold {given[1]['sold'] if isinstance(given, list) else given}."


@ek.link(deterministic=True)
def sales():
    return [{"zone": "a", "sold": 80}, {"zone": "b", "sold": 950}]


@ek.link(deterministic=True)
def total():
    return 1140


@ek.traced("report")
def report():
    return f"{counts(sales())} {counts(total())}"


@pytest.mark.parametrize(
    ("target", "new", "after"),
    [
        (("sales", "950"), "12", "We sold 12. We sold 1140."),
        (("sales", "950"), 12, "We sold 12. We sold 1140."),
        (("sales", "/1/sold"), 12, "We sold 12. We sold 1140."),
        (("sales", 1, "950"), 12, "We sold 12. We sold 1140."),
        (("sales", "950"), "many", "We sold many. We sold 1140."),
        ("output[1].sold of sales", "12", "We sold 12. We sold 1140."),
        (("total", "1,140"), "1,150.5", "We sold 950. We sold 1150.5."),
        (("total", "1140 euros"), 7, "We sold 950. We sold 7."),
    ],
)
def test_a_number_is_named_as_it_is_written(target, new, after):
    found = recorded(report).whatif(replace={target: new})
    assert (found.word, found.after) == ("cause", after)


def test_a_number_that_a_walk_found_is_named_by_its_words():
    run = recorded(report)
    place = run.backtrack(span="950").introducers[0]
    assert run.whatif(replace={place: "12"}).after == "We sold 12. We sold 1140."


def test_a_number_is_never_removed():
    run = recorded(report)
    place = run.backtrack(span="950").introducers[0]
    for target in (("sales", "950"), ("total", "1140"), place):
        with pytest.raises(InterventionError, match=r"is a number and cannot be missing. Use repl"):
            run.whatif(remove=target)


def test_words_that_stand_in_several_places_of_a_value_are_named_by_an_address():
    @ek.traced("limits")
    def program():
        limits = ek.context("limits", {"fare": "half of the fare", "room": "half of it", "n": 80})
        more = ek.context("more", ["80 a", 80])
        return ask(ek.assemble("{l} {m}", l=limits, m=more))

    run = recorded(program)
    with pytest.raises(InterventionError, match=r"'half' 2 times, at '/fare' \(0, 4\), '/room'.*"):
        run.whatif(remove=("limits", "half"))
    assert run.whatif(remove=("limits", "/fare", "half")).word == "cause"
    assert run.whatif(remove=("limits", "/room")).word == "not shown"
    with pytest.raises(InterventionError, match=r"'80' 2 times, at '/0' \(0, 2\), '/1'\. Give"):
        run.whatif(replace={("more", "80"): "70"})
    assert run.whatif(replace={("more", "/1"): "70"}).word == "not shown"


def test_a_set_of_targets_is_taken_in_an_order_that_no_hash_decides():
    names = [f"context {at}" for at in range(8)]

    @ek.traced("many")
    def program():
        parts = [ek.context(name, f"words of {name}") for name in [*names, "last"]]
        return ask("\n".join(parts))

    found = recorded(program).whatif(remove=set(names))
    assert found.interventions == tuple(f"remove {name}" for name in names)


def test_of_a_context_that_cannot_be_missing_the_part_that_a_walk_found_is_named():
    @ek.link(kind="model", deterministic=True)
    def reads(given):
        return given["rows"][0]["text"]

    @ek.traced("fares")
    def program():
        return reads(ek.context("fares", {"rows": [{"text": HALF}], "n": 2}))

    run = recorded(program)
    (use,) = run.backtrack(span="half of the fare").contexts
    with pytest.raises(InterventionError, match=r"cannot be missing.*remove=context\.places\[0\]"):
        run.whatif(remove=use)
    assert run.whatif(remove=use.places[0]).word == "cause"


def test_a_part_of_a_context_is_named_as_it_is_printed():
    @ek.traced("prices")
    def program():
        prices = ek.context("prices v1.2", {"max fare": HALF, "n": [1]})
        return ask(f"{prices['max fare']}")

    run = recorded(program)
    assert run.whatif(remove="context prices v1.2['max fare']").word == "cause"
    assert run.whatif(remove="context prices v1.2.n").word == "not applied"
    with pytest.raises(InterventionError, match="cannot be missing: it is of type dict"):
        run.whatif(remove="context prices v1.2")


def test_one_context_that_is_given_in_each_round_can_be_taken_away():
    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "half" if "half" in prompt else "nothing"

    @ek.traced
    def two(question):
        rounds = [ask(f"{ek.context('policy', 'We pay half.')} {n} {question}") for n in range(2)]
        return rounds[-1]

    two("?")
    found = ek.last().whatif(remove="policy")
    assert (found.word, found.after) == ("cause", "nothing")


@pytest.mark.parametrize(
    ("change", "after"),
    [("remove", "Nothing is paid back."), ("replace", "You paid 12.")],
)
def test_words_of_what_a_generator_gave_are_changed_where_they_stand(change, after):
    @ek.link(kind="retrieval")
    def found(question):
        yield "We pay half "
        yield "of the fare. "
        yield "Dogs are free."

    @ek.traced("streamed")
    def program(question):
        return ask("".join(found(question)) + question)

    run = recorded(program, "And?")
    [place] = run.backtrack(span="Half").contexts[0].places
    words = {"remove": place, "replace": {place: "12 euros"}}
    got = run.whatif(**{change: words[change]})
    assert (got.word, got.after) == ("cause", after)
