"""What an answer flow is made of, checked when it is built."""

from collections.abc import Callable
from inspect import signature
from typing import Any, Generic, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from explainkit.answering.entries import shown
from explainkit.answering.ports import CanInvoke, Check, Fallback, Generate, Observe, Review
from explainkit.answering.shapes import App, Data, Value
from explainkit.errors import AnswerFlowError
from explainkit.flow.runners import Runner
from explainkit.safety import shorten

ReviewPolicy: TypeAlias = Literal["optional", "required", "off"]
REVIEW_POLICIES = get_args(ReviewPolicy)


class AnswerFlowDefinition(BaseModel, Generic[Data, Value, App]):
    """The limits and the ports of an answer flow.

    Ports are called by keyword with exactly the names of their row. All but `can_invoke` and
    `check` may be coroutine functions, or runners: a runner is given the keywords, except
    `context`, as one mapping. Functions that do not await run in threads, as the children of a
    composition do; all checks of a round run in one, one after the other. Written as
    `AnswerFlowDefinition[Data, Value, App]`, the flow also checks the data of its items, the
    values that it is given, and `context.app`.

    Attributes:
        max_items: Items in one batch, from 1.
        max_repairs: Repair rounds, from 0; there are at most `max_repairs + 1` rounds.
        review_policy: `optional`: a review that could not be had is left out; `required`: it
            blocks the item; `off`: no review.
        can_invoke: `can_invoke(context)` says at once, by a bool, whether `generate` or `review`
            may be called.
        generate: `generate(*, items, repairs, previous, context)` gives values by item id.
        check: `check(*, item, value, context)` gives a `CheckResult` at once.
        review: `review(*, items, context)` gives a `CheckResult` for each item submitted.
        fallback: `fallback(*, item, issues, context)` gives a `Recovery`.
        observe: `observe(*, stage_id, results, context)` looks on.

    Raises:
        AnswerFlowError: A field is missing, unknown, or not what it must be.

    Example:
        >>> AnswerFlowDefinition(max_items=0, max_repairs=0, can_invoke=bool, generate=dict,
        ...                      check=print, fallback=print)
        Traceback (most recent call last):
            ...
        explainkit.errors.answers.AnswerFlowError: max_items=0: give a whole number from 1.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    max_items: int
    max_repairs: int
    review_policy: ReviewPolicy = "optional"
    can_invoke: Any
    generate: Any
    check: Any
    review: Any = None
    fallback: Any
    observe: Any = None

    def __init__(
        self,
        *,
        max_items: int,
        max_repairs: int,
        review_policy: ReviewPolicy = "optional",
        can_invoke: CanInvoke | Callable[[Any], bool],
        generate: Generate[Data, Value] | Callable[..., Any] | Runner,
        check: Check[Data, Value] | Callable[..., Any],
        review: Review[Data, Value] | Callable[..., Any] | Runner | None = None,
        fallback: Fallback[Data] | Callable[..., Any] | Runner,
        observe: Observe[Data, Value] | Callable[..., Any] | Runner | None = None,
    ) -> None:
        """Check the fields."""
        _whole("max_items", max_items, 1)
        _whole("max_repairs", max_repairs, 0)
        if review_policy not in REVIEW_POLICIES:
            raise AnswerFlowError(
                f"review_policy={shown(review_policy)}: give one of {', '.join(REVIEW_POLICIES)}."
            )
        ports = (
            ("can_invoke", can_invoke, ()),
            ("generate", generate, ("items", "repairs", "previous", "context")),
            ("check", check, ("item", "value", "context")),
            ("review", review, ("items", "context")),
            ("fallback", fallback, ("item", "issues", "context")),
            ("observe", observe, ("stage_id", "results", "context")),
        )
        _immediate("can_invoke", can_invoke)
        _immediate("check", check)
        _callable("generate", generate)
        _callable("fallback", fallback)
        _optional("review", review)
        _optional("observe", observe)
        for name, port, keywords in ports:
            _can_be_called(name, port, keywords)
        if review_policy == "required" and review is None:
            raise AnswerFlowError(
                "review_policy='required', but there is no review. Give review=, or another policy."
            )
        try:
            super().__init__(
                max_items=max_items,
                max_repairs=max_repairs,
                review_policy=review_policy,
                can_invoke=can_invoke,
                generate=generate,
                check=check,
                review=review,
                fallback=fallback,
                observe=observe,
            )
        except ValidationError as problem:  # a subclass may have said more of a field
            raise AnswerFlowError(shorten(str(problem), 400)) from problem


def is_runner(port: Any) -> bool:
    """Whether a port runs: a runner of ours, or an object that has `run` and is not called."""
    return isinstance(port, Runner) or (
        not callable(port) and callable(getattr(port, "run", None)) and not isinstance(port, type)
    )


def _whole(name: str, value: Any, least: int) -> None:
    if type(value) is not int or value < least:
        raise AnswerFlowError(f"{name}={shown(value)}: give a whole number from {least}.")


def _immediate(name: str, port: Any) -> None:
    if callable(getattr(port, "check", None)) and not callable(port):
        call = "check(check_ids=[...], value=value, context=context)"
        if not hasattr(port, "ids"):
            call = "check(value, context)"
        raise AnswerFlowError(
            f"{name}={shown(port)}: give a function that asks it, such as "
            f"lambda *, item, value, context: it.{call}."
        )
    if isinstance(port, Runner) or not callable(port):
        raise AnswerFlowError(
            f"{name}={shown(port)}: it answers at once, so give a function that does not await."
        )


def _can_be_called(name: str, port: Any, keywords: tuple[str, ...]) -> None:
    """Whether a function takes what it will be called with; some built-in ones do not tell."""
    if port is None or is_runner(port):
        return
    try:
        takes = signature(port)
    except (TypeError, ValueError):
        return
    try:
        takes.bind(*(() if keywords else (None,)), **dict.fromkeys(keywords))
    except TypeError as problem:
        wanted = f"(*, {', '.join(keywords)})" if keywords else "(context)"
        raise AnswerFlowError(
            f"{name}={shown(port)} cannot be called so: {problem}. Let it take {wanted}."
        ) from None


def _callable(name: str, port: Any) -> None:
    if not callable(port) and not is_runner(port):
        raise AnswerFlowError(f"{name}={shown(port)}: give a function, or a runner.")


def _optional(name: str, port: Any) -> None:
    if port is not None:
        _callable(name, port)
