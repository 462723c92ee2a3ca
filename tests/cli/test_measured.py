"""`show` tells what was measured on a run after its end, and `ls` what came of its items."""

import explainkit as ek
from explainkit.answering import AnswerFlowDefinition, AnswerItem, Recovery, define_answer_flow


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "Half of it." if "half" in prompt else "Nothing."


@ek.traced("claim")
def claim(question):
    note = ek.context("note", "We pay half.", kind="memory")
    manners = ek.context("manners", "Be brief.", kind="instruction")
    return ask(ek.assemble("{note} {manners} {q}", note=note, manners=manners, q=question))


def section(cli, path):
    lines = cli("show", path).out.splitlines()
    return lines[lines.index("Measured") + 1 : lines.index("Links")]


def test_what_ifs_and_bisections_are_a_line_each_with_their_word(cli, tmp_path):
    claim("What do I get?")
    run = ek.last()
    path = tmp_path / "claim.ek.jsonl"
    run.save(path)
    assert "Measured" not in cli("show", path).out.splitlines()
    run.whatif(remove="note", span="Half")
    run.whatif(remove="manners", span="Half")
    run.whatif(remove="manners", span="Half")  # asked again: it stands once
    run.bisect(lambda step: not str(step.value).startswith("Half"))
    run.save(path)
    first, *rest = section(cli, path)
    assert first == "  2 what-ifs (1 cause, 1 not shown) and 1 bisection"
    assert [line[9:] for line in rest][:2] == [
        "remove note: cause 1/1 vs 0/2, deterministic (judge: still says 'Half')",
        "remove manners: not shown 0/1 vs 0/2, deterministic (judge: still says 'Half')",
    ]
    assert "bisection: The first wrong link is model ask" in rest[2]
    assert len(rest) == 3


def flow_of(check):
    return define_answer_flow(
        AnswerFlowDefinition(
            max_items=5,
            max_repairs=0,
            can_invoke=lambda context: True,
            generate=lambda *, items, repairs, previous, context: {i.id: i.data for i in items},
            check=check,
            fallback=lambda **_: Recovery(False),
        ),
        name="pool",
    )


def test_a_run_whose_items_were_judged_is_not_called_unlabelled(cli, tmp_path):
    items = [AnswerItem(name, [name], "ready", name) for name in ("pool", "sauna")]

    def run(check, name):
        flow_of(check).run_sync(input_ids=["pool", "sauna"], items=items)
        ek.last().save(tmp_path / f"{name}.ek.jsonl")
        return ek.last()

    run(lambda *, item, value, context: {"status": "passed"}, "a")
    failing = {"status": "failed", "issues": [{"code": "NO", "message": "no"}]}
    run(lambda *, item, value, context: failing if value == "pool" else {"status": "passed"}, "b")
    run(lambda *, item, value, context: {"status": "not-run"}, "c")
    done = run(lambda *, item, value, context: {"status": "passed"}, "d")
    done.verdict("failed", judge="reviewer", slot="item:pool", version=1)
    done.save(tmp_path / "d.ek.jsonl")
    expected = ["2 of 2 items passed", "1 of 2 items passed", "unlabelled", "1 of 2 items passed"]
    for place in (tmp_path, *(tmp_path / f"{name}.ek.jsonl" for name in "abcd")):
        rows = cli("ls", place).out.splitlines()
        at = rows[0].index("VERDICT"), rows[0].index("QUESTION")
        found = sorted(row[at[0] : at[1]].strip() for row in rows[1:])
        if place == tmp_path:
            assert found == sorted(expected)
        else:
            assert found == [expected["abcd".index(place.name[0])]]


def test_a_finding_of_another_form_is_told_by_its_own_word(cli, tmp_path):
    claim("What do I get?")
    run, path = ek.last(), tmp_path / "claim.ek.jsonl"
    run.whatif(remove="note", span="Half")
    run.save(path)
    notes = path.with_name("claim.notes.ek.jsonl")
    notes.write_text(
        notes.read_text("utf-8").replace('"version":1,"judge"', '"version":"x","judge"')
    )
    assert section(cli, path)[1][9:] == "remove note: cause (judge: still says 'Half')"
