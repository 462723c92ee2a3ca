"""What one unit of code touches outside of its call: a link, or all that runs around the links."""

from collections import deque
from dataclasses import dataclass, field, replace
from types import BuiltinFunctionType

from explainkit.whatif.rerunning.surroundings import is_a
from explainkit.whatif.shared_state.name_uses import WRITERS, Use
from explainkit.whatif.shared_state.things import Key, Known


@dataclass(eq=False)
class Touched:
    """What a unit of code touches.

    Attributes:
        known: What is known of the run.
        is_link: It is a link: an object that is made in one call of it is seen by no other.
        reads: What it reads.
        writes: What it changes.
        begins: What it empties or makes anew.
        owned: Names of its own functions, which are others in each call.
        handed_on: What it gives to other code, which may change it.
        classes: Classes of which it may set attributes by name.
        changes_others: It changes something of which it is not known what it is.
        sets_parts: It sets attributes by name.
    """

    known: Known
    is_link: bool = False
    reads: set[Key] = field(default_factory=set)
    writes: set[Key] = field(default_factory=set)
    begins: set[Key] = field(default_factory=set)
    owned: set[Key] = field(default_factory=set)
    handed_on: set[Key] = field(default_factory=set)
    classes: set[Key] = field(default_factory=set)
    changes_others: bool = False
    sets_parts: bool = False

    @property
    def keys(self) -> set[Key]:
        """Everything that it touches."""
        return self.reads | self.writes

    def end(self) -> "Touched":
        """Settle it: what was handed on is changed where anything is changed."""
        if self.changes_others:
            self.writes |= self.handed_on
        if self.sets_parts:
            self.known.classes |= {str(each.owner) for each in self.classes}
            self.writes |= self.classes
        return self

    def note(self, key: Key, use: Use, *, holds_more: bool = False) -> None:
        """Keep what is done with something.

        Args:
            key: What.
            use: What is done.
            holds_more: What is read of it can be changed itself.
        """
        if use.reads:
            self.reads.add(key)
        if use.writes:
            self.writes.add(key)
        elif holds_more or use.escapes:
            self.handed_on.add(key)
        if use.begins:
            self.begins.add(key)

    def rebound(self, key: Key, use: Use) -> None:
        """Keep what is done with a name whose value tells itself what is done with it."""
        writes = use.rebinds and not use.parts
        begins = use.begins and writes
        self.note(key, replace(use, writes=writes, begins=begins, escapes=False))

    def named(self, key: Key, word: str, *, lasting: bool = False) -> Key:
        """A thing with what it is called.

        Args:
            key: The thing.
            word: What it is called in messages.
            lasting: It is there before a run, and after it.
        """
        self.known.words.setdefault(key, word)
        if lasting:
            self.known.lasting.add(key)
        return key

    def bound_method(self, fn: BuiltinFunctionType) -> None:
        """A method of a list or a table under another name, as in ``put = kept.append``."""
        whose, name = fn.__self__, fn.__name__
        if is_a(whose, list, dict, set, deque):
            key = Key("object", id(whose), "")
            changes = name in WRITERS
            use = Use("global", name, reads=not changes, writes=changes, begins=name == "clear")
            self.note(self.named(key, f"what {name} is of", lasting=True), use)
