"""Capture in the kernel: links, context, assembled prompts, answers and overrides."""

from explainkit.tracing.answers import answer, override
from explainkit.tracing.assembling import assemble
from explainkit.tracing.links import link
from explainkit.tracing.points import context, event, left_out
from explainkit.tracing.recorder import Recorder

__all__ = ["Recorder", "answer", "assemble", "context", "event", "left_out", "link", "override"]
