"""Lists in messages are cut where they are long, and one that is left is written out."""

import pytest

import explainkit as ek
from explainkit.errors import InterventionError, UnknownRecordError
from explainkit.whatif.cut_lists import cut, listed
from tests.whatif.programs import ask, recorded


@pytest.mark.parametrize(("count", "left"), [(0, 0), (8, 0), (9, 0), (10, 2), (100, 92)])
def test_one_that_is_left_is_written_out(count, left):
    shown, others = cut([str(number) for number in range(count)])
    assert (len(shown) + others, others) == (count, left)
    assert listed([str(number) for number in range(count)]).endswith("more") is bool(left)


def contexts(count, *, same=False):
    @ek.traced("many")
    def program(question):
        for number in range(count):
            ek.context("page" if same else f"page {number}", f"words {number}")
        return ask(question)

    return recorded(program, "q")


@pytest.mark.parametrize(("count", "end"), [(8, "'page 7', 'ask'."), (9, "'page 7' and 2 more.")])
def test_names_that_can_be_meant(count, end):
    with pytest.raises(UnknownRecordError) as raised:
        contexts(count).whatif(remove="nope")
    assert str(raised.value).endswith(end)


@pytest.mark.parametrize(("count", "more"), [(9, 0), (10, 2)])
def test_records_of_one_name(count, more):
    with pytest.raises(InterventionError) as raised:
        contexts(count, same=True).whatif(remove="page")
    assert str(raised.value).count(f" and {more} more") == (2 if more else 0)


@pytest.mark.parametrize(("count", "more"), [(9, 0), (10, 2)])
def test_places_of_words(count, more):
    @ek.traced("words")
    def program(question):
        return ask(ek.context("note", "half " * count))

    with pytest.raises(InterventionError) as raised:
        recorded(program, "q").whatif(remove=("note", "half"))
    assert (f" and {more} more. Give longer" in str(raised.value)) is bool(more)


@pytest.mark.parametrize(("count", "more"), [(9, 0), (10, 2)])
def test_calls_of_one_name(count, more):
    @ek.traced("calls")
    def program(question):
        return [ask(f"{question} {number}") for number in range(count)]

    run = recorded(program, "q")
    with pytest.raises(InterventionError) as raised:
        run.whatif(swap={"ask": "Nothing."})
    assert (f" and {more} more." in str(raised.value)) is bool(more)
    seq = next(row["seq"] for row in run.recording.rows("link_opened"))
    shown = repr(run.whatif(swap={seq: "Nothing."}))
    reused = shown.partition("reused: ")[2].partition("\n")[0]
    assert reused.count("ask #") == count - 1  # the last one is the ninth, and not counted
