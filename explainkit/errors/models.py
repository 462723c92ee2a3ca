"""Errors of prompts and of the embedded models."""

from explainkit.errors.family import ExplainkitError


class PromptError(ExplainkitError, TypeError):
    """A prompt is neither a text nor a list of chat messages."""


class ModelError(ExplainkitError, RuntimeError):
    """An embedded model cannot reply."""


class ScriptExhaustedError(ModelError):
    """A scripted model was asked more often than it has replies."""


class NoTextError(ModelError):
    """A text was asked for, and the model called a tool."""


class ModelWaitsError(ModelError):
    """The model awaits something, and it was called without `await`."""


class ReplyError(ModelError, TypeError):
    """What a function or a script gave is nothing that a model can reply."""
