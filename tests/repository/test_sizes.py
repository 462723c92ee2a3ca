"""Files and functions stay short enough to read at one sitting."""

import ast
import statistics

from tests.repository.source_tree import ROOT, package_files

LONGEST_FILE = 400
MEDIAN_FILE = 150
LONGEST_FUNCTION = 60


def _lines() -> dict[str, int]:
    files = package_files()
    return {str(p.relative_to(ROOT)): len(p.read_text("utf-8").splitlines()) for p in files}


def test_no_file_is_too_long():
    assert {path: size for path, size in _lines().items() if size > LONGEST_FILE} == {}


def test_the_median_file_is_short():
    assert statistics.median(_lines().values()) <= MEDIAN_FILE


def test_no_function_is_too_long():
    too_long = []
    for path in package_files():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = node.end_lineno - node.lineno + 1
                if size > LONGEST_FUNCTION:
                    too_long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {size}")
    assert too_long == []
