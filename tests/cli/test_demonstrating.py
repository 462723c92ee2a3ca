"""`explainkit demo` shows the whole job and writes one page."""


def test_the_demo_tells_the_story_and_writes_the_page(shell, tmp_path):
    done = shell("demo")
    assert done.code == 0
    for part in (
        "My train was 40 minutes late. What do I get back?",
        "half of the fare",
        "campaign-note",
        "memory/2025-12",
        "redactor",
        "failed, says reviewer",
    ):
        assert part in done.out
    for verb in ("said", "read", "landed", "allowed", "born"):
        assert verb in done.out
    page = tmp_path / "explainkit-demo.html"
    assert page.name in done.err
    text = page.read_text("utf-8")
    assert "Content-Security-Policy" in text
    assert "campaign-note" in text


def test_the_page_can_be_put_elsewhere(cli, tmp_path):
    page = tmp_path / "claim.html"
    done = cli("demo", "-o", page)
    assert done.code == 0
    assert str(page) in done.err
    assert page.is_file()


def test_a_place_that_cannot_be_written_is_an_error(cli, tmp_path):
    done = cli("demo", "-o", tmp_path / "no" / "claim.html")
    assert done.code == 1
    assert "No such file or directory" in done.err
