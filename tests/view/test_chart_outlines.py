"""A machine that has not run, as a notebook shows it: nested lists of states and transitions."""

import explainkit
from explainkit.flow import Machine, final, invoke, machine, python, state, to
from tests.view.parsed import parsed


def boiling():
    return machine(
        "kettle",
        actors={"heater": python(lambda: 100)},
        initial="cold",
        states={
            "cold": state(on={"press": to("warming")}),
            "warming": state(
                invoke=invoke("heater", on_done=to("hot"), on_error=to("cold")),
                initial="slow",
                states={"slow": state(), "fast": state()},
            ),
            "hot": final(),
        },
    )


def test_a_machine_shows_its_states_what_they_run_and_where_events_lead():
    html = boiling()._repr_html_()
    text = parsed(html).text
    assert "Machine kettle: 6 states" in text
    for words in (
        "cold (first)",
        "press → warming",
        "warming: runs heater (effect)",
        "hot (final)",
    ):
        assert words in text
    assert "heater done → hot" in text
    assert "heater error → cold" in text
    warming = html.index("warming</code>: runs")
    assert html.index("slow</code> (first)") > html.index("<ul", warming)


def test_names_of_a_machine_cannot_attack_the_page():
    name = "<img src=x onerror=alert(1)>"
    chart = Machine.from_dict({"id": name, "initial": name, "states": {name: {"on": {name: name}}}})
    assert "<img" not in chart._repr_html_()


def test_what_is_cut_is_counted_and_depth_is_no_problem():
    wide = machine("w", initial="s0", states={f"s{n}": state() for n in range(200)})
    assert "… 121 more states" in parsed(wide._repr_html_()).text
    many = {f"e{n}": to("s") for n in range(40)}
    assert (
        "… 28 more transitions"
        in parsed(machine("m", initial="s", states={"s": state(on=many)})._repr_html_()).text
    )


def test_a_display_never_fails_a_cell():
    html = explainkit._chart_html(
        {"machine": "m", "states": [{"id": "<img src=x>", "parent": "?"}]}
    )
    assert "cannot be shown" in html
    assert "<img" not in html
