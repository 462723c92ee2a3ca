"""Runs that other tools recorded, opened as if explainkit had recorded them."""

from explainkit.adapters.detection import FORMATS, detect
from explainkit.adapters.foreign import Foreign, open_foreign
from explainkit.adapters.importing import Imported
from explainkit.adapters.reader import Reader
from explainkit.adapters.reports import ImportReport, Skipped

__all__ = [
    "FORMATS",
    "Foreign",
    "ImportReport",
    "Imported",
    "Reader",
    "Skipped",
    "detect",
    "open_foreign",
]
