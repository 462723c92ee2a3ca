"""Every module can be imported, says why it exists, and is named apart from what it holds."""

import ast
import importlib
import types

import pytest

from tests.repository.source_tree import ROOT, module_names, package_files, tracked_files

HEAVY_AT_MODULE_LEVEL = {"pandas", "scipy", "duckdb", "pyarrow"}


def _parse(path):
    return ast.parse(path.read_text("utf-8"), filename=str(path))


def _public_definitions(tree):
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return {n.name for n in tree.body if isinstance(n, kinds) and not n.name.startswith("_")}


def _imports_outside_functions(tree):
    """Names of top-level packages imported when the module is, type-checking blocks left out."""
    found, waiting = set(), list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += list(ast.iter_child_nodes(node))
    return found


def test_every_module_can_be_imported():
    for name in module_names():
        assert isinstance(importlib.import_module(name), types.ModuleType)


@pytest.mark.parametrize("folder", ["explainkit", "tests", "benchmarks"])
def test_every_module_says_in_its_first_line_why_it_exists(folder):
    silent = []
    for path in tracked_files():
        relative = path.relative_to(ROOT)
        if relative.parts[0] != folder or path.suffix != ".py":
            continue
        if folder == "tests" and not path.read_text("utf-8").strip():
            continue  # an empty marker of a package has nothing to say
        first = (ast.get_docstring(_parse(path)) or "").partition("\n")[0]
        if len(first.split()) < 4 or not first.endswith((".", ":", "?")):
            silent.append(f"{relative}: {first!r}")
    assert silent == []


def test_a_module_is_not_named_like_a_public_thing_that_it_defines():
    clashes = [
        str(path.relative_to(ROOT))
        for path in package_files()
        if path.stem in _public_definitions(_parse(path))
    ]
    assert clashes == []


def test_every_test_asserts_something():
    means = ("Assert(", "raises", "warns", "fail", "assert_", "expect", "check")
    silent = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in tracked_files()
        if path.name.startswith("test_") and path.suffix == ".py"
        for node in ast.walk(_parse(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not any(word in ast.dump(node) for word in means)
    ]
    assert silent == []


def test_heavy_libraries_are_imported_inside_functions():
    eager = {}
    for path in package_files():
        if heavy := _imports_outside_functions(_parse(path)) & HEAVY_AT_MODULE_LEVEL:
            eager[str(path.relative_to(ROOT))] = sorted(heavy)
    assert eager == {}
