"""The public surface is sorted, importable, documented, and never shadowed by a module."""

import importlib
import inspect
import types

import pytest

import explainkit
from tests.repository.source_tree import ROOT, module_names


@pytest.fixture(scope="module")
def packages():
    """Every package by name, after every module was imported (an import can shadow an export)."""
    modules = [importlib.import_module(name) for name in module_names()]
    return {module.__name__: module for module in modules if hasattr(module, "__path__")}


def test_all_is_sorted_and_without_repeats():
    # ruff sorts the `__all__` of inner packages in its own order; the public one is plain.
    assert list(explainkit.__all__) == sorted(set(explainkit.__all__))


def test_something_is_exported():
    assert len(explainkit.__all__) > 0


def test_every_exported_name_is_there(packages):
    for package in packages.values():
        for name in getattr(package, "__all__", []):
            assert hasattr(package, name), f"{package.__name__}.{name}"


def test_dir_lists_what_is_exported():
    assert set(explainkit.__all__) <= set(dir(explainkit))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        explainkit.no_such_name  # noqa: B018


def test_what_is_asked_of_a_run_is_named_where_somebody_looks_for_it_here():
    for name in explainkit._OF_A_RUN:
        assert callable(getattr(explainkit.Run, name))
        with pytest.raises(AttributeError, match=rf"ask a run: run\.{name}\(\.\.\.\)"):
            explainkit.__getattr__(name)
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing_like_it'$"):
        explainkit.__getattr__("nothing_like_it")


def test_no_module_takes_the_name_of_an_export(packages):
    shadowed = [
        f"{package.__name__}.{name}"
        for package in packages.values()
        for name in getattr(package, "__all__", [])
        if isinstance(getattr(package, name), types.ModuleType)
        or f"{package.__name__}.{name}" in module_names()
    ]
    assert shadowed == []


def test_every_public_class_and_function_has_its_own_docstring():
    undocumented = []
    for name in explainkit.__all__:
        thing = getattr(explainkit, name)
        describable = inspect.isclass(thing) or callable(thing)
        # A class inherits its base's docstring through getdoc; `__dict__` does not.
        text = vars(thing).get("__doc__") if inspect.isclass(thing) else thing.__doc__
        if describable and not (text or "").strip():
            undocumented.append(name)
    assert undocumented == []


def test_every_public_method_has_a_docstring():
    undocumented = []
    for name in explainkit.__all__:
        thing = getattr(explainkit, name)
        if not inspect.isclass(thing):
            continue
        for member, value in vars(thing).items():
            wanted = inspect.isroutine(value) or isinstance(value, property)
            if wanted and not member.startswith("_") and not inspect.getdoc(getattr(thing, member)):
                undocumented.append(f"{name}.{member}")
    assert undocumented == []


def test_every_exported_name_stands_in_the_reference():
    pages = sorted((ROOT / "docs" / "reference").rglob("*.md"))
    reference = "\n".join(page.read_text("utf-8") for page in pages)
    assert [
        name
        for name in explainkit.__all__
        if f"`{name}" not in reference and f"`ek.{name}" not in reference
    ] == []


def test_the_version_and_the_errors_of_what_ifs_are_public():
    from explainkit.errors import InterventionError, RerunError

    with explainkit.trace("versions") as run:
        pass
    recorded = next(run.recording.rows("run_started"))["versions"]["explainkit"]
    assert explainkit.__version__ == recorded
    assert explainkit.RerunError is RerunError
    assert explainkit.InterventionError is InterventionError
