"""`%%trace` in a real kernel: what is recorded, how it ends, what the cell says after it."""

import pytest

from tests.magics.kernels import kernel

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

SETUP = "%load_ext explainkit"
STEPS = """
import asyncio
import explainkit as ek

@ek.link(kind="tool")
def step(x):
    return x

@ek.link(kind="tool")
async def later(x):
    await asyncio.sleep(0)
    return x

def told():
    run = ek.last()
    return [run.name, run.status, list(run.links["name"])]
"""


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    with kernel(tmp_path_factory.mktemp("kernel"), SETUP, STEPS) as running:
        yield running


@pytest.fixture
def told(shell):
    """Name, status and links of the last run."""
    return lambda: shell.value("told()")


def opened(shell):
    """How many runs are open in the kernel."""
    return shell.value("len(__import__('explainkit.tracing.current').tracing.current.OPEN)")


def test_a_cell_is_recorded_and_one_line_points_to_its_run(shell, told):
    ran = shell.checked("%%trace claim\nstep('first words')\nek.answer('the answer')\n'shown'")
    assert ran.value == "'shown'"
    assert ran.lines == [
        'explainkit: run "claim" answered, in memory only. %backtrack [WORDS] walks back from it.'
    ]
    assert not [m for m in ran.messages if m["msg_type"] in ("display_data", "comm_open")]
    assert told() == ["claim", "answered", ["step"]]
    assert shell.value("ek.last().answer") == "the answer"
    assert opened(shell) == 0


def test_top_level_await_is_recorded_before_and_after_it(shell, told):
    shell.checked("%%trace awaited\nstep(1)\nawait later(2)\nstep(3)\nresult = await later(4)")
    assert told() == ["awaited", "answered", ["step", "later", "step", "later"]]
    assert shell.value("result") == 4
    shell.checked("step(9)")
    assert told()[2] == ["step", "later", "step", "later"]


def test_loops_and_contexts_that_await_are_recorded(shell, told):
    shell.checked("%%trace looped\nfor n in range(3):\n    await later(n)\n    step(n)")
    assert told()[2] == ["later", "step"] * 3


def test_the_options_are_those_of_trace(shell):
    ran = shell.checked(
        '%%trace two words --to "kept runs" --question "How long?"\nek.answer("An hour")'
    )
    assert 'run "two words" answered, kept in kept runs' in ran.text
    assert shell.value("[ek.last().question, str(ek.last().path.parent)]") == [
        "How long?",
        "kept runs",
    ]
    shell.checked("asked = 'Why?'")
    shell.checked('%%trace named --question "{asked}"\npass')
    assert shell.value("ek.last().question") == "{asked}"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("%%trace", "needs a name"),
        ("%%trace --to runs", "needs a name"),
        ("%%trace x --color red", "unrecognized arguments"),
        ('%%trace x --question "How', "No closing quotation"),
        ("%%trace x --to", "expected one argument"),
    ],
)
def test_options_that_cannot_be_read_are_refused_before_anything_runs(shell, line, problem):
    shell.checked("ran = False")
    ran = shell.run(f"{line}\nran = True")
    assert ran.error == "UsageError"
    assert problem in ran.message
    assert shell.value("ran") is False
    assert opened(shell) == 0


def test_an_error_ends_the_run_with_it(shell, told):
    ran = shell.run("%%trace broken\nstep(1)\n1 / 0\nstep(2)")
    assert ran.error == "ZeroDivisionError"
    assert 'run "broken" error, in memory only' in ran.text
    assert told() == ["broken", "error", ["step"]]
    ran = shell.run("%%trace broken later\nawait later(1)\nawait asyncio.sleep(0)\n1 / 0")
    assert told() == ["broken later", "error", ["later"]]
    assert opened(shell) == 0


def test_an_exit_is_a_cancel(shell, told):
    shell.run("%%trace left\nstep(1)\nraise SystemExit")
    assert told() == ["left", "cancelled", ["step"]]


@pytest.mark.parametrize("body", ["1 +", "await later(1)\n1 +", "'''"])
def test_a_cell_that_is_no_code_records_nothing(shell, told, body):
    shell.checked("%%trace before\npass")
    ran = shell.run(f"%%trace never\n{body}")
    assert "SyntaxError" in ran.error or "Incomplete" in ran.error
    assert told()[0] == "before"
    assert opened(shell) == 0


def test_a_return_ends_the_cell_and_its_run_with_the_error_that_the_shell_makes_of_it(shell, told):
    ran = shell.run("%%trace returned\nstep(1)\nreturn 1")
    assert ran.error == "SyntaxError"
    assert told() == ["returned", "error", ["step"]]
    shell.run("%%trace returned later\nawait later(1)\nreturn 1")
    # Older kernels leave the coroutine of such a cell behind, to complain in a later one.
    shell.run("import gc; gc.collect()")
    assert told()[:2] == ["returned later", "error"]
    assert opened(shell) == 0


def test_a_trace_in_a_trace_is_a_run_in_a_run(shell, told):
    ran = shell.checked("%%trace outer\n\n%%trace inner\nstep(1)\nawait later(2)")
    assert [line.split(" ended without an answer")[0] for line in ran.lines] == [
        'explainkit: run "inner"',
        'explainkit: run "outer"',
    ]
    assert told() == ["inner", "answered", ["step", "later"]]
    parent = shell.value("next(ek.last().recording.rows('run_started'))['parent']")
    assert parent.startswith("outer") or "outer" in parent


def test_a_with_block_inside_is_a_run_in_a_run(shell, told):
    shell.checked("%%trace outer\nwith ek.trace('within'):\n    await later(1)\nstep(2)")
    assert told() == ["within", "answered", ["later"]]


@pytest.mark.parametrize("cell", ["%%time\n%%trace timed\n{}", "%%trace timed\n%%time\n{}"])
def test_other_cell_magics_stand_above_and_below(shell, told, cell):
    ran = shell.checked(cell.format("step(1)\nkept = step(2)"))
    assert "Wall time" in ran.text
    assert told() == ["timed", "answered", ["step", "step"]]
    assert shell.value("kept") == 2
    assert opened(shell) == 0


def test_captured_output_holds_the_pointer(shell, told):
    ran = shell.checked("%%capture held\n%%trace captured\nstep(1)")
    assert ran.text == ""
    assert told() == ["captured", "answered", ["step"]]
    assert 'run "captured"' in shell.value("held.stdout")


def test_line_magics_and_cells_run_inside_do_not_end_the_run(shell, told):
    shell.checked(
        "%%trace busy\nstep(1)\n%time step(2)\n"
        "get_ipython().run_cell('step(3)')\nget_ipython().run_cell('step(4)', silent=True)\n"
        "get_ipython().run_cell('')\nstep(5)"
    )
    assert told() == ["busy", "answered", ["step"] * 5]


def test_the_line_form_records_the_rest_of_its_cell(shell, told):
    shell.checked("step(1)\n%trace rest\nstep(2)\nawait later(3)")
    assert told() == ["rest", "answered", ["step", "later"]]


def test_a_call_by_hand_records_too(shell, told):
    ran = shell.checked("get_ipython().run_cell_magic('trace', 'by hand', 'step(1)')")
    assert 'run "by hand" ended without an answer' in ran.text
    assert told() == ["by hand", "answered", ["step"]]


def test_a_file_of_cells_that_is_run_records_each_of_its_own(shell, told):
    shell.checked("open('cells.ipy', 'w').write('%%trace filed\\nek.link(len)([1])\\n')")
    ran = shell.checked("%run -i cells.ipy\nstep('after')")
    assert 'run "filed" ended without an answer' in ran.text
    assert told() == ["filed", "answered", ["len"]]
    shell.checked("open('fails.ipy', 'w').write('%%trace failed\\nstep(1)\\n1 / 0\\n')")
    shell.run("%run -i fails.ipy")
    assert told() == ["failed", "error", ["step"]]
    assert opened(shell) == 0


def test_a_silent_request_is_recorded(shell, told):
    shell.run("%%trace silently\nstep(1)", silent=True)
    assert told() == ["silently", "answered", ["step"]]
    assert opened(shell) == 0


def test_a_run_that_an_earlier_cell_left_open_goes_on(shell, told):
    shell.checked("left = ek.trace('left open')\nopen_run = left.__enter__()")
    shell.checked("%%trace between\nawait later(1)\nstep(1)")
    shell.checked("step(2)\nleft.__exit__(None, None, None)")
    assert shell.value("list(open_run.links['name'])") == ["between", "step"]
    assert shell.value("[bool(x) for x in open_run.recording.rows('lost')]") == []


def test_hostile_names_are_shown_harmless(shell):
    ran = shell.checked("%%trace \x1b[31mred\u202e <b>\npass")
    assert ran.lines[0].startswith('explainkit: run "␛[31mred⇄ <b>" ended without an answer')


def test_help_is_given_and_nothing_is_recorded(shell, told):
    shell.checked("%%trace before\npass")
    shell.checked("%%trace?")
    shell.checked("%trace?")
    assert told()[0] == "before"


def test_a_cell_can_be_run_again_in_a_copy_of_the_names(shell):
    shell.checked("limit, seen = 60, []")
    shell.checked("%%trace again\nlimit = limit + 1\nawait later(limit)\nek.answer(f'{limit} min')")
    shell.checked("cell = ek.last().cell")
    assert shell.value("[cell.source, cell.is_async, cell.names['limit']]") == [
        "limit = limit + 1\nawait later(limit)\nek.answer(f'{limit} min')",
        True,
        60,
    ]
    shell.checked(
        "with ek.trace('varied') as varied:\n    after = await cell.rerun(limit=90)\n"
        "with ek.trace('same') as same:\n    await cell.rerun()"
    )
    assert shell.value("[varied.answer, same.answer, after['limit'], limit]") == [
        "91 min",
        "61 min",
        91,
        61,
    ]
    shell.checked("import explainkit.magics.recorded_cells")
    code = shell.value("next(ek.last().recording.rows('run_started')).get('code')")
    assert code is None
    assert shell.value("cell.code == next(__import__('builtins').filter(None, [cell.code]))")


def test_the_record_holds_the_hash_of_the_cell(shell):
    shell.checked("%%trace hashed\nstep(1)")
    assert shell.value(
        "[next(ek.last().recording.rows('run_started'))['code'] == ek.last().cell.code, "
        "ek.last().cell.is_async, sorted(ek.last().cell.names)]"
    ) == [True, False, ["step"]]


def test_nested_traces_keep_their_own_source(shell):
    shell.checked("%%trace one\n%%trace two\nstep(7)")
    assert shell.value("ek.last().cell.source") == "step(7)"


def test_it_can_be_taken_out_and_put_back(shell, told):
    shell.checked("%reload_ext explainkit\nNone")
    shell.checked("%%trace reloaded\nstep(1)")
    assert told() == ["reloaded", "answered", ["step"]]
    shell.checked("%unload_ext explainkit")
    ran = shell.run("%%trace gone\nstep(1)")
    assert "`%%trace` not found" in ran.text + ran.message
    shell.checked("%load_ext explainkit\n%trace in the cell that loads it\nstep(1)")
    assert told() == ["in the cell that loads it", "answered", ["step"]]
    assert opened(shell) == 0


def test_words_after_a_magic_are_words_and_run_nothing(shell, told):
    shell.checked("pieces = []\nname = 'Bob'")
    shell.checked("%%trace braces {pieces.append(1)} $name\nek.answer('Dear {name} ok')")
    assert told()[0] == "braces {pieces.append(1)} $name"
    shell.checked("%backtrack Dear {name} ok")
    assert shell.value("pieces") == []
