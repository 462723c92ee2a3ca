"""A story as a table, with the same columns whether there are sentences or not."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explainkit.view.story.sentences import Sentence

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = {
    "seq": "Int64", "records": "Int64", "kind": "object", "text": "object", "folded": "Int64",
}  # fmt: skip
"""``seq`` is the first record of a sentence and ``records`` how many it is told from."""


def frame_of_story(sentences: Sequence[Sentence]) -> "pd.DataFrame":
    """A row for each sentence.

    Args:
        sentences: The sentences, in order.
    """
    import pandas as pd

    columns = {
        "seq": [each.seq[0] if each.seq else None for each in sentences],
        "records": [len(each.seq) for each in sentences],
        "kind": [each.kind for each in sentences],
        "text": [each.text for each in sentences],
        "folded": [each.folded for each in sentences],
    }
    return pd.DataFrame(
        {name: pd.Series(columns[name], dtype=kind) for name, kind in COLUMNS.items()}
    )
