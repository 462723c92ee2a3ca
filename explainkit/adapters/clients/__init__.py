"""Clients of model providers, recorded while code uses them directly."""

from explainkit.adapters.clients.instrumenting import instrument, uninstrument

__all__ = ["instrument", "uninstrument"]
