"""A cell with `%%trace` is run again in a copy of the notebook's names, in a real kernel."""

import pytest

from tests.magics.kernels import kernel

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

SETUP = "%load_ext explainkit"
STEPS = """
import asyncio
import explainkit as ek

NOTE = "We pay back half."
counted = []

@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "Half." if "half" in prompt else "Nothing."

@ek.link(kind="model", deterministic=True)
async def ask_later(prompt):
    await asyncio.sleep(0)
    return "Half." if "half" in prompt else "Nothing."

def said(found):
    return [found.word, found.before, found.after]
"""


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    with kernel(tmp_path_factory.mktemp("kernel"), SETUP, STEPS) as running:
        yield running


def test_a_cell_is_asked_without_a_context(shell):
    shell.checked(
        "%%trace claim\nnote = ek.context('note', NOTE)\nreply = ask(note)\nek.answer(reply)"
    )
    shell.checked("reply = 'kept by the notebook'\nfound = ek.last().whatif(remove='note')")
    assert shell.value("said(found)") == ["cause", "Half.", "Nothing."]
    assert shell.value("reply") == "kept by the notebook"
    assert shell.value("ek.last().name") == "claim"


def test_an_answer_that_nobody_gave_is_that_of_the_last_model(shell):
    shell.checked("%%trace inferred\nreply = ask(ek.context('note', NOTE))")
    shell.checked("found = ek.last().whatif(remove='note')")
    assert shell.value("said(found)") == ["cause", "Half.", "Nothing."]


def test_a_cell_that_awaits_is_awaited(shell):
    shell.checked("%%trace awaits\nek.answer(await ask_later(ek.context('note', NOTE)))")
    shell.checked("found = await ek.last().whatif_async(remove='note')")
    assert shell.value("said(found)") == ["cause", "Half.", "Nothing."]
    shell.checked(
        "try:\n    ek.last().whatif(remove='note')\nexcept Exception as e:\n    why = str(e)"
    )
    assert "await run.whatif_async(...)" in shell.value("why")


def test_a_traced_function_of_a_cell_is_asked_in_the_loop_of_the_notebook(shell):
    shell.checked(
        "@ek.traced('claim')\ndef claim(q):\n    return ask(ek.context('note', NOTE))\nclaim('q')"
    )
    shell.checked("found = ek.last().whatif(remove='note')")
    assert shell.value("said(found)") == ["cause", "Half.", "Nothing."]


def test_each_rerun_of_a_cell_has_its_own_copies_of_plain_data(shell):
    shell.checked("history, box = ['first'], {'n': 1}")
    shell.checked(
        "%%trace counts\nhistory.append('turn'); box['n'] += 1\n"
        "note = ek.context('note', NOTE)\nek.answer(f'{ask(note)} {len(history)} {box}')"
    )
    shell.checked("found = ek.last().whatif(remove='note')")
    assert shell.value("said(found)") == ["cause", "Half. 2 {'n': 2}", "Nothing. 2 {'n': 2}"]
    assert shell.value("[history, box]") == [["first", "turn"], {"n": 2}]


def test_names_of_the_notebook_that_a_cell_leaves_for_links_of_other_cells_hide_nothing(shell):
    shell.checked(
        "kept = []\n"
        "@ek.link(kind='model', deterministic=True)\n"
        "def recall(q):\n    return 'Half.' if 'half' in ' '.join(kept) else 'Nothing.'"
    )
    shell.checked("%%trace keeps\nkept.append(ek.context('note', NOTE))\nek.answer(recall('q'))")
    shell.checked("found = ek.last().whatif(remove='note')")
    assert shell.value("said(found)") == ["inconclusive", "Half.", "Half."]
    assert "kept may hold what the recorded run left in it" in shell.value("found.reason")


def test_a_link_of_the_same_cell_reads_what_the_cell_makes(shell):
    shell.checked(
        "%%trace same\nrules = ek.context('note', NOTE)\n"
        "@ek.link(kind='model', deterministic=True)\n"
        "def read(q):\n    return 'Half.' if 'half' in rules else 'Nothing.'\n"
        "ek.answer(read('q'))"
    )
    shell.checked("found = ek.last().whatif(remove='note')")
    assert shell.value("said(found)") == ["cause", "Half.", "Nothing."]


BINDS_ITS_NAMES = """
parts = [ek.context("dogs", "Dogs travel free.")]
parts.append("And half?")
text = ""
for part in parts:
    text += part + " "
ek.answer(ask(text))
"""


def test_names_that_a_cell_makes_itself_hide_nothing_the_first_time_nor_the_second(shell):
    for _ in range(2):
        shell.checked(f"%%trace makes its names\n{BINDS_ITS_NAMES.strip()}")
        shell.checked("found = ek.last().whatif(remove='dogs')")
        assert shell.value("[found.word, found.reason]") == ["not shown", None]


def test_a_name_that_only_a_branch_makes_is_not_there_at_the_begin_of_a_re_run(shell):
    shell.checked(
        "%%trace branches\nnote = ek.context('note', NOTE)\nif 'half' in note:\n    rare = 'half'\n"
        "try:\n    shown = rare\nexcept NameError:\n    shown = 'none'\nek.answer(ask(shown))"
    )
    shell.checked("found = ek.last().whatif(remove='note')")
    assert shell.value("said(found)") == ["cause", "Half.", "Nothing."]
