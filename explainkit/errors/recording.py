"""Errors of recording calls, so that misuse is told at once."""

from explainkit.errors.family import ExplainkitError


class TracingError(ExplainkitError, RuntimeError):
    """A tracing call was misused."""


class NoRunError(TracingError):
    """A recording call outside a run."""


class NoAnswerError(TracingError):
    """An override or a verdict on an answer version that does not exist."""


class TemplateError(ExplainkitError, ValueError):
    """A template and its values do not fit."""


class WeakSecretError(ExplainkitError, ValueError):
    """A secret is too short to be looked for without hiding ordinary text."""
