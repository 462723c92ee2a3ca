"""What a code object does with names from outside of its call, on every supported Python."""

import sys

import pytest

from explainkit.whatif.shared_state.name_uses import uses_of


def code_of(source):
    """The code of the one function that a source defines."""
    made = compile(f"{source}\n", "<test>", "exec")
    found = next(each for each in made.co_consts if hasattr(each, "co_code"))
    inner = [each for each in found.co_consts if hasattr(each, "co_code")]
    return inner[0] if source.startswith("class") else found


def told(use):
    marks = {"reads": "R", "writes": "W", "begins": "B", "escapes": "E", "rebinds": "N"}
    shown = "".join(mark for name, mark in marks.items() if getattr(use, name))
    return f"{'.'.join((use.name, *use.parts))} {shown}"


@pytest.mark.parametrize(
    ("source", "uses", "changes_others"),
    [
        ("def f(): kept['a'] = given", ["given RE", "kept W"], False),
        ("def f(a): kept[a] = 1", ["kept W"], False),
        ("def f(a): kept.update(a=a)", ["kept W"], False),
        ("def f(): return kept['a']", ["kept.[] R"], False),
        ("def f(a): return kept[a][0]", ["kept.[].[] R"], False),
        ("def f(): return kept.get('a')", ["kept.get R"], False),
        ("def f(): return ' '.join(kept)", ["kept RE"], False),
        ("def f(): kept['a'] += 1", ["kept W"], False),
        ("def f(): return kept.pop()", ["kept RW"], False),
        ("def f(): kept.clear()", ["kept WB"], False),
        ("def f(): kept[:] = []", ["kept WB"], False),
        ("def f(a): kept[:] = [a]", ["kept W"], False),
        ("def f(): del kept[0]", ["kept W"], False),
        ("def f(): return 'a' in kept", ["kept R"], False),
        ("def f(): kept['a'].append(1)", ["kept.[] W"], False),
        ("def f(): kept.get('a').append(1)", ["kept.get R"], True),
        ("def f():\n for row in kept: row['a'] = 1", ["kept R"], True),
        ("def f():\n own = []\n own.append(kept['a'])", ["kept.[] R"], False),
        ("def f(own):\n own.append(1)", [], True),
        ("def f(a):\n own = [b for b in a if b]\n own.append(1)", [], False),
        ("def f(a):\n own = {b: c for b, c in a}\n own['a'] = 1", [], False),
        ("def f(a):\n for own in a: own.append(1)", [], True),
        ("def f():\n global n\n n += 1", ["n W", "n WN"], False),
        ("def f(a):\n global n\n n = a", ["n WN"], False),
        ("def f():\n global n\n n = []", ["n WBN"], False),
        ("def f(a): module.n = a", ["module.n WN"], False),
        ("def f(): Kind.n += 1", ["Kind.n W"], False),
        ("def f(): return Kind.n or 1", ["Kind.n R"], False),
        ("def f(): return Kind.n and 1", ["Kind.n R"], False),
        ("def f():\n if (n := Kind.n): return n", ["Kind.n RE"], False),
        ("class C:\n def f(self, a): self.n = a", ["n WN"], False),
        ("class C:\n def f(self): self.n = []", ["n WBN"], False),
        ("class C:\n def f(self): self.n += 1", ["n W"], False),
        ("class C:\n def f(self): self.n.append(1)", ["n W"], False),
        ("class C:\n def f(self, a): self.n[a] = 1", ["n W"], False),
        ("class C:\n def f(self): return self.n", ["n RE"], False),
        ("class C:\n def f(self): return self.client.ask(1)", ["client.ask R"], False),
        ("class C:\n def f(self): return help(self)", ["help RE", "* RE"], False),
    ],
)
def test_each_use_of_a_name_is_told(source, uses, changes_others):
    found = uses_of(code_of(source))
    assert [told(each) for each in found.uses] == uses
    assert found.changes_others is changes_others


@pytest.mark.parametrize(
    ("source", "writes"),
    [
        ("def f():\n global c\n if c is None: c = make()\n return c", False),
        ("def f(a):\n global c\n if not c: c = make(a)\n return c", False),
        ("def f():\n global c\n c = make()\n return c", True),
        ("def f():\n global c\n if c: c = False\n else: c = True\n return c", True),
        ("def f(a):\n global c\n if c is None: c = a\n return c", True),
    ],
)
def test_what_is_made_once_is_not_written(source, writes):
    assert any(use.writes for use in uses_of(code_of(source)).uses) is writes


def test_names_that_inner_functions_read_are_told_when_they_are_worked_out():
    source = "def f(a):\n b = make()\n c = 60\n d = a\n return lambda e=b: (a, b, c, d)"
    found = uses_of(code_of(source))
    assert found.computed == {"a", "b", "d"}
    assert len(found.defaulted) == 1


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="comprehensions are no calls any more")
def test_what_a_comprehension_made_is_the_function_s_own():
    made = "def f(a):\n kept = {x: 1 for x in a}\n kept['b'] = 2\n return kept"
    assert not uses_of(code_of(made)).changes_others
    given = "def f(a):\n kept = make(a for a in a)\n kept['b'] = 2\n return kept"
    assert uses_of(code_of(given)).changes_others
