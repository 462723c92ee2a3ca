"""What a walk reads of long sources grows with them, and not with their square."""

import explainkit as ek
from explainkit.backtrack import covering, onwards


def told(count):
    @ek.link(kind="model")
    def copy(prompt):
        return prompt

    text = " ".join(f"Sentence {at} says half of fare {at * 7}." for at in range(count))
    with ek.trace("long") as run:
        ek.answer(copy(ek.context("doc", text)))
    return run


def test_sentences_that_one_long_text_supports_read_each_of_it_once_and_no_more(monkeypatch):
    read = []
    plain = covering.likened

    def counted(sentence, asked, sources, carried):
        read.extend(len(each.text) for each in sources)
        return plain(sentence, asked, sources, carried)

    monkeypatch.setattr(covering, "likened", counted)

    def characters(count):
        read.clear()
        rows = told(count).backtrack().coverage
        assert {row.state for row in rows} == {"supported"}
        assert len(rows) == count
        return sum(read)

    assert characters(400) < 2.5 * characters(200)


def test_what_supports_many_values_is_followed_once_for_all_of_them(monkeypatch):
    read = []
    plain = onwards.Onward.__init__

    def counted(self, carries):
        read.append(len(carries))
        plain(self, carries)

    monkeypatch.setattr(onwards.Onward, "__init__", counted)

    def moves(count):
        @ek.link(kind="tool")
        def fares():
            return {
                f"zone {at}": f"A ride in zone {at} costs {at + 80} euros." for at in range(count)
            }

        with ek.trace("fares") as run:
            ek.answer(fares())
        read.clear()
        rows = run.backtrack().coverage
        assert {row.state for row in rows} == {"supported"}
        assert len(rows) == count
        return sum(read)

    assert moves(200) < 2.5 * moves(100)
