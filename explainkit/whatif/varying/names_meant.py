"""What a user may have meant by a name that nothing of the run has."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from explainkit.safety import shorten
from explainkit.whatif.varying.given_to_runs import own_of_run
from explainkit.whatif.varying.named_words import places_of
from explainkit.whatif.varying.recorded_points import RecordedPoint, RecordedPoints

if TYPE_CHECKING:
    from explainkit.store import Recording

_LOOKED_AT: Final = 500
"""Contexts and results that are searched for the words."""


def meant_instead(
    recording: "Recording", recorded: RecordedPoints, among: Sequence[RecordedPoint], named: object
) -> str:
    """How to write what may have been meant; empty where nothing like it is there.

    Args:
        recording: The run.
        recorded: Its points.
        among: Contexts, events and links that could have been named.
        named: The name that none of them has.
    """
    if not isinstance(named, str) or not named.strip():
        return ""
    if any(each.name == named and each.kind == "context" for each in recorded.points.values()):
        return f" {named!r:.60} is a context: replace={{{named!r:.60}: ...}} gives another one."
    own = own_of_run(recording, recorded)
    if own is not None and named in own.digests:
        return f" To give the run another {named}: edit={{{own.name!r:.60}: {{{named!r}: ...}}}}."
    for point in sorted(among, key=lambda each: each.kind != "context")[:_LOOKED_AT]:
        if point.value is not None and places_of(recording.values.object(point.value), named):
            holder = repr(shorten(point.name, 60))
            return f" {holder} holds these words: name them as ({holder}, {named!r:.80})."
    return ""
