"""The repository speaks of the product: no machine's paths, no leftovers, nobody else's data."""

import hashlib
import re

from tests.repository.source_tree import ROOT, tracked_files, tracked_text

# Written in parts, or this file would find itself.
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:work|root|farm|home/\w+|tmp)" + r"/[\w.-]+")
NUMBERED_ISSUE = re.compile(r"\bissue" + r"\s+#?\d+\b", re.IGNORECASE)
UNFINISHED = re.compile(r"\b(?:TODO|FIXME)\b|#.*\bXXX\b|NotImplementedError|\bfor now\b")
# Paths in hostile input are made up.
HOSTILE = "tests/hostile/"
IDENTICAL_ALLOWED = 64  # bytes; an empty or trivial file can be equal by chance


def _found(pattern, texts):
    return [
        f"{path}:{number}: {line.strip()[:100]}"
        for path, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_path_of_a_machine():
    texts = {p: t for p, t in tracked_text().items() if not p.startswith(HOSTILE)}
    assert _found(MACHINE_PATH, texts) == []


def test_no_issue_by_number():
    assert _found(NUMBERED_ISSUE, tracked_text()) == []


def test_nothing_unfinished_in_the_package():
    texts = {p: t for p, t in tracked_text().items() if p.startswith("explainkit/")}
    assert _found(UNFINISHED, texts) == []


def test_no_recorded_run_of_another_tool_is_kept_here(shared_data):
    ours = {path.stat().st_size: [] for path in tracked_files()}
    for path in tracked_files():
        ours[path.stat().st_size].append(path)
    copied = []
    for theirs in sorted(p for p in shared_data.parent.rglob("*") if p.is_file()):
        size = theirs.stat().st_size
        if size <= IDENTICAL_ALLOWED or size not in ours:
            continue
        digest = hashlib.sha256(theirs.read_bytes()).digest()
        same = (p for p in ours[size] if hashlib.sha256(p.read_bytes()).digest() == digest)
        copied.extend(str(path.relative_to(ROOT)) for path in same)
    assert copied == []
