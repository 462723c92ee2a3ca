"""A name counts as the cell's own only where no way leads to it without a value of the cell's."""

import ast

import pytest

from explainkit.magics.assigned_names import assigned_first

OWN = {
    "a = 1\nprint(a)": "a",
    "a = []\na.append(a)\na[0] = 1\na += [2]": "a",
    "import os.path as p, json\np.join(json.dumps(1))": "json p",
    "for i in range(3):\n    print(i)\nprint('end')": "i",
    "if x:\n    a = 1\nelse:\n    a = 2\nprint(a)": "a",
    "with open('f') as out:\n    out.write('a')": "out",
    "def f(n):\n    k = n\n    return k\nf(1)": "f",
    "class G:\n    h = 1\n    def put(self):\n        return self.h\ng = G()\ng.put()": "G g",
    "a, (b, *c) = x\nprint(a, b, c)": "a b c",
    "a = [b for b in x]\nb = {c: 1 for c in a}": "a b",
    "a = await f()\nprint(a)": "a",
    "try:\n    a = 1\nfinally:\n    b = 2\nprint(b)": "a b",
    "a: int = 1\nprint(a)": "a",
}
NOT_OWN = {
    "print(a)\na = 1": "a",
    "a += 1": "a",
    "a = a + 1": "a",
    "if x:\n    a = 1\nprint(a)": "a",
    "for i in x:\n    a = i\nprint(a)": "a",
    "while x:\n    a = 1\nprint(a)": "a",
    "try:\n    a = 1\nexcept E:\n    pass\nprint(a)": "a",
    "def f():\n    return a\na = f()": "a",
    "def f():\n    global a\n    a = a + 1\nf()\na = 2": "a",
    "b = [a for c in x]\na = 1": "a",
    "a[0] = 1\na = []": "a",
    "a.b = 1\na = None": "a",
    "a = 1\ndel a\nprint(a)": "a",
    "a = globals()['a']": "a",
    "a: int\nprint(a)\na = 1": "a",
    "match x:\n    case 1:\n        a = 1\nprint(a)\na = 2": "a",
}


@pytest.mark.parametrize("cell", OWN)
def test_a_name_that_is_always_given_a_value_first_is_own(cell):
    assert assigned_first(ast.parse(cell)) == set(OWN[cell].split())


@pytest.mark.parametrize("cell", NOT_OWN)
def test_a_name_that_may_be_read_before_is_not(cell):
    assert not assigned_first(ast.parse(cell)) & set(NOT_OWN[cell].split())
