"""Checks that many answers need: something is said, in the right shape, and no secret with it."""

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence, Sized
from typing import Any, NoReturn

from pydantic import BaseModel

from explainkit.answering.answer_checkers import AnswerChecker, passed_or
from explainkit.answering.entries import shown
from explainkit.answering.json_schemas import SchemaReader
from explainkit.errors import AnswerFlowError
from explainkit.flow.checks import CheckResult, Issue, OperationContext
from explainkit.flow.checks.asking import unavailable
from explainkit.flow.checks.model_checks import ModelCheck
from explainkit.safety.redaction import Redactor, capture

_MOST_ISSUES = 20
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})


def non_empty(*, id: str = "non-empty") -> AnswerChecker:  # noqa: A002 - the word of every check
    r"""A check that something is said: a text with a visible character, or an item of a collection.

    Args:
        id: Its id.

    Example:
        >>> non_empty().check(" \u200b\n", OperationContext()).issues[0].code
        'EMPTY'
    """

    def check(value: Any, context: OperationContext) -> CheckResult:
        del context
        if value is None or (_is_blank(value) if isinstance(value, str) else _has_nothing(value)):
            return passed_or(Issue("EMPTY", "there is no answer"))
        return passed_or()

    return AnswerChecker(id, check)


def length(
    *,
    at_least: int = 0,
    at_most: int | None = None,
    id: str = "length",  # noqa: A002
) -> AnswerChecker:
    """A check of how long a text is, in code points, or a collection, in items.

    Args:
        at_least: The smallest length that passes.
        at_most: The greatest one; any when not given.
        id: Its id.

    Raises:
        AnswerFlowError: A bound is no whole number, or no length could pass or fail.

    Example:
        >>> length(at_most=3).check("four", OperationContext()).issues[0].message
        'it has 4 characters, more than 3'
    """
    for name, bound in (("at_least", at_least), ("at_most", at_most)):
        if type(bound) is not int and not (name == "at_most" and bound is None):
            raise AnswerFlowError(f"length({name}={shown(bound)}): give a whole number.")
    if at_least < 0 or (at_most is None and not at_least) or (at_most or at_least) < at_least:
        raise AnswerFlowError(
            f"length(at_least={shown(at_least)}, at_most={shown(at_most)}) bounds nothing, or lets "
            "nothing pass. Give a lower bound above 0, an upper one not below it, or both."
        )

    def check(value: Any, context: OperationContext) -> CheckResult:
        del context
        if not isinstance(value, Sized):
            return passed_or(Issue("NO_LENGTH", f"a {type(value).__name__} has no length"))
        count, what = len(value), "characters" if isinstance(value, str) else "items"
        if count < at_least:
            return passed_or(
                Issue("TOO_SHORT", f"it has {count:,} {what}, fewer than {at_least:,}")
            )
        if at_most is not None and count > at_most:
            return passed_or(Issue("TOO_LONG", f"it has {count:,} {what}, more than {at_most:,}"))
        return passed_or()

    return AnswerChecker(id, check)


def json_schema(
    schema: Mapping[str, Any],
    *,
    reads_text: bool = True,
    id: str = "json-schema",  # noqa: A002
) -> AnswerChecker:
    """A check against a JSON Schema; it names the first 20 places that do not fit.

    Args:
        schema: The schema. A reference leads into the schema itself; nothing is fetched.
        reads_text: Whether a text is read as JSON, which is then the value that passes; a text
            is judged as it is otherwise.
        id: Its id.

    Raises:
        AnswerFlowError: It is no valid schema.

    Example:
        >>> days = json_schema({"properties": {"days": {"type": "integer"}}})
        >>> days.check('{"days": "many"}', OperationContext()).issues[0].path
        '/days'
        >>> days.check('{"days": 7}', OperationContext()).value
        {'days': 7}
    """
    reader = SchemaReader(schema, place=f"json_schema({shown(id)})")

    def check(value: Any, context: OperationContext) -> CheckResult:
        del context
        data = value
        if reads_text and isinstance(value, str):
            try:
                data = json.loads(value, parse_constant=_refused)
            except (ValueError, RecursionError) as problem:
                return passed_or(Issue("NO_JSON", f"it is no JSON: {problem}"[:300]))
        issues = _first(reader.problems(data))
        if issues or data is value:
            return passed_or(*issues)
        return CheckResult("passed", value=data)

    return AnswerChecker(id, check)


def pydantic_model(model: type[BaseModel], *, id: str | None = None) -> AnswerChecker:  # noqa: A002
    """A check that an answer is what a pydantic model takes; the model is the value that passes.

    Args:
        model: The model; a text is read as JSON.
        id: Its id; the model's name when not given.

    Raises:
        AnswerFlowError: It is no pydantic model.

    Example:
        >>> class Fare(BaseModel):
        ...     euros: int
        >>> pydantic_model(Fare).check('{"euros": 54}', OperationContext()).value
        Fare(euros=54)
    """
    given: Any = model
    if not (isinstance(given, type) and issubclass(given, BaseModel)):
        raise AnswerFlowError(
            f"pydantic_model({shown(model)}): give a class of pydantic's BaseModel."
        )
    return AnswerChecker(model.__name__ if id is None else id, ModelCheck(model).check)


def no_secret(*secrets: str, id: str = "no-secret") -> AnswerChecker:  # noqa: A002
    """A check that an answer holds no secret: keys, tokens, passwords, by shape and by name.

    It finds what the recorder redacts. A value of which a part could not be looked at, because it
    is too large or has no form in the record, could not be judged.

    Args:
        secrets: Secrets to look for beside, in every form in which they travel.
        id: Its id.

    Raises:
        AnswerFlowError: A secret is no text.
        WeakSecretError: A secret is too short to be looked for.

    Example:
        >>> found = no_secret().check("Use sk-abcdefghij0123456789.", OperationContext())
        >>> found.status, found.issues[0].message
        ('failed', 'it holds a secret: api-key')
    """
    given: tuple[Any, ...] = secrets
    for each in given:
        if not isinstance(each, str):
            kind = type(each).__name__  # its content may be the secret
            raise AnswerFlowError(
                f"no_secret: a {kind} is no secret. Give each as a text, no_secret(*secrets)."
            )
    Redactor(secrets=secrets)  # says at once what cannot be looked for

    def check(value: Any, context: OperationContext) -> CheckResult:
        del context
        redactor = Redactor(secrets=secrets)  # its marks are of one value
        captured = capture(value, redactor)
        kinds = dict.fromkeys(
            mark[len("[redacted:") :].partition("#")[0] for mark in redactor.report()
        )
        if kinds:
            return passed_or(*(Issue("SECRET", f"it holds a secret: {kind}") for kind in kinds))
        if captured.fidelity in ("partial", "opaque"):
            return unavailable("NOT_SEEN_WHOLE", "it could not be looked at as a whole")
        return passed_or()

    return AnswerChecker(id, check)


def _is_blank(text: str) -> bool:
    return all(unicodedata.category(letter) in _UNSEEN for letter in text)


def _has_nothing(value: Any) -> bool:
    return isinstance(value, Sized) and len(value) == 0


def _first(issues: Iterator[Issue]) -> Sequence[Issue]:
    """The first issues, and a word when there are more."""
    found = [issue for _, issue in zip(range(_MOST_ISSUES + 1), issues, strict=False)]
    if len(found) <= _MOST_ISSUES:
        return found
    return [*found[:_MOST_ISSUES], Issue("MORE", f"there are more than {_MOST_ISSUES}")]


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON value")
