"""The walked path as a PNG, which saved notebooks keep."""

import base64
import html
import re
import struct

import pytest

from explainkit.backtrack import walk
from explainkit.demos.claims_desk import run_demo
from explainkit.session.explorer import Explorer
from explainkit.view.chart import Chart, ChartEdge, ChartNode
from explainkit.view.drawing import sketch_of, svg_of
from explainkit.view.explorer import picture, raster
from explainkit.view.explorer.picture import picture_of
from explainkit.view.explorer.raster import ZOOM, png_of
from explainkit.view.layered import layered_layout
from tests.backtrack.runs import Writing

HOSTILE = "</text><script>alert(1)</script>\x00\x1b[31m\u202e" + "x" * 20_000


def png_of_name(name):
    """A context of that name, and the answer."""
    nodes = (ChartNode(0, "context", "context", name), ChartNode(1, "answer", "answer", "said"))
    drawn = Chart(nodes, (ChartEdge(0, 1, "said", "value", lit=True),))
    return png_of(svg_of(drawn, layered_layout(sketch_of(drawn))))


def has_fonts():
    try:
        png_of_name("fact")
    except ValueError:
        return False
    return True


fonts = pytest.mark.skipif(not has_fonts(), reason="no font is installed here")


@pytest.fixture
def explorer():
    made = Explorer(run_demo().run.backtrack())
    yield made
    made.close()


def png_in(said):
    found = re.search(r"data:image/png;base64,([A-Za-z0-9+/=]+)", said)
    return base64.b64decode(found[1])


def size_of(png):
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


@fonts
def test_the_walked_path_is_a_picture_that_names_its_layout(explorer):
    back = explorer.select("half").backtrack
    said = picture_of(explorer.run.evidence, back.walk)
    png = png_in(said)
    boxes = int(re.search(r"The walked path, (\d+) boxes, placed by explainkit layered", said)[1])
    assert 4 <= boxes <= 12
    width, height = size_of(png)
    assert height > ZOOM * boxes * 40
    assert width > ZOOM * 188
    shown = int(re.search(r' width="(\d+)"', said)[1])  # of the page, so that words have its size
    assert abs(ZOOM * shown - width) <= 2
    assert png_in(picture_of(explorer.run.evidence, back.walk)) == png


@fonts
def test_the_words_are_in_it():
    assert png_of_name("one") == png_of_name("one")
    assert png_of_name("one") != png_of_name("two")


@fonts
def test_hostile_names_are_drawn_as_text():
    run = Writing()
    run.context(HOSTILE, "Half of the fare is paid back.", type="memory", source="m")
    said = run.assemble("{note}", note="Half of the fare is paid back.")
    run.link("model", HOSTILE, said, prompt=said)
    run.answer(said)
    evidence = run.evidence()
    assert size_of(png_in(picture_of(evidence, walk(evidence))))


def test_on_a_machine_without_fonts_a_line_says_so(explorer, monkeypatch):
    monkeypatch.setattr(raster, "FONTS", '"No such font"')
    said = picture_of(explorer.run.evidence, explorer.backtrack.walk)
    assert "No picture of the graph here: no font was found on this machine" in html.unescape(said)


def test_a_path_of_too_many_boxes_is_no_picture(explorer, monkeypatch):
    monkeypatch.setattr(picture, "MOST_BOXES", 2)
    said = picture_of(explorer.run.evidence, explorer.backtrack.walk)
    assert "No picture of the graph here: it would have" in said


def test_no_characters_are_compared_for_it():
    evidence = run_demo().run.evidence
    found = walk(evidence)
    picture_of(evidence, found)
    assert "edges" not in vars(evidence)
