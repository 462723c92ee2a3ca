"""A call that is made once with a change and never again has kept a sample, whatever keeps it."""

import asyncio
import contextlib
import functools
import json
import random
import secrets
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import explainkit as ek
from explainkit.whatif.rerunning import own_calls
from tests.whatif import once_programs
from tests.whatif.programs import HALF, recorded

WAYS = {}


def way(fn):
    WAYS[fn.__name__] = fn
    return fn


def draw(prompt):
    return secrets.token_hex(4)


def helper():
    pass


CACHES = [functools.lru_cache(draw)]
PARTIAL = functools.partial(functools.lru_cache(lambda _, prompt: draw(prompt)), 1)


@way
def parts_of_a_function(prompt):
    kept = helper.__dict__
    if prompt not in kept:
        kept[prompt] = draw(prompt)
    return kept[prompt]


@way
def attributes_by_name(prompt):
    name = f"kept {prompt}"
    if not hasattr(helper, name):
        setattr(helper, name, draw(prompt))
    return getattr(helper, name)


@way
def names_of_the_module(prompt):
    if prompt not in globals():
        globals()[prompt] = draw(prompt)
    return globals()[prompt]


@way
def equal_clients(prompt):
    return once_programs.Client().complete(prompt)


@way
def a_cache_in_a_list(prompt):
    return next(each(prompt) for each in CACHES)


@way
def a_cache_in_a_partial(prompt):
    return PARTIAL(prompt)


@way
def a_cache_as_a_default(prompt, complete=functools.lru_cache(draw)):  # noqa: B008
    return complete(prompt)


class Desk:
    def __init__(this):
        this.kept = {}

    def complete(this, prompt):
        return this.kept.setdefault(prompt, draw(prompt))

    @contextlib.contextmanager
    def opened(self):
        yield self.kept


def keep(kept, prompt):
    return kept.setdefault(prompt, draw(prompt))


DESK, IN_PARTIAL = Desk(), functools.partial(keep, {})


@way
def setdefault_of_an_object(prompt):
    return DESK.complete(prompt)


@way
def setdefault_in_a_partial(prompt):
    return IN_PARTIAL(prompt)


@way
def setdefault_in_a_context_manager(prompt):
    with DESK.opened() as kept:
        return kept.setdefault(f"opened {prompt}", draw(prompt))


def program_of(step, **declared):
    ask = ek.link(kind="model", name="ask", **declared)(step)

    @ek.traced("keeps")
    def program(question):
        ek.context("other", "Our office is in Oslo.")
        return ask(ek.assemble("{note} {q}", note=ek.context("note", HALF), q=question))

    return program


@pytest.mark.parametrize("name", WAYS)
def test_one_kept_sample_convicts_nobody(name):
    run = recorded(program_of(WAYS[name]), f"Is it paid {name}?")
    found = run.whatif(remove="note")
    assert found.word == "inconclusive"
    assert "calls" in str(found)
    assert "once and not again" in str(found)


def test_nor_does_it_when_it_is_asked_again_or_in_other_words():
    run = recorded(program_of(WAYS["a_cache_in_a_list"]), "Is it paid again?")
    changes = [{"remove": "note"}, {"remove": "note"}, {"replace": {"note": ""}}]
    assert [run.whatif(**each).word for each in changes] == ["inconclusive"] * 3


def test_what_the_reason_says_to_do_helps():
    complete = {"any": functools.lru_cache(draw)}
    ask = ek.link(kind="model", name="ask")(lambda prompt: complete["any"](prompt) and says(prompt))

    def program(question):
        return ask(ek.assemble("{note} {q}", note=ek.context("note", HALF), q=question))

    def anew(question):
        complete["any"].cache_clear()
        return program(question)

    run = recorded(ek.traced("keeps")(program), "What helps?")
    assert run.whatif(remove="note").word == "inconclusive"
    assert run.whatif(remove="note", call=anew).word == "cause"
    assert run.whatif(remove="note").word == "inconclusive"


def test_nor_does_it_when_re_runs_are_asked_for_one_by_one():
    run = recorded(program_of(WAYS["a_cache_in_a_partial"]), "Is it paid one by one?")
    assert "cause" not in [run.whatif(remove="note", times=1).word for _ in range(8)]


def test_nor_does_it_where_re_runs_go_side_by_side():
    run = recorded(program_of(WAYS["equal_clients"]), "Is it paid side by side?")
    with ThreadPoolExecutor(4) as executor:
        assert run.whatif(remove="note", executor=executor).word == "inconclusive"


def test_nor_does_it_where_it_is_awaited():
    kept = {}

    @ek.link(kind="model")
    async def ask(prompt):
        await asyncio.sleep(0)
        if prompt not in kept:
            vars(helper)["asked"] = kept[prompt] = draw(prompt)
        return kept[prompt]

    @ek.traced("keeps")
    async def program(question):
        return await ask(ek.assemble("{note} {q}", note=ek.context("note", HALF), q=question))

    asyncio.run(program("Is it paid later?"))
    found = asyncio.run(ek.last().whatif_async(remove="note"))
    assert found.word == "inconclusive"


def test_nor_does_the_code_around_the_links():
    complete = {"any": functools.lru_cache(draw)}

    @ek.traced("keeps")
    def program(question):
        return complete["any"](ek.context("note", HALF) + question)

    found = recorded(program, "Is it paid around?").whatif(remove="note")
    assert "the code around the links calls draw once and not again" in str(found)


LAST: tuple[str, str] | None = None


def last_only(prompt):
    global LAST
    drawn = random.choice(["yes", "no"])
    if LAST is None or LAST[0] != prompt:
        LAST = (prompt, drawn)
    return LAST[1]


FIRST = {}


def first_only(prompt):
    drawn = random.choice(["yes", "no"])
    if prompt not in FIRST:
        FIRST[prompt] = drawn
    return FIRST[prompt]


@pytest.mark.parametrize("keeps", [last_only, first_only])
def test_nor_does_such_code_that_draws_each_time_and_keeps_the_first(keeps):
    @ek.traced("keeps")
    def program(question):
        return keeps(ek.context("note", HALF) + question)

    runs = [recorded(program, f"Is it paid {at}?") for at in range(8)]
    assert {run.whatif(remove="note").word for run in runs} == {"inconclusive"}


class Bot:
    """Its chance is drawn in a link, and what it keeps around the links is no answer."""

    def __init__(self):
        self.rng, self.asked = random.Random(3), []

    @ek.link(kind="model")
    def ask(self, prompt):
        self.rng.random()
        return says(prompt)

    def answer(self, question):
        self.asked.append(question)
        return self.ask(ek.context("note", HALF) + question) + str(len(self.asked) > 0)


def test_chance_that_is_drawn_in_a_link_is_met_with_repeats():
    bot = Bot()
    run = recorded(ek.traced("bot")(lambda question: bot.answer(question)), "Is it drawn?")
    assert run.whatif(remove="note").word == "cause"


def test_a_link_that_is_declared_is_taken_at_its_word():
    run = recorded(program_of(WAYS["a_cache_in_a_list"], deterministic=True), "Is it declared?")
    assert run.whatif(remove="note").word == "cause"


LENGTHS = [functools.lru_cache(lambda text: len(json.dumps(text).split()))]


def says(prompt):
    return "Half is paid." if "half" in prompt else "Nothing is paid."


def collect(words, prompt):
    words.setdefault(prompt, []).append(len(prompt))


COLLECT = functools.partial(collect, {})


def groups(prompt):
    COLLECT(prompt)
    return f"{says(prompt)}{draw(prompt)[:0]}"


def keeps_within_a_run(prompt):
    answers = {}
    return answers.setdefault(prompt, f"{says(prompt)}{draw(prompt)[:0]}")


def imports(prompt):
    if "half" not in prompt:
        import colorsys  # noqa: F401 - loaded by the first re-run that comes here
    return says(prompt)


@pytest.mark.parametrize(
    "step",
    [
        says,
        lambda prompt: f"{says(prompt)} {LENGTHS[0](prompt) > 0}",
        imports,
        groups,
        keeps_within_a_run,
    ],
    ids=["plain", "counts once", "loads a module", "groups", "keeps within a run"],
)
def test_code_that_keeps_no_answer_is_decided(step):
    sys.modules.pop("colorsys", None)
    run = recorded(program_of(step), "Is it decided?")
    assert run.whatif(remove="note").word == "cause"


def test_another_profiler_is_left_alone():
    run = recorded(program_of(says), "Is it profiled?")
    calls = []
    sys.setprofile(lambda *event: calls.append(event[1]))
    mine = sys.getprofile()
    try:
        assert run.whatif(remove="note").word == "cause"
        assert sys.getprofile() is mine
    finally:
        sys.setprofile(None)
    run.whatif(remove="other")
    assert sys.getprofile() is None
    assert calls


def test_a_thread_that_a_re_run_started_is_not_looked_at_any_longer():
    pools = []

    @ek.link(kind="model")
    def ask(prompt):
        pools.append(ThreadPoolExecutor(1))
        return pools[-1].submit(says, prompt).result()

    @ek.traced("pool")
    def program(question):
        return ask(ek.context("note", HALF) + question)

    recorded(program, "Is it over?").whatif(remove="note")
    for pool in pools:
        pool.submit(says, "half")
        assert pool.submit(sys.getprofile).result() is None
        pool.shutdown()


def test_calls_in_a_loop_are_looked_at_closely_once(monkeypatch):
    def groups_all(prompt):
        words = {}
        for at in range(500):
            words.setdefault(f"{at % 7}", []).append(at)
            words.setdefault(f"{at}", str(at))
        return says(prompt)

    looked = []
    for name in ("_builtin", "_gives_empty"):
        close = getattr(own_calls, name)
        monkeypatch.setattr(own_calls, name, lambda *a, close=close: looked.append(1) or close(*a))
    assert recorded(program_of(groups_all), "Is it long?").whatif(remove="note").word == "cause"
    assert 0 < len(looked) < 60


ASKS = """
import sys
import explainkit as ek
from explainkit.whatif.rerunning import own_calls
from tests.whatif import once_programs
print(ek.load(sys.argv[1]).whatif(remove="note"))
"""


@pytest.mark.parametrize(("name", "said"), [("keeps", "once and not again"), ("prepares", "cause")])
def test_another_process_tells_what_is_kept_from_what_is_prepared(name, said, tmp_path):
    path = tmp_path / "run.ek.jsonl"
    recorded(getattr(once_programs, name), "Is it paid?").save(path)
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", ASKS, path], cwd=root, capture_output=True, text=True, check=True
    )
    assert said in done.stdout
