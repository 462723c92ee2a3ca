"""Whether a re-run asked a script, which says the same whatever it is given."""

from explainkit.safety import shorten
from explainkit.whatif.rerunning import Rerun

_SCRIPT = "ScriptedModel"


def scripted(done: Rerun) -> str | None:
    """Why an answer that stays the same shows nothing; None where a model could have read more.

    A script that is given something else says what it was told to say. Where the answer flips all
    the same, code made the difference, and that counts.

    Args:
        done: A re-run with the change that does not flip.
    """
    given = {each.link: each.name for each in done.executed if each.differs}
    for row in done.recording.rows("link_closed"):
        if row.get("link") in given and (row.get("attrs") or {}).get("model") == _SCRIPT:
            return (
                f"{shorten(given[row['link']], 60)!r} is a script: it was given something else and "
                "said the same, as it says whatever it is given. Use a model that reads its prompt"
            )
    return None
