"""Two runs are called by one vocabulary wherever they stand beside each other."""

import explainkit as ek
from explainkit.view.explorer.causes.sides import sides_told


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "Half." if "half" in prompt else "Nothing."


def claim(note, name="claim"):
    @ek.traced(name)
    def desk(question):
        told = ek.context("note", note) if note else ""
        return ask(f"{told} {question}")

    desk("How much?")
    return ek.last()


def shown(found):
    return f"{found!r} {found._repr_html_()}"


def test_runs_of_one_name_are_the_first_and_the_second():
    found = ek.diff(claim("We pay half."), claim(None))
    assert found.found.called == ("first run", "second run")
    assert "runs      first run claim (answered) and second run claim (answered)\n" in repr(found)
    assert "context   note: only in the first run" in repr(found)
    assert "answer    first run:  Half.\n          second run: Nothing." in repr(found)
    assert "Answer, second run" in found._repr_html_()


def test_runs_of_two_names_are_called_by_them():
    found = ek.diff(claim("We pay half.", "broken"), claim(None, "mended"))
    assert found.found.called == ("run broken", "run mended")
    assert "context   note: only in the run broken" in repr(found)
    assert "first run" not in shown(found)
    assert found.to_json()["called"] == ("run broken", "run mended")


def test_a_what_if_stands_beside_the_recorded_run():
    run = claim("We pay half.")
    what_if = run.whatif(remove="note")
    found = what_if.diff
    assert found.found.called == ("recorded run", "re-run")
    assert "answer    recorded run: Half.\n          re-run:       Nothing." in repr(found)
    assert "first run" not in shown(found)
    assert ek.diff(what_if.run, run).found.called == ("re-run", "recorded run")
    told = sides_told(found.found)
    assert told["counts"].endswith("the recorded run answered, the re-run answered")
    assert "first" not in str(told)
