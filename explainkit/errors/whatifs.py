"""Errors of what-ifs: what cannot be changed, and what cannot be run again."""

from explainkit.errors.family import ExplainkitError


class InterventionError(ExplainkitError, ValueError):
    """A what-if cannot change what it was asked to change; the message says what to name."""


class RerunError(ExplainkitError, RuntimeError):
    """A recorded run cannot be run again; the message says what to give."""
