"""Records on disk and back: sinks that survive a kill, readers that trust nothing."""

from explainkit.store.append import FileSink
from explainkit.store.damage import Damage
from explainkit.store.folding import AnswerFold, Version
from explainkit.store.integrity import doctor
from explainkit.store.library import RunInfo, find, runs
from explainkit.store.naming import notes_path
from explainkit.store.notes import append_notes
from explainkit.store.problem import Problem
from explainkit.store.reader import Recording
from explainkit.store.saving import save
from explainkit.store.sinks import MemorySink
from explainkit.store.values import Values

__all__ = [
    "AnswerFold",
    "Damage",
    "FileSink",
    "MemorySink",
    "Problem",
    "Recording",
    "RunInfo",
    "Values",
    "Version",
    "append_notes",
    "doctor",
    "find",
    "notes_path",
    "runs",
    "save",
]
