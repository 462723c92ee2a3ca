"""Links of one type are found without reading the others."""

import explainkit as ek


def test_links_of_a_type_are_those_that_say_it_and_no_other_that_only_mentions_it():
    @ek.link(kind="tool", name="model")
    def look(text):
        return text

    @ek.link(kind="model")
    def ask(text):
        return f'a "model" said {text}'

    with ek.trace("desk") as run:
        ask(look('"model"'))
        ask("again")
    found = list(run.recording.links_of_type("model"))
    assert [(row["name"], row["type"]) for row in found] == [("ask", "model"), ("ask", "model")]
    assert found == [row for row in run.recording.rows("link_opened") if row["type"] == "model"]
    assert list(run.recording.links_of_type("machine")) == []


def test_a_type_with_marks_of_json_is_found_as_it_is_written(tmp_path):
    with ek.trace("desk") as run:
        ek.link(kind='odd "kind" \u00e9\n', name="odd")(lambda: 1)()
    run.save(tmp_path / "run.ek.jsonl")
    again = ek.load(tmp_path / "run.ek.jsonl")
    found = again.recording.links_of_type('odd "kind" \u00e9\n')
    assert [row["name"] for row in found] == ["odd"]
