"""Checks of an answer against what it was made from: nothing invented, nothing misquoted."""

from collections.abc import Callable, Sequence
from typing import Any

from explainkit.answering.answer_checkers import AnswerChecker, passed_or
from explainkit.answering.entries import shown
from explainkit.errors import AnswerFlowError
from explainkit.flow.agents.evidence_gates import support_of, texts_of_answer, texts_of_evidence
from explainkit.flow.checks import CheckResult, Issue, OperationContext
from explainkit.safety import shorten
from explainkit.text.quoting import LONGEST, Quoted, quotations, unclosed

Sources = Sequence[Any] | Callable[[OperationContext], Sequence[Any]]


def names_and_numbers_from(
    evidence: Sources,
    *,
    id: str = "names-and-numbers",  # noqa: A002 - the word of every check
) -> AnswerChecker:
    """A check that each name, number, id, date and address of an answer stands in the evidence.

    It is the evidence gate of an Agent: numbers agree by value, all else by its words.

    Args:
        evidence: Texts and values with a JSON form, or a function that gives them from the
            context.
        id: Its id.

    Raises:
        AnswerFlowError: The evidence is one text, or no list.

    Example:
        >>> check = names_and_numbers_from(["Pay Mia Li 540 EUR."]).check
        >>> check("Mia Li gets 450 EUR.", OperationContext()).issues[0].message
        '"450 EUR" is in no evidence (nearest: 540 EUR)'
    """
    found = _sources(evidence, "names_and_numbers_from")

    def check(value: Any, context: OperationContext) -> CheckResult:
        issues = support_of(value, found(context)).issues
        return passed_or(*(Issue(each["code"], each["message"]) for each in issues))

    return AnswerChecker(id, check)


def quotes_from(
    sources: Sources,
    *,
    id: str = "quotes",  # noqa: A002
) -> AnswerChecker:
    """A check that what an answer quotes stands word for word in a source.

    White space and the way in which marks, hyphens and accents are typed make no difference;
    case, words and their order do, and so do dots for what was left out. An answer without a
    quotation passes.

    Args:
        sources: Texts and values with a JSON form, or a function that gives them from the
            context.
        id: Its id.

    Raises:
        AnswerFlowError: The sources are one text, or no list.

    Example:
        >>> check = quotes_from(["You get half of the fare."]).check
        >>> check("It says “half of the fare”.", OperationContext()).status
        'passed'
        >>> check('It says "all of the fare".', OperationContext()).issues[0].message
        '"all of the fare" is in no source'
    """
    found = _sources(sources, "quotes_from")

    def check(value: Any, context: OperationContext) -> CheckResult:
        quoted = Quoted([text for each in found(context) for text in texts_of_evidence(each)])
        issues: dict[Issue, None] = {}
        for text in texts_of_answer(value):
            for _, _, words in quotations(text):
                if not quoted.holds(words):
                    told = f'"{shorten(words, 200)}" is in no source'
                    issues[Issue("MISQUOTED", told)] = None
            for start in unclosed(text):
                told = (
                    f'the quotation that begins "{shorten(text[start + 1 : start + 60], 60)}" does '
                    f"not close within {LONGEST:,} characters"
                )
                issues[Issue("UNCLOSED", told)] = None
        return passed_or(*issues)

    return AnswerChecker(id, check)


def _sources(given: Any, call: str) -> Callable[[OperationContext], Sequence[Any]]:
    if callable(given):
        return lambda context: _listed(given(context), call)
    fixed = _listed(given, call)
    return lambda _context: fixed


def _listed(given: Any, call: str) -> Sequence[Any]:
    if isinstance(given, Sequence) and not isinstance(given, str | bytes):
        return given
    raise AnswerFlowError(
        f"{call}({shown(given)}): give a list of texts, or a function of the context that gives "
        "one."
    )
