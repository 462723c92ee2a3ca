"""The matrix of ends, compositions, positions and nesting, cell by cell."""

import pytest

from tests.flow.compositions.matrix import DEEPEST, ENDS, POSITIONS, SHAPES, held


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("end", ENDS)
def test_an_end_keeps_its_meaning_however_deep_it_is_nested(end, shape, position):
    for nesting in range(1, DEEPEST + 1):
        assert held(end, shape, position, nesting)
