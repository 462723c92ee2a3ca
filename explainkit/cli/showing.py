"""`explainkit show`: everything that a person would want to read of one run."""

from explainkit.cli.arguments import RunChoice, RunFile
from explainkit.cli.opening import damaged, opened
from explainkit.cli.printing import put, tell


def show_run(path: RunFile, run: RunChoice = None) -> int:
    """Print a run, whole.

    Status, question, answer, verdicts, what was measured, machines with their picks, links as a
    tree, contexts, overrides, and what was lost.
    """
    from explainkit.cli.run_text import RunText

    found = opened(path, run)
    if found.report is not None:
        tell(str(found.report))
    text = RunText(found)
    for line in text.lines():
        put(line, style="bold" if line[:1].isupper() else None)
    for problem in text.problems:
        tell(problem)
    return int(damaged(found) or bool(text.problems))
