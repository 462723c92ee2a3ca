"""Models: embedded ones that work offline and without a key, and clients of real servers."""

from explainkit.flow.models.anthropic_models import AnthropicModel
from explainkit.flow.models.calling import CallableModel
from explainkit.flow.models.embedded import EmbeddedModel
from explainkit.flow.models.offline_reader import ReadingModel
from explainkit.flow.models.openai_models import OpenAIModel
from explainkit.flow.models.prompts import as_messages, prompt_text
from explainkit.flow.models.protocols import Model, StreamingModel
from explainkit.flow.models.reading.directions import Order
from explainkit.flow.models.reading.reader import NO_QUESTION, NOT_SAID, Reading
from explainkit.flow.models.scripted import ScriptedModel
from explainkit.flow.models.vocabulary import (
    Chunk,
    Completion,
    Message,
    Prompt,
    ToolCall,
    ToolSpec,
    Usage,
)

__all__ = [
    "NOT_SAID",
    "NO_QUESTION",
    "AnthropicModel",
    "CallableModel",
    "Chunk",
    "Completion",
    "EmbeddedModel",
    "Message",
    "Model",
    "OpenAIModel",
    "Order",
    "Prompt",
    "Reading",
    "ReadingModel",
    "ScriptedModel",
    "StreamingModel",
    "ToolCall",
    "ToolSpec",
    "Usage",
    "as_messages",
    "prompt_text",
]
