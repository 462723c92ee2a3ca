"""A lit machine: what is drawn, that hostile names stay text, and that a bad chart is refused."""

import asyncio
import json
import re
from xml.etree import ElementTree as ET

import pytest

import explainkit as ek
from explainkit.errors import DamagedValueError, UnknownRecordError
from explainkit.flow import after, history, machine, raise_, state, to
from explainkit.flow.statecharts import Machine
from explainkit.view import machine_layout as layouts
from explainkit.view.layout import Engine, dot_engine
from explainkit.view.machine_charts import DEEPEST, ToldChart
from explainkit.view.machine_drawing import svg_file
from explainkit.view.machine_layout import layout_of_machine
from explainkit.view.machine_lighting import lit_chart
from tests.view.hostile import ATTACKS
from tests.view.parsed import parsed

TAGS = {"svg", "title", "defs", "marker", "path", "g", "rect", "circle", "text"}
SVG = "{http://www.w3.org/2000/svg}"


def sent(chart, *names):
    """The view of a machine that was told some events."""

    async def tell():
        running = chart.begin()
        for name in names:
            running.send(name)
        running.cancel()
        await running.outcome()

    asyncio.run(tell())
    return ek.last().machine()


def rich():
    """Every kind of state, of arrow and of end."""
    return machine(
        "rich",
        after(60_000, to(".over")),
        initial="work",
        on={"stop": to(".over"), "note": to()},
        states={
            "work": state(
                parallel=True,
                on={"back": to("work")},
                states={
                    "left": state(
                        initial="a",
                        states={
                            "a": state(on={"go": to("b", do=[raise_("x")]), "self": to("a")}),
                            "b": state(on={"up": to("#rich.over")}),
                            "h": history(deep=True),
                        },
                    ),
                    "right": state(
                        initial="c", states={"c": state(on={"go": to("d")}), "d": state()}
                    ),
                },
            ),
            "over": state(on={"again": to("work")}),
        },
    )


def hostile(text):
    """A chart in which the machine, its state, its event and its action have a hostile name."""
    name = text.translate(str.maketrans("", "", ".#*"))[:400]
    again = {"target": name, "actions": [name]}
    shape = {"id": name, "initial": name, "states": {name: {"on": {name: again}}}}
    return Machine.from_dict(shape, actions={name: lambda args: None})


def texts(svg):
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{SVG}text")]


def test_marks_are_told_by_border_fill_dashes_and_words():
    svg = sent(rich(), "go").to_svg()
    said = texts(svg)
    for words in ("work (parallel)", "active", "never entered", "history", "visited 1 time"):
        assert words in said
    for words in ("go / raise", "after 60000 ms", "note (stays)"):
        assert words in " ".join(said)
    assert said[0] == "rich after step 1 of 1: go"
    styles = [rect.get("style") for rect in ET.fromstring(svg).iter(f"{SVG}rect")]
    assert any("stroke-width:4px" in style for style in styles)
    assert any("stroke-dasharray" in style for style in styles)
    thick = [
        p for p in ET.fromstring(svg).iter(f"{SVG}path") if "stroke-width:3px" in p.get("style")
    ]
    assert len(thick) == 2, "both regions took the event"


def test_states_stand_inside_of_the_frames_of_those_around_them():
    if dot_engine() is None:
        pytest.skip("no Graphviz on this machine and no WebAssembly runtime")
    view = sent(rich(), "go")
    lit = lit_chart(view.story, 1)
    placed = layout_of_machine(lit)
    assert placed.nested
    for number, below in enumerate(lit.chart.children):
        for child in below:
            outer, inner = placed.frames[number], placed.frames[child]
            assert outer.left < inner.left < inner.right < outer.right
            assert outer.top < inner.top < inner.bottom < outer.bottom


@pytest.mark.parametrize("engine", [None, "broken"])
def test_without_an_engine_states_stand_side_by_side_with_the_same_words(monkeypatch, engine):
    view = sent(rich(), "go")
    usual = set(texts(view.to_svg()))

    def broken(source, form):
        raise OSError("killed")

    monkeypatch.setattr(layouts, "dot_engine", lambda: engine and Engine("dot", broken))
    picture = view.picture()
    assert "layered" in picture.engine
    assert {"left / a", "right / d"} <= set(texts(picture.svg))
    assert {"active", "never entered", "over"} <= usual & set(texts(picture.svg))


def test_a_very_large_chart_is_drawn_without_asking_an_engine(monkeypatch):
    states = {f"s{n}": state() for n in range(layouts.MOST_STATES)}
    view = sent(machine("large", initial="s0", states=states))
    monkeypatch.setattr(layouts, "dot_engine", lambda: pytest.fail("the engine was asked"))
    assert len(texts(view.to_svg())) > layouts.MOST_STATES


def test_no_recorded_text_reaches_the_layout_engine():
    view = sent(rich(), "go")
    source = layouts._dot(lit_chart(view.story, 1))
    for word in ("rich", "work", "left", "over", "again", "stop"):
        assert word not in source


@pytest.mark.parametrize("attack", [name for name in ATTACKS if name not in ("empty", "lines")])
def test_hostile_names_are_text_in_every_drawing(attack):
    view = sent(hostile(ATTACKS[attack]))
    svg = view.to_svg()
    ET.fromstring(svg)
    found = parsed(svg)
    assert set(found.tags) <= TAGS
    assert not [name for _, name, _ in found.attributes if name.startswith("on")]
    assert "<script" not in view._repr_html_()
    assert {name for _, name, _ in parsed(view._repr_html_()).attributes} <= {"style"}
    mermaid, dot = view.to_mermaid(), view.to_dot()
    assert not re.search(r"[<>%\\](?!-)", mermaid.replace("-->", ""))
    assert all(line.count('"') in (0, 2) for line in mermaid.splitlines())
    unescaped = re.sub(r"\\.", "", dot)
    assert all(line.count('"') % 2 == 0 for line in unescaped.splitlines())
    assert len(mermaid.splitlines()) == 11
    assert "<b>" not in dot
    engine = dot_engine()
    if engine is not None:
        assert len(json.loads(engine.render(dot, "json0"))["edges"]) == 2
    assert len(repr(view).splitlines()) <= 20
    assert "\x1b" not in repr(view) + mermaid + dot + svg


def test_scripts_of_a_lit_chart_tell_marks_and_the_arrow_taken():
    view = sent(rich(), "go")
    dot, mermaid = view.to_dot(), view.to_mermaid()
    assert dot.count("penwidth=4") == 6
    assert dot.count("penwidth=3") == 2
    assert 'label="b\\nactive"' in dot
    assert 'state "b (active)" as s' in mermaid
    assert mermaid.count("(taken last)") == 2
    assert mermaid.count(" active\n") == 6
    engine = dot_engine()
    if engine is not None:
        assert engine.plain(dot).startswith("graph")


def test_two_arrows_that_both_fit_are_not_guessed_between():
    chart = machine(
        "m",
        initial="a",
        states={
            "a": state(on={"go": [to("b", guard=lambda args: False), to("b")]}),
            "b": state(),
        },
    )
    assert "taken last" not in sent(chart, "go").to_mermaid()


DOC = {"machine": "m", "states": [{"id": "m", "key": "m"}]}


@pytest.mark.parametrize(
    "doc",
    [
        None,
        {},
        {"machine": "m", "states": []},
        {"machine": "m", "states": [{"id": "m", "key": "m", "parent": "m"}]},
        {
            "machine": "m",
            "states": [{"id": "m", "key": "m"}, {"id": "m", "key": "b", "parent": "m"}],
        },
        {"machine": "m", "states": [{"id": "m", "key": "m"}, {"id": "b", "key": "b"}]},
        {"machine": "m", "states": [{"id": "m", "key": "m", "initial": "x"}]},
        {**DOC, "transitions": [{"source": "m", "targets": ["x"]}]},
        {**DOC, "transitions": [{"source": "x"}]},
        {"machine": "m", "states": [{"id": "m", "key": "m", "type": "odd"}]},
        {
            "machine": "m",
            "states": [
                {"id": str(n), "key": "k", "parent": str(n - 1) if n else None}
                for n in range(DEEPEST + 2)
            ],
        },
    ],
)
def test_what_is_no_chart_is_refused_when_it_is_read(doc):
    with pytest.raises(DamagedValueError, match="chart"):
        ToldChart.read(doc)


def test_a_machine_without_a_chart_still_tells_its_steps():
    with ek.trace("old") as run:
        recorder = run.active.recorder
        link = recorder.append("link_opened", type="machine", name="bare")
        recorder.append("transition", machine=link, event="go", entered=["a"], configuration=["a"])
        recorder.append("link_closed", link=link, status="answered")
    view = run.machine()
    assert "No chart was recorded" in repr(view)
    assert "entered a" in repr(view)
    assert "entered a" in view._repr_html_()
    with pytest.raises(UnknownRecordError, match="cannot be drawn"):
        view.to_svg()


def test_the_file_says_its_namespace_once():
    view = sent(rich())
    lit = lit_chart(view.story, 0)
    assert svg_file(lit, layout_of_machine(lit)).count("xmlns=") == 1
