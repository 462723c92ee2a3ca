"""A run told in plain sentences from its records alone, each with the records it is told from."""

from explainkit.view.story.composing import ToldStory, story_told
from explainkit.view.story.sentences import Sentence

__all__ = ["Sentence", "ToldStory", "story_told"]
