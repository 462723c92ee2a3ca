"""The examples in the docstrings of the safety layer are true."""

import doctest
import importlib
import pkgutil

import pytest

import explainkit.safety

MODULES = [info.name for info in pkgutil.iter_modules(explainkit.safety.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_show(name):
    module = importlib.import_module(f"explainkit.safety.{name}")
    assert doctest.testmod(module).failed == 0
