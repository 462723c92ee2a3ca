"""Random small programs that use every recording call, run under the tracer."""

from dataclasses import dataclass, field
from itertools import count

from hypothesis import strategies as st

import explainkit as ek
from explainkit.testing.strategies import values

WORDS = ("half of the fare", "60 minutes", "a quarter", "1,234.5 EUR", "no refund at all", "A-17")
LONG = "A delay of 60 minutes or more: one quarter of the fare is paid back. " * 40


class Stop(Exception):
    """What a step of a program raises."""


@dataclass
class Program:
    """A program being run: what it holds so far."""

    texts: list[str] = field(default_factory=lambda: ["the tariff", LONG])
    chat: list[dict[str, str]] = field(
        default_factory=lambda: [{"role": "system", "content": "Be brief. " * 40}]
    )

    def pick(self, number):
        return self.texts[number % len(self.texts)]

    def keep(self, text):
        if isinstance(text, str):
            self.texts.append(text)
        return text


@ek.link(kind="function")
def nest(program, steps):
    for step in steps:
        step(program)
    return program.texts[-1]


@ek.link(kind="model")
def ask(prompt):
    return f"{str(prompt)[:60]} so {WORDS[len(str(prompt)) % len(WORDS)]}"


@ek.link(kind="tool")
def tool(value, *rest, **more):
    return value


@ek.link
def fail(text):
    raise Stop(text)


@ek.link
def stream(text):
    yield from (text[i : i + 7] for i in range(0, min(len(text), 70), 7))


def offer(name, text):
    return lambda p: p.keep(ek.context(name, text + p.texts[-1][:40], source=f"{name}.md"))


def drop(text):
    return lambda p: ek.left_out("dropped", text, why="rank", how="cut by rank")


def call_tool(value):
    return lambda p: tool(value, 1, key=value)


def prompt(one, other):
    def step(p):
        p.keep(ask(ek.assemble("{a}\n{b!r} Q: {a}", a=p.pick(one), b=[p.pick(other), 3])))

    return step


def converse(number):
    def step(p):
        p.chat = ek.assemble(
            ["{chat}", {"role": "user", "content": "{q}"}], chat=p.chat, q=p.pick(number)
        )
        p.chat = [*p.chat, {"role": "assistant", "content": p.keep(ask(p.chat))}]

    return step


def say(number):
    return lambda p: ek.answer(p.pick(number))


def say_value(value):
    return lambda p: ek.answer(value)


def change(word):
    def step(p):
        try:
            ek.override(lambda old: f"{old} {word}", by="editor", reason=word)
        except ek.NoAnswerError:
            ek.answer(word)

    return step


def go_wrong(text):
    def step(p):
        try:
            fail(text)
        except Stop:
            p.texts.append("went wrong")

    return step


def half_a_stream(number):
    return lambda p: next(stream(p.pick(number)), None)


def whole_stream(number):
    return lambda p: p.keep("".join(stream(p.pick(number))))


def arrive(value):
    return lambda p: ek.event("arrived", value, sender="outside")


def under(steps):
    return lambda p: nest(p, steps)


numbers = st.integers(0, 20)
words = st.sampled_from(WORDS)
texts = st.one_of(words, st.text(max_size=60))
simple = st.one_of(
    st.builds(offer, words, texts),
    st.builds(drop, texts),
    st.builds(call_tool, values()),
    st.builds(prompt, numbers, numbers),
    st.builds(converse, numbers),
    st.builds(say, numbers),
    st.builds(say_value, values()),
    st.builds(change, words),
    st.builds(go_wrong, texts),
    st.builds(half_a_stream, numbers),
    st.builds(whole_stream, numbers),
    st.builds(arrive, values()),
)
steps = st.recursive(
    st.lists(simple, max_size=4),
    lambda inner: st.lists(st.one_of(simple, inner.map(under)), max_size=4),
    max_leaves=10,
)


def run_program(program_steps, *, to=None):
    """Run the steps as one run with a counting clock and a fixed id."""
    ticks = count(1)
    with ek.trace(
        "law", to=to, run_id="law", question="What is paid back?", clock=lambda: next(ticks)
    ) as run:
        program = Program()
        for step in program_steps:
            step(program)
    return run
