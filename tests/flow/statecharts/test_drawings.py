"""A drawing shows what is in a chart, and no name of it ever becomes syntax."""

import re

from explainkit.flow.statecharts import (
    Machine,
    after,
    answer,
    define_event,
    final,
    invoke,
    machine,
    raise_,
    state,
    to,
)
from tests.flow.statecharts.casts import AGENT, EFFECT

HOSTILE = '<img src=x>"; s0 --> s9 : x\n}} %% \\n "]; evil [URL="javascript:1'


def test_names_of_states_never_become_syntax_of_a_drawing():
    chart = machine(
        HOSTILE,
        initial=HOSTILE,
        states={HOSTILE: state(on={"go; rm\n": to(HOSTILE)})},
    )
    assert_harmless(chart, arrows=2)


def test_names_of_actors_and_answers_never_become_syntax_of_a_drawing():
    own_id = re.sub(r"\s", "", HOSTILE)
    told = {"target": "#m", "actions": [HOSTILE]}
    shape = {
        "id": "m",
        "invoke": [
            {"src": HOSTILE, "onDone": told},
            {"src": HOSTILE, "id": own_id, "onError": told},
        ],
    }
    chart = Machine.from_dict(
        shape, actors={HOSTILE: EFFECT}, actions={HOSTILE: answer(lambda _: 1)}
    )
    assert_harmless(chart, arrows=2)


def assert_harmless(chart, *, arrows):
    mermaid, dot = chart.to_mermaid(), chart.to_dot()
    assert not re.search(r"[<%\\]", mermaid)
    assert all(line.count('"') in (0, 2) for line in mermaid.splitlines())
    assert mermaid.count("-->") == arrows
    assert "<img" not in dot
    unescaped = re.sub(r"\\.", "", dot)
    assert all(line.count('"') in (0, 2) for line in unescaped.splitlines()[2:])
    assert not re.search(r'"[^"\n]*URL[^"\n]*"\s*,', unescaped)


def test_drawings_show_kinds_guards_actions_and_what_stays():
    def rich(_):
        return True

    chart = machine("m", after(5, to(".b")), initial="a", states={
        "a": state(on={"pay": to("b", guard=rich, do=[raise_("x"), raise_("y"), rich, rich])}),
        "b": state(parallel=True, states={"l": state(on={"ping": to()}), "r": state()}),
        "f": final(),
    })  # fmt: skip
    mermaid, dot = chart.to_mermaid(), chart.to_dot()
    assert "s1 --> s2 : pay [rich] / raise x, raise y, rich, 1 more" in mermaid
    assert "s0 --> s2 : after 5 ms" in mermaid
    assert "s3 --> s3 : ping (stays)" in mermaid
    assert "s5 --> [*]" in mermaid
    assert mermaid.count("--\n") == 1
    assert "subgraph cluster_2" in dot
    assert 's0 -> s2 [label="after 5 ms", lhead=cluster_2];' in dot
    assert "doublecircle" in dot


def test_drawings_show_actors_in_the_box_of_their_state_and_what_becomes_of_them():
    def say(_):
        return "well"

    ran = invoke("tests", on_done=to("ready", do=answer(say)), on_error=to("ready"))
    chart = machine("m", actors={"coder": AGENT, "tests": EFFECT}, events=[define_event("go")],
        initial="coding", states={"coding": state(invoke=invoke("coder"), initial="ready", states={
            "ready": state(on={"go": to("testing", do=answer(say))}),
            "testing": state(invoke=[ran, invoke("tests", id="unit", on_done=to())]),
        })})  # fmt: skip
    mermaid, dot = chart.to_mermaid(), chart.to_dot()
    assert 'state "coding (invoke#58; coder)" as s1 {' in mermaid
    assert 'state "testing (invoke#58; tests, tests as unit)" as s3\n' in mermaid
    assert r'label="coding\ninvoke: coder"; style=rounded;' in dot
    assert r's3 [shape=box, label="testing\ninvoke: tests, tests as unit"];' in dot
    for arrow, words in (
        ("s2 {} s3", "go / answer say"),
        ("s3 {} s2", "tests done / answer say"),
        ("s3 {} s2", "tests error"),
        ("s3 {} s3", "unit done (stays)"),
    ):
        assert f"{arrow.format('-->')} : {words}\n" in mermaid
        assert f'{arrow.format("->")} [label="{words}"];' in dot


def test_a_named_answer_is_told_as_an_answer():
    shape = {"id": "m", "on": {"E": {"actions": ["thank", "answer twice"]}}}
    actions = {"thank": answer(str), "answer twice": answer(str)}
    chart = Machine.from_dict(shape, actions=actions)
    assert ": E / answer thank, answer twice (stays)\n" in chart.to_mermaid()
