"""Arguments that a call left to their defaults: not on record, and yet something to edit."""

import inspect

from explainkit.tracing.decorated import function_named
from explainkit.whatif.varying.recorded_points import RecordedPoint


def parameters_of(point: RecordedPoint) -> tuple[str, ...]:
    """Parameters of the living function of a link that can be given by name.

    Args:
        point: The recorded link.
    """
    fn = function_named(point.name, point.code)
    if fn is None or point.code is None:
        return ()
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    try:
        signature = inspect.signature(fn)
    except (TypeError, ValueError):
        return ()
    return tuple(each.name for each in signature.parameters.values() if each.kind in kinds)
