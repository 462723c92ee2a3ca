"""Every recorded step of xstate is ours: order of actions, configuration, context, status."""

import json

import pytest

from tests.conformance.xstate import differences, main


@pytest.mark.parametrize("name", ["xstate_traces.json", "xstate_traces_ext.json"])
def test_every_recorded_case_is_equal(shared_data, name):
    cases = json.loads((shared_data / name).read_text("utf-8"))["cases"]
    wrong = {i: found for i, case in enumerate(cases) if (found := list(differences(case)))}
    assert len(cases) == 200
    assert wrong == {}


LAMP = {
    "cfg": {
        "id": "m",
        "entry": ["+m"],
        "exit": ["-m"],
        "initial": "off",
        "context": {"n": 0, "k": 0},
        "states": {
            "off": {
                "entry": ["+m.off"],
                "exit": ["-m.off"],
                "on": {"press": {"target": "#m.on", "actions": ["t1", "n+=1"]}},
            },
            "on": {
                "entry": ["+m.on"],
                "exit": ["-m.on"],
                "after": {"5": {"target": "#m.off", "actions": ["t2"]}},
                "on": {"press": {"guard": {"even": "n"}, "target": "#m.off", "actions": ["t3"]}},
            },
        },
    },
    "events": ["press", "press", {"advance": 4}, {"advance": 1}],
    "trace": [
        ["+m", "+m.off"],
        ["-m.off", "t1", "n+=1", "+m.on"],
        [],
        [],
        ["-m.on", "t2", "+m.off"],
    ],
    "config": [["m", "m.off"], ["m", "m.on"], ["m", "m.on"], ["m", "m.on"], ["m", "m.off"]],
    "context": [[0, 0], [1, 0], [1, 0], [1, 0], [1, 0]],
    "status": ["active"] * 5,
}


def test_the_command_counts_equal_cases_and_shows_the_first_difference(tmp_path, capsys):
    wrong = {**LAMP, "trace": [*LAMP["trace"][:1], ["-m.off"], *LAMP["trace"][2:]]}
    path = tmp_path / "traces.json"
    path.write_text(json.dumps({"about": "", "cases": [LAMP, wrong]}), "utf-8")
    assert main(str(path)) == 1
    printed = capsys.readouterr().out
    assert "case 1: step 1: actions" in printed
    assert printed.endswith("1 of 2 equal\n")
