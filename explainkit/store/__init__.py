"""Records on disk and back: sinks that survive a kill, readers that trust nothing."""

from explainkit.store.append import FileSink
from explainkit.store.damage import Damage
from explainkit.store.folding import AnswerFold, Version
from explainkit.store.reader import Recording
from explainkit.store.sinks import MemorySink
from explainkit.store.values import Values

__all__ = [
    "AnswerFold",
    "Damage",
    "FileSink",
    "MemorySink",
    "Recording",
    "Values",
    "Version",
]
