"""What links share beside what they are given: the cause is found, and nothing is said too soon."""

import asyncio
import functools
from concurrent.futures import ThreadPoolExecutor

import pytest

import explainkit as ek
from explainkit.flow.agents import Agent, piece, tool
from explainkit.flow.compositions import Sequence
from explainkit.flow.models import CallableModel, ToolCall
from tests.whatif import sharing_programs as shared
from tests.whatif.programs import HALF, executed, recorded, reused


@pytest.fixture(autouse=True)
def begin_anew(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for each in (shared.MEMORY, shared.NOTES, shared.RECENT, shared.ALIAS, shared.STORE.rows):
        each.clear()
    shared.BASE.execute("delete from notes")


def traced(fn):
    @ek.traced("shares")
    def program(question):
        return fn(question)

    return program


@pytest.mark.parametrize("name", shared.FRESH)
def test_a_cause_that_goes_by_what_links_share_is_found(name):
    found = recorded(traced(shared.FRESH[name]), "Is it paid?").whatif(remove="note")
    assert found.word == "cause"
    assert (found.before, found.after) == ("Half is paid back.", "Nothing is paid back.")


@pytest.mark.parametrize("name", [name for name in shared.FRESH if name != "database"])
def test_what_does_not_matter_is_not_shown_to(name):
    found = recorded(traced(shared.FRESH[name]), "Is it paid?").whatif(remove="other")
    assert found.word == "not shown"


@pytest.mark.parametrize(
    "name", ["an object of its own", "a list of its own", "a link of its own", "a default"]
)
def test_declared_links_that_begin_anew_need_one_rerun(name):
    found = recorded(traced(shared.FRESH[name]), "Is it paid?").whatif(remove="note")
    assert str(found) == "cause 1/1 vs 0/2, deterministic"


def left_list(question):
    shared.put_list(shared.contexts())
    return shared.get_list(question)


def left_out(question):
    note = shared.contexts()
    if note:
        shared.put_table(note)
    return shared.get_table(question)


def around(question):
    note = shared.contexts()
    if note:
        shared.MEMORY["note"] = note
    return shared.get_table(question)


def in_the_prompt(question):
    shared.NOTES.append(shared.contexts())
    return shared.get_table(f"{question} {' '.join(shared.NOTES)}")


def in_a_file(question):
    note = shared.contexts()
    if note:
        shared.put_file(note)
    return shared.get_file(question)


@pytest.mark.parametrize(
    ("fn", "word"),
    [
        (left_list, "NOTES"),
        (left_out, "MEMORY"),
        (around, "MEMORY"),
        (in_the_prompt, "NOTES"),
        (in_a_file, "a file"),
    ],
)
def test_what_the_recorded_run_left_convicts_and_acquits_nobody(fn, word):
    found = recorded(traced(fn), "Is it paid?").whatif(remove="note")
    assert found.word == "inconclusive"
    assert f"{word} may hold what the recorded run left in it (" in found.reason
    assert "begin it anew there, as .clear() does" in found.reason
    assert found.trial.measurement.hidden == found.reason
    assert ek.last().findings["reason"].tolist() == [found.reason]


def test_what_the_reason_says_to_do_helps():
    def program(question):
        shared.MEMORY.clear()
        return left_out(question)

    assert recorded(traced(program), "Is it paid?").whatif(remove="note").word == "cause"
    run = recorded(traced(left_out), "Is it paid?")
    again = lambda: (shared.MEMORY.clear(), left_out("Is it paid?"))[1]  # noqa: E731
    assert run.whatif(remove="note", call=again).word == "cause"


def test_a_run_that_changes_by_itself_names_what_was_left():
    @ek.traced("counts")
    def program(question):
        note = shared.contexts()
        shared.put_list(note)
        return f"{shared.get_list(question)} {len(shared.NOTES)}"

    found = recorded(program, "Is it paid?").whatif(remove="note")
    assert found.word == "inconclusive"
    assert "NOTES may hold what the recorded run left in it" in found.reason


LOG = []
CLIENT = None
TABLE = {"rules": ["half"], "counts": 0}


class Counter:
    def __init__(self):
        self.seen = {}
        self.calls = 0

    def add(self, word):
        self.calls += 1
        self.seen[word] = self.seen.get(word, 0) + 1


class Client:
    def __init__(self):
        self.calls = 0
        self.base = None

    def connected(self):
        if self.base is None:
            self.base = object()
        return self.base

    def ask(self, text):
        self.calls += 1
        return f"{self.connected() is not None} {text}"


def client():
    global CLIENT
    if CLIENT is None:
        CLIENT = Client()
    return CLIENT


def reads_settings(key):
    LOG.append(key)
    return shared.SETTINGS["half"]


def reads_a_table(key):
    own = []
    own.append(TABLE["rules"])
    return f"{key} {own} {len(TABLE['rules'])} {'a' in TABLE}"


def uses_an_object_of_its_own(key):
    counter = Counter()
    for word in key.split():
        counter.add(word)
    return f"{counter.seen} {counter.calls}"


def uses_a_client(key):
    return client().ask(key)


def counts_up(key):
    TABLE["counts"] += 1
    return key


def uses_a_helper(key):
    wanted = set(key.split())
    return sorted(shared.SETTINGS, key=lambda text: -len(wanted & set(text)))


def uses_a_library(key):
    return [text for (text,) in shared.BASE.execute("select text from notes")] or key


@pytest.mark.parametrize(
    "fn",
    [
        reads_settings,
        reads_a_table,
        uses_an_object_of_its_own,
        uses_a_client,
        counts_up,
        uses_a_helper,
        uses_a_library,
    ],
)
def test_what_is_only_read_or_only_written_ties_nothing(fn):
    first, second = ek.link(kind="tool", name="first")(fn), ek.link(kind="tool", name="second")(fn)

    @ek.traced("shares nothing")
    def program(question):
        note = ek.context("note", HALF)
        rules = f"{first('some rules')} {second('more rules')}"
        return reply(ek.assemble("{n} {r} {q}", n=note, r=rules, q=question))

    @ek.link(kind="model", deterministic=True)
    def reply(prompt):
        return "Half." if HALF in prompt else "Nothing."

    found = recorded(program, "q").whatif(remove="note")
    assert (found.word, executed(found)) == ("cause", ["reply"])
    assert reused(found) == ["first", "second"]


def test_links_before_the_change_are_reused_although_they_share():
    calls = []

    @ek.link(kind="model")
    def chat(text):
        calls.append(text)
        return f"{len(calls)}: {text}"

    @ek.traced("chats")
    def program(question):
        first, second = chat("Hello."), chat("Once more.")
        note = ek.context("note", HALF)
        return reply(ek.assemble("{a} {b} {n}", a=first, b=second, n=note))

    reply = ek.link(kind="model", deterministic=True, name="reply")(shared.reads)
    found = recorded(program, "q").whatif(remove="note")
    assert (found.word, reused(found)) == ("cause", ["chat", "chat"])


def test_a_history_that_a_model_keeps_itself_is_made_again():
    @ek.traced("talks")
    def program(question):
        history = []

        @ek.link(kind="model", deterministic=True)
        def chat(text):
            history.append(text)
            return shared.reads(" ".join(history))

        chat(ek.context("note", HALF))
        chat("Thank you.")
        return chat("So what is paid?")

    found = recorded(program, "q").whatif(remove="note")
    assert (found.word, found.after) == ("cause", "Nothing is paid back.")
    assert executed(found) == ["chat"] * 3


def test_effects_are_not_made_again_for_what_they_share():
    sent = []

    @ek.link(kind="effect")
    def mail(text):
        sent.append(text)
        return f"mail {len(sent)}"

    @ek.traced("mails")
    def program(question):
        note = shared.contexts()
        mail("Hello.")
        return shared.get_table(f"{note} {len(sent)}")

    shared.MEMORY["note"] = ""
    recorded(program, "q").whatif(remove="note")
    assert sent == ["Hello."]


def test_reruns_that_would_disturb_each_other_are_made_one_by_one():
    fn = traced(shared.FRESH["list"])
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            run = recorded(fn, "Is it paid?")
            assert run.whatif(remove="note", executor=pool).word == "cause"
            assert run.whatif(remove="other", executor=pool).word == "not shown"


def test_runs_that_are_awaited_do_not_disturb_each_other():
    @ek.link
    async def put(note):
        await asyncio.sleep(0)
        shared.NOTES.append(note)

    @ek.link(kind="model")
    async def get(question):
        await asyncio.sleep(0)
        return shared.reads(" ".join(shared.NOTES))

    @ek.traced("awaits")
    async def program(question):
        shared.NOTES.clear()
        await put(shared.contexts())
        await asyncio.sleep(0)
        return await get(question)

    asyncio.run(program("q"))
    run = ek.last()
    assert str(run.whatif(remove="note")) == "cause 5/5 vs 0/5, p = 0.008"
    assert run.whatif(remove="other").word == "not shown"


def remember(note: str) -> str:
    "Keep a note."
    shared.MEMORY["note"] = note
    return "kept"


def recall(about: str) -> str:
    "Look a note up."
    return shared.MEMORY.get("note", "nothing")


def calls_tools(prompt, tools=()):
    said = str(prompt)
    if "kept" not in said:
        note = HALF if HALF in said else "none"
        return ToolCall(id="1", name="remember", arguments={"note": note})
    if "about" not in said:
        return ToolCall(id="2", name="recall", arguments={"about": "fare"})
    return shared.reads(said.partition("about")[2])


def test_tools_of_an_agent_share_a_memory():
    pieces = [piece("note", HALF), piece("other", "Our office is in Oslo.")]
    agent = Agent(
        CallableModel(calls_tools), "Help.", tools=[remember, tool(recall)], context=pieces
    )
    agent.run_sync("What is paid back?")
    run = ek.last()
    found = run.whatif(remove="note")
    assert (found.word, found.after) == ("cause", "Nothing is paid back.")
    assert run.whatif(remove="other").word == "not shown"


def test_a_tool_that_is_offered_and_never_called_leaves_nothing():
    def only_recalls(prompt, tools=()):
        if "nothing" in str(prompt):
            return "Nothing is known."
        return ToolCall(id="1", name="recall", arguments={"about": "fare"})

    pieces = [piece("other", "Our office is in Oslo.")]
    model = CallableModel(only_recalls)
    Agent(model, "Help.", tools=[remember, tool(recall)], context=pieces).run_sync("What is paid?")
    assert ek.last().whatif(remove="other").word == "not shown"


@pytest.mark.parametrize(
    "last",
    [
        lambda _: shared.reads(shared.MEMORY["note"]),
        Agent(CallableModel(lambda _: shared.reads(shared.MEMORY["note"]), deterministic=True), ""),
    ],
    ids=["function", "model"],
)
def test_steps_of_a_composition_share_a_memory(last):
    def keep(note):
        shared.MEMORY["note"] = note
        return "kept"

    def read(given):
        return last(given)

    Sequence(keep, read if not isinstance(last, Agent) else last).run_sync(HALF)
    found = ek.last().whatif(edit={"Sequence": {"input": "Nothing."}})
    assert (found.word, found.after) == ("cause", "Nothing is paid back.")


def test_what_a_link_keeps_by_itself_may_be_one_sample():
    kept = {}

    @ek.link(kind="model")
    def ask(prompt):
        if prompt not in kept:
            kept[prompt] = shared.reads(prompt)
        return kept[prompt]

    @ek.traced("caches")
    def program(question):
        return ask(ek.assemble("{n} {q}", n=shared.contexts(), q=question))

    found = recorded(program, "q").whatif(remove="note")
    assert found.word == "inconclusive"
    assert "'ask' reads what it left in kept" in str(found)


def test_functools_partial_and_methods_are_looked_into():
    memory = shared.Memory()

    @ek.traced("partly")
    def program(question):
        memory.forget()
        put = functools.partial(ek.link(name="put")(memory.remember))
        put(shared.contexts())
        return get(question)

    get = ek.link(kind="model", name="get")(lambda question: shared.reads(memory.text()))
    assert recorded(program, "q").whatif(remove="note").word == "cause"


class Proxy:
    """Stands for what is not there, as those of web frameworks do outside of a request."""

    def __getattribute__(self, name):
        raise RuntimeError("outside of a request")

    def __hash__(self):
        raise RuntimeError("outside of a request")

    def __eq__(self, other):
        raise RuntimeError("outside of a request")


class Rows(list):
    def __iter__(self):
        raise RuntimeError("not loaded")


PROXY = Proxy()
ROWS = Rows([PROXY])


def test_objects_that_cannot_be_looked_at_are_left_alone():
    @ek.link(kind="model", deterministic=True)
    def reply(prompt):
        return shared.reads(prompt) if prompt else f"{PROXY} {ROWS}"

    @ek.traced("proxies")
    def program(question, given=PROXY):
        return reply(ek.assemble("{n} {q}", n=shared.contexts(), q=question))

    assert recorded(program, "q").whatif(remove="note").word == "cause"
