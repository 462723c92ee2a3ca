"""Which links run again because of what they share, and when a re-run shows less than it seems."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explainkit.safety import shorten
from explainkit.whatif.rerunning import Entry, Origin
from explainkit.whatif.shared_state.code_units import Unit, Units, units_of
from explainkit.whatif.shared_state.things import EVERY, Key
from explainkit.whatif.shared_state.touching import Touched

if TYPE_CHECKING:
    from explainkit.whatif.rerunning import Steered

_AROUND = "the code around the links"


@dataclass(frozen=True, slots=True)
class Lasting:
    """Something that one part of a run changes and another one reads, and that outlives the run.

    Attributes:
        word: What it is called.
        changed_by: Who changes it, in words.
        read_by: Who reads it, in words.
        around: Whether the code around the links changes it.
        around_keeps: Whether that code reads it as well.
        writers: The recorded links that change it.
        names: Their names.
        keepers: Name of the link that changes and reads it where no other one does: a cache?
        readers: Names of the links that read it.
    """

    word: str
    changed_by: str
    read_by: str
    around: bool
    around_keeps: bool
    writers: frozenset[int]
    names: frozenset[str]
    keepers: frozenset[str]
    readers: frozenset[str]

    def __str__(self) -> str:
        return (
            f"{self.word} may hold what the recorded run left in it ({self.changed_by} can change "
            f"it, and {self.read_by} reads it), so it may hide what the change does. Make or set "
            "it in the function that runs, or begin it anew there, as .clear() does; or give call= "
            "a function that does"
        )


@dataclass(frozen=True, slots=True)
class Group:
    """Links that share something with each other, or with the code around them.

    Attributes:
        links: The recorded links, with those that they lie in.
        unseen: Those that read something that they are not given.
        around: Whether the code around the links has a part in it.
        lasting: What outlives a run, and is not made anew by the run itself.
    """

    links: frozenset[int]
    unseen: frozenset[int]
    around: bool
    lasting: tuple[Lasting, ...]


@dataclass(frozen=True, slots=True)
class Ties:
    """What the links of a run share beside what they are given.

    Attributes:
        groups: Links that share something.
        one_by_one: Something outlives a run, so that two re-runs at once would disturb each other.
    """

    groups: tuple[Group, ...] = ()
    one_by_one: bool = False

    def after(self, first: int) -> "Ties":
        """What matters where everything before a record goes as it went.

        Args:
            first: The first record that is changed.
        """
        kept = tuple(g for g in self.groups if g.around or max(g.links, default=first) >= first)
        return Ties(kept, self.one_by_one)

    @property
    def forced(self) -> frozenset[int]:
        """Recorded links that are not reused: what they leave or find is on no record."""
        return frozenset().union(*(each.links for each in self.groups))

    @property
    def unseen(self) -> frozenset[int]:
        """Those of them that read something that they are not given."""
        return frozenset().union(*(each.unseen for each in self.groups))

    @property
    def lasting(self) -> tuple[Lasting, ...]:
        """What outlives a run, and is not made anew by the run itself."""
        return tuple(each for group in self.groups for each in group.lasting)

    @property
    def keepers(self) -> dict[str, str]:
        """Links that change and read the same, with what that is called."""
        return {name: each.word for each in self.lasting for name in each.keepers}

    @property
    def kept_around(self) -> str | None:
        """What the code around the links changes and reads; None without such."""
        return next((each.word for each in self.lasting if each.around_keeps), None)

    @property
    def readers(self) -> frozenset[str]:
        """Names of links that may give what an earlier re-run has left."""
        return frozenset().union(*(each.readers for each in self.lasting))

    @property
    def undeclared(self) -> str | None:
        """What may vary from one re-run to the next, although every link is declared otherwise."""
        first = next(iter(self.lasting), None)
        return None if first is None else f"{first.word}, which {first.changed_by} changes"

    def hidden(self, steered: "Steered") -> str | None:
        """Why an answer that stays the same shows nothing; None where it does.

        What the recorded run left is there in a re-run as well. Where the links that change it do
        what they did, it is what they leave; where the change keeps one of them from running, or
        gives it something else, the old may hide the new.

        Args:
            steered: What was done in a re-run with the change.
        """
        for each in self.lasting:
            if each.around or steered.dropped & each.writers:
                return str(each)
            for ran in steered.executed:
                is_other = ran.differs if ran.origin in each.writers else ran.origin is None
                if is_other and ran.name in each.names:
                    return str(each)
        return None


NO_TIES = Ties()


def ties_of(origin: Origin, entry: Entry, *, allow_effects: bool = False) -> Ties:
    """Find what the links of a run share.

    Args:
        origin: The run.
        entry: How it is called again.
        allow_effects: Effects run again.
    """
    units = units_of(origin, entry)
    shared = _shared([units.around, *(each.touched for each in units.each)])
    groups = [
        _group(origin, units, tied, keys, allow_effects=allow_effects)
        for tied, keys in _together(units, shared)
    ]
    groups.sort(key=lambda each: (sorted(each.links), [str(one) for one in each.lasting]))
    return Ties(tuple(groups), any(map(units.outlives, shared)))


def _shared(every: Sequence[Touched]) -> set[Key]:
    """What one changes and one reads, the attributes of an object that is handed on included."""
    names: dict[object, set[Key]] = {}
    for key in {key for each in every for key in each.keys}:
        if key.kind == "part":
            names.setdefault(key.owner, set()).add(key)
    for each in every:
        for keys in (each.reads, each.writes):
            whole = [names[key.owner] for key in keys if (key.kind, key.name) == ("part", EVERY)]
            keys.update(*whole)
    written = {key for each in every for key in each.writes}
    touching = Counter(key for each in every for key in each.keys)
    owning = Counter(key for each in every for key in each.owned)
    own = {key for key, count in owning.items() if count == touching[key]}
    return written.intersection(key for each in every for key in each.reads) - own


def _together(units: Units, shared: set[Key]) -> list[tuple[list[Unit], set[Key]]]:
    """Units that share something, directly or by way of others, with what they share."""
    above: dict[Key, Key] = {key: key for key in shared}

    def top(key: Key) -> Key:
        while above[key] != key:
            above[key] = above[above[key]]
            key = above[key]
        return key

    for touched in [*(each.touched for each in units.each), units.around]:
        mine = list(touched.keys & shared)
        for other in mine[1:]:
            above[top(other)] = top(mine[0])
    found: dict[Key, tuple[list[Unit], set[Key]]] = {}
    for key in shared:
        found.setdefault(top(key), ([], set()))[1].add(key)
    for unit in units.each:
        some = next(iter(unit.touched.keys & shared), None)
        if some is not None:
            found[top(some)][0].append(unit)
    return list(found.values())


def _group(
    origin: Origin,
    units: Units,
    tied: Sequence[Unit],
    keys: set[Key],
    *,
    allow_effects: bool,
) -> Group:
    links = _links(tied)
    if not allow_effects:
        links -= {seq for seq in links if origin.recorded.points[seq].type == "effect"}
    outer = {at for seq in links for at in origin.recorded.around(seq)}
    unseen = links & _links(each for each in tied if each.touched.reads & keys)
    lasting = {key for key in keys if units.outlives(key)} - units.around.begins
    around = bool(units.around.keys & keys)
    told = (_lasting(units, tied, same) for same in _by_word(units, lasting))
    return Group(frozenset(links | outer), frozenset(unseen), around, tuple(told))


def _links(units: Iterable[Unit]) -> set[int]:
    return {link.seq for each in units for link in each.links}


def _by_word(units: Units, lasting: set[Key]) -> list[set[Key]]:
    """Things of one name together."""
    found: dict[str, set[Key]] = {}
    for key in lasting:
        found.setdefault(units.known.words[key], set()).add(key)
    return [found[word] for word in sorted(found)]


def _lasting(units: Units, tied: Sequence[Unit], keys: set[Key]) -> Lasting:
    writers = [each for each in tied if each.touched.writes & keys]
    readers = [each for each in tied if each.touched.reads & keys]
    around, reads = bool(units.around.writes & keys), bool(units.around.reads & keys)
    return Lasting(
        units.known.words[next(iter(keys))],
        _who(writers, around=around),
        _who(readers, around=reads),
        around,
        around and reads,
        frozenset(_links(writers)),
        frozenset(each.name for each in writers),
        frozenset(each.name for each in writers if readers == writers == [each]),
        frozenset(each.name for each in readers),
    )


def _who(units: Sequence[Unit], *, around: bool) -> str:
    if not units:
        return _AROUND
    named = shorten(repr(units[0].name), 60)
    return f"{named} (and {_AROUND})" if around else named
