"""What an actor is to a machine, told without importing the actors themselves."""

from typing import Any, Literal, TypeAlias, cast, get_args

ActorKind: TypeAlias = Literal["agent", "effect", "gate", "fail", "machine", "function"]


def kind_of(actor: Any) -> ActorKind | None:
    """The kind that an actor says it is; a function is one too; None for anything else.

    Example:
        >>> kind_of(print), kind_of(7)
        ('function', None)
    """
    kind = getattr(actor, "kind", None)
    if kind in get_args(ActorKind):
        return cast("ActorKind", kind)
    return "function" if callable(actor) else None
