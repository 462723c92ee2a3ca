"""Names written from right to left stand by themselves in our sentences."""

import pytest

from explainkit.view.skin import parted


def isolated(text):
    return [str(each)[5:-6] for each in parted(text) if str(each).startswith("<bdi>")]


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("The note “הערה”, 69 to 97", ["הערה"]),
        ("“אחת, שתיים” and “שלוש”", ["אחת, שתיים", "שלוש"]),
        ("out of שם, הערה אחת and name", ["שם", "הערה אחת"]),
        ("from זיכרון/1 (from tariff.md)", ["זיכרון/1"]),
        ("the note “say שלום now” stands", ["say שלום now"]),
        ("plain words", []),
    ],
)
def test_each_name_is_isolated(sentence, names):
    assert isolated(sentence) == names
    assert (
        "".join(str(each).replace("<bdi>", "").replace("</bdi>", "") for each in parted(sentence))
        == sentence
    )
