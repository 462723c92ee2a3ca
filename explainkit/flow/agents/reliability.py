"""What becomes of a model call that fails, or should not be made: the first rule decides."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from inspect import isawaitable, isfunction
from typing import Any, Literal, TypeAlias

from explainkit.errors import AgentError
from explainkit.flow.agents.chat_messages import ChatMessage
from explainkit.flow.agents.fitting_functions import require_takes
from explainkit.flow.agents.foreign_words import words_of
from explainkit.flow.agents.step_records import Ledger
from explainkit.flow.checks import UNSET
from explainkit.flow.models import Completion, Model
from explainkit.flow.verdicts import ReliabilityFailFast
from explainkit.safety import shorten
from explainkit.safety.described import message_of, repr_of

Moment: TypeAlias = Literal["pre-check", "post-decide"]
_SHOWN = 500
_EITHER = "a function of the attempt, or types of errors"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A model call that is about to be made, or was made.

    Attributes:
        phase: Before the call, or after it.
        number: Which attempt at this reply, from 1.
        provider: Name of the model.
        calls: Calls of models in this run so far.
        messages: What the model is sent, a copy.
        error: What the model raised.
        completion: What the model gave.
    """

    phase: Moment
    number: int
    provider: str
    calls: int
    messages: tuple[ChatMessage, ...] = ()
    error: Exception | None = None
    completion: Completion | None = None


@dataclass(frozen=True, slots=True)
class GoOn:
    """As if there were no rules: a call is made, a reply taken, an error raised."""


@dataclass(frozen=True, slots=True)
class Retry:
    """Ask again, the same model or another one, a bounded number of times."""

    times: int = 1
    model: Model | None = None


@dataclass(frozen=True, slots=True)
class FallBack:
    """Take a value as the answer, or another model from now on."""

    value: Any = UNSET
    model: Model | None = None


@dataclass(frozen=True, slots=True)
class FailFast:
    """End the run on the verdict `reliability-fail-fast`."""

    kind: str
    reason: str = ""


Action: TypeAlias = GoOn | Retry | FallBack | FailFast


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; made by `before_call` and `after_call`.

    Attributes:
        phase: When it is asked.
        when: Whether it matches.
        then: What to do.
        name: Its name in the record.
    """

    phase: Moment
    when: Callable[[Attempt], Any]
    then: Action
    name: str


def go_on() -> GoOn:
    """Go on as if there were no rules; rules behind it are not asked."""
    return GoOn()


def retry(times: Any = 1, *, model: Model | None = None) -> Retry:
    """Ask again.

    Args:
        times: How often at most for one reply; then the rule matches no more.
        model: Another model to ask; the same one when not given.

    Raises:
        AgentError: The number is no number from 1 to 100, or the model is none.
    """
    if type(times) is not int or not 1 <= times <= 100:
        raise AgentError(f"retry(times={shorten(repr(times), 40)}): give a number from 1 to 100.")
    _require_model(model, "retry")
    return Retry(times, model)


def fall_back(value: Any = UNSET, *, model: Model | None = None) -> FallBack:
    """Take a value as the answer, or go on with another model.

    Args:
        value: The answer.
        model: The model for the rest of the run; each rule changes to it once.

    Raises:
        AgentError: Neither, both, or the model is none.
    """
    if (value is UNSET) == (model is None):
        raise AgentError("fall_back(...) takes a value or model=..., one of them.")
    _require_model(model, "fall_back")
    return FallBack(value, model)


def fail_fast(kind: str, reason: str = "") -> FailFast:
    """End the run at once.

    Args:
        kind: A word for what went wrong.
        reason: Why this ends the run.

    Raises:
        AgentError: One of them is no text.
    """
    for name, given in (("kind", kind), ("reason", reason)):
        if not isinstance(given, str):
            raise AgentError(f"fail_fast({name}={shorten(repr(given), 80)}): give a text.")
    return FailFast(kind, reason)


def before_call(when: Callable[[Attempt], Any], then: Action, *, name: str | None = None) -> Rule:
    """A rule that is asked before each call of a model (phase `pre-check`).

    Args:
        when: A function of the `Attempt`; true when the rule is to decide.
        then: `go_on()`, `fall_back(...)` or `fail_fast(...)`.
        name: Its name in the record; that of the function when not given.

    Raises:
        AgentError: `when` is no function of one argument, or nothing was called that could be
            tried again.
    """
    if isinstance(then, Retry):
        raise AgentError(
            "before_call(..., retry(...)): nothing was called that could be tried again. "
            "Use fall_back(model=...) to ask another model instead."
        )
    if isinstance(when, type):
        raise AgentError(
            f"before_call({_shown(when)}, ...): a rule needs a function of the attempt. Before a "
            "call there is no error yet; use after_call for types of errors."
        )
    return _rule("pre-check", when, then, name, wanted="a function of the attempt")


def after_call(
    when: Callable[[Attempt], Any] | type[Exception] | tuple[type[Exception], ...],
    then: Action,
    *,
    name: str | None = None,
) -> Rule:
    """A rule that is asked when a model replied or raised (phase `post-decide`).

    Args:
        when: A function of the `Attempt`, or types of errors. A cancellation is no error: no rule
            sees it.
        then: `go_on()`, `retry(...)`, `fall_back(...)` or `fail_fast(...)`.
        name: Its name in the record.

    Raises:
        AgentError: `when` is neither, or a function that does not take one argument.

    Example:
        >>> after_call(TimeoutError, retry(2)).name
        'TimeoutError'
    """
    kinds = (when,) if isinstance(when, type) else when
    if isinstance(kinds, tuple):
        if not kinds or not all(_is_error(each) for each in kinds):
            raise AgentError(
                f"after_call({_shown(when)}, ...): a rule needs {_EITHER}. A cancellation is no "
                "error, and is never tried again."
            )
        said = name or " or ".join(each.__name__ for each in kinds)
        return _rule("post-decide", lambda attempt: isinstance(attempt.error, kinds), then, said)
    return _rule("post-decide", when, then, name, wanted=_EITHER)


def _rule(phase: Moment, when: Any, then: Any, name: str | None, *, wanted: str = _EITHER) -> Rule:
    maker = "before_call" if phase == "pre-check" else "after_call"
    if not callable(when):
        raise AgentError(f"{maker}({_shown(when)}, ...): a rule needs {wanted}.")
    require_takes(when, "attempt", part=f"{maker}({_shown(when)}, ...)")
    if not isinstance(then, GoOn | Retry | FallBack | FailFast):
        raise AgentError(
            f"A rule cannot do {_shown(then)}. "
            "Give go_on(), retry(...), fall_back(...) or fail_fast(...)."
        )
    return Rule(phase, when, then, str(name or getattr(when, "__name__", "rule")))


def _shown(given: Any) -> str:
    named = isinstance(given, type) or isfunction(given)
    return given.__name__ if named else repr_of(given, limit=80).text


def _is_error(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Exception)


def _require_model(model: Any, what: str) -> None:
    if model is not None and not isinstance(model, Model):
        raise AgentError(
            f"{what}(model={shorten(repr(model), 80)}) needs an object with "
            "complete(prompt, tools=...)."
        )


@dataclass(slots=True)
class Rulebook:
    """The rules while one reply is fetched, with how often each was used."""

    rules: Sequence[Rule]
    ledger: Ledger
    switched: set[int] = field(default_factory=set)
    _used: Counter[int] = field(default_factory=Counter)

    def new_reply(self) -> None:
        """The next reply is fetched: retries count anew."""
        self._used.clear()

    def decide(self, attempt: Attempt) -> Action | None:
        """What the first rule that matches says; None when none does.

        Raises:
            Exception: What a rule's function raised; no rule decides then.
        """
        asked = [(n, rule) for n, rule in enumerate(self.rules) if rule.phase == attempt.phase]
        results: list[Any] = [None] * len(asked)
        chosen: Rule | None = None
        try:
            for place, (number, rule) in enumerate(asked):
                results[place] = self._matches(number, rule, attempt)
                if results[place] is True:
                    chosen = rule
                    self._count(number, rule)
                    return rule.then
        except Exception as error:
            results[place] = f"raised {type(error).__name__}"
            raise
        finally:
            if asked:
                names = [f"{rule.name}: {_word(rule.then)}" for _, rule in asked]
                said = None if chosen is None else names[results.index(True)]
                self.ledger.decided(names, results, said)
        return None

    def _matches(self, number: int, rule: Rule, attempt: Attempt) -> bool | str:
        found = rule.when(attempt)
        if isawaitable(found):
            if hasattr(found, "close"):
                found.close()
            raise AgentError(f'The rule "{rule.name}" awaits. A rule decides at once; use def.')
        return "used up" if found and self._used_up(number, rule) else bool(found)

    def _used_up(self, number: int, rule: Rule) -> bool:
        if isinstance(rule.then, Retry):
            return self._used[number] >= rule.then.times
        return isinstance(rule.then, FallBack) and number in self.switched

    def _count(self, number: int, rule: Rule) -> None:
        self._used[number] += 1
        if isinstance(rule.then, FallBack) and rule.then.model is not None:
            self.switched.add(number)


def _word(action: Action) -> str:
    words = {GoOn: "go on", Retry: "retry", FallBack: "fall back", FailFast: "fail fast"}
    another = isinstance(action, Retry | FallBack) and action.model is not None
    return words[type(action)] + (" on another model" if another else "")


def failed_fast(action: FailFast, attempt: Attempt) -> ReliabilityFailFast:
    """The verdict of a rule that ends the run."""
    error = attempt.error
    return ReliabilityFailFast(
        fail_kind=words_of(action.kind),
        phase=attempt.phase,
        attempt=attempt.number,
        provider=attempt.provider,
        error_kind=None if error is None else type(error).__name__,
        error_message=None if error is None else message_of(error, limit=_SHOWN).text,
        reason=words_of(action.reason),
    )
