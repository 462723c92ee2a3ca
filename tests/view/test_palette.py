"""One palette: the style sheets name its colours and hold none of their own."""

import re
from importlib.resources import files

import pytest

from explainkit.view.explorer.script import style_text
from explainkit.view.palette import DARK, LIGHT, palette_css

SHEETS = ("page.css", "boxes.css", "explorer/explorer.css")
GIVEN = re.compile(r"--([\w-]+):")
USED = re.compile(r"var\(--([\w-]+)")
SET_BY_A_SCRIPT = {"graph-height"}


def sheet(name):
    return (files("explainkit.view") / "static" / name).read_text("utf-8")


@pytest.mark.parametrize("name", SHEETS)
def test_no_style_sheet_holds_a_colour_of_its_own(name):
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\(", sheet(name)) == []


@pytest.mark.parametrize("name", SHEETS)
def test_every_property_that_a_style_sheet_uses_is_in_the_palette(name):
    given = set(GIVEN.findall(palette_css(":root", dark=":root", around="screen")))
    assert set(USED.findall(sheet(name))) - SET_BY_A_SCRIPT <= given


def test_the_dark_changes_only_what_the_light_has():
    assert DARK.keys() <= LIGHT.keys()


def test_the_explorer_colours_nothing_outside_of_itself():
    assert style_text().startswith(".ek-explorer{--paper:")
    assert ":root" not in style_text()
