"""From what a user asked to change to what happens at each recorded point, refused early."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from explainkit.errors import InterventionError
from explainkit.safety import shorten
from explainkit.safety.decoding import Opaque
from explainkit.safety.encoding import encode
from explainkit.whatif.varying.editing_arguments import edit_arguments, one_link, settle_given
from explainkit.whatif.varying.edits import Edit, Part, own_copy, removed, reordered, replaced
from explainkit.whatif.varying.given_parts import GivenPlace, value_given
from explainkit.whatif.varying.gone import Gone, gone_with, texts_in
from explainkit.whatif.varying.item_names import moved_items
from explainkit.whatif.varying.known_values import require_known, require_rebuilt
from explainkit.whatif.varying.landing import Landing, is_of_agent, landing_of, order_landing
from explainkit.whatif.varying.named_numbers import number_of
from explainkit.whatif.varying.nothing_left import refuse_everything
from explainkit.whatif.varying.pointed_parts import Target
from explainkit.whatif.varying.recorded_points import RecordedPoint, RecordedPoints
from explainkit.whatif.varying.requests import Intervention
from explainkit.whatif.varying.targets import targets_of

if TYPE_CHECKING:
    from explainkit.store import Recording


@dataclass(frozen=True, slots=True)
class Change:
    """What happens at one recorded point.

    Attributes:
        seq: The point.
        edit: From the value as it comes to the value that is used; it raises `LookupError` when
            what it changes is not there.
        said: The change in words.
    """

    seq: int
    edit: Edit
    said: str


@dataclass(frozen=True)
class Plan:
    """Everything that a what-if changes.

    Attributes:
        changes: By point; several of one point in the order of their places in it.
        held: Overrides that are held off.
        inputs: What is changed of what goes into links and templates.
        admitted: Pieces of Agents that are let in although they stayed outside.
        gone: Texts that must not reach a model any more.
        come: Texts that must reach one.
        told: The interventions as JSON, for the record.
        said: The interventions in words.
        asked: The interventions as they were asked for.
        given: New arguments of the run itself, by name.
        reshaped: Changes of parts of its arguments, by name.
        question: What is asked instead, where one of these was the question.
        stand_ins: Links that give what they gave, so that they need not run again beside a change.
    """

    changes: Mapping[int, tuple[Change, ...]] = field(default_factory=dict)
    held: frozenset[int] = frozenset()
    inputs: tuple[Landing, ...] = ()
    admitted: frozenset[int] = frozenset()
    gone: tuple[Gone, ...] = ()
    come: tuple[str, ...] = ()
    told: tuple[dict[str, Any], ...] = ()
    said: tuple[str, ...] = ()
    asked: tuple[Intervention, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    reshaped: Mapping[str, tuple[Change, ...]] = field(default_factory=dict)
    question: str | None = None
    stand_ins: frozenset[int] = frozenset()

    @property
    def touched(self) -> frozenset[int]:
        """Every point that is changed."""
        given = {each.seq for each in self.inputs}
        return frozenset(self.changes) | self.held | self.admitted | given

    @property
    def first(self) -> int:
        """The first record that is changed; before it everything goes as it went."""
        from_the_start = self.given or self.reshaped or self.admitted
        return 0 if from_the_start else min(self.touched, default=0)


@dataclass
class Draft:
    """A plan while it is made."""

    recording: "Recording"
    recorded: RecordedPoints
    changes: dict[int, list[tuple[Part, Change]]] = field(default_factory=dict)
    held: set[int] = field(default_factory=set)
    inputs: list[Landing] = field(default_factory=list)
    admitted: set[int] = field(default_factory=set)
    gone: list[Gone] = field(default_factory=list)
    come: list[str] = field(default_factory=list)
    told: list[dict[str, Any]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    given: dict[str, Any] = field(default_factory=dict)
    reshaped: dict[str, list[tuple[Part, Change]]] = field(default_factory=dict)
    question: str | None = None
    stand_ins: set[int] = field(default_factory=set)

    def change(self, target: Target, edit: Edit, said: str) -> None:
        """Add a change of a point; two that touch the same characters collide.

        Raises:
            InterventionError: They do, or the edit cannot be made on what was recorded.
        """
        if target.slot is None:
            made = self.changes.setdefault(target.seq, [])
        else:
            made = self.reshaped.setdefault(target.slot, [])
        for part, other in made:
            if part.overlaps(target.part):
                raise InterventionError(
                    f"Two changes collide: {other.said!r:.80} and {said!r:.80} touch the same "
                    "place. Ask for one of them."
                )
        self.probe(target, edit)
        made.append((target.part, Change(target.seq, edit, said)))

    def probe(self, target: Target, edit: Edit) -> None:
        """Make the edit once on the recorded value, so that a wrong one is refused at once."""
        value = self.value_of(target)
        if isinstance(value, Opaque):
            return  # the live value may still take it
        try:
            changed = edit(value)
        except InterventionError as error:
            raise InterventionError(f"{shorten(target.name, 60)}: {error}") from error
        except LookupError as error:
            raise InterventionError(
                f"{target.words} is not in {target.name!r:.60} as it was recorded."
            ) from error
        if self._is_link(target):
            require_rebuilt(target.name, changed)

    def require_known(self, target: Target, verb: str) -> None:
        """Refuse an object of which it is known beforehand that it cannot be changed so."""
        require_known(target, self.value_of(target), verb, is_link=self._is_link(target))

    def _is_link(self, target: Target) -> bool:
        point = self.recorded.points.get(target.seq)
        return target.slot is None and point is not None and point.kind == "link"

    def edited(self, target: Target, edit: Edit) -> tuple[Any, Any]:
        """The recorded value of a point, as it was and as an edit leaves it."""
        value = self.value_of(target)
        return value, (None if isinstance(value, Opaque) else edit(value))

    def value_of(self, target: Target) -> Any:
        """The recorded value that a target is a part of."""
        if target.slot is None:
            return self.value(target.seq)
        place = GivenPlace(target.seq, target.slot)
        held = value_given(self.recording, self.recorded, place)
        return None if held is None else held.value

    def value(self, seq: int) -> Any:
        """The recorded value of a point."""
        point = self.recorded.points.get(seq) or self.recorded.left_out[seq]
        return None if point.value is None else self.recording.values.object(point.value)


def plan_of(
    recording: "Recording",
    recorded: RecordedPoints,
    asked: Sequence[Intervention],
    *,
    may_take_all: bool = False,
) -> Plan:
    """Work out what to do at which point.

    Args:
        recording: The run that is varied.
        recorded: Its points.
        asked: The interventions.
        may_take_all: Let them take every context away, as the first step of a search does.

    Raises:
        InterventionError: One names nothing, or something that cannot be changed so; two collide;
            or together they take every context away.
        UnknownRecordError: A name or number is not in the run.
    """
    draft = Draft(recording, recorded)
    for each in asked:
        _VERBS[each.verb](draft, each)
    _refuse_edited_results(draft)
    settle_given(draft)
    if not may_take_all:
        refuse_everything(draft)
    return Plan(
        {seq: _in_place_order(made) for seq, made in sorted(draft.changes.items())},
        frozenset(draft.held),
        tuple(draft.inputs),
        frozenset(draft.admitted),
        tuple(dict.fromkeys(each for each in draft.gone if each.text.strip())),
        tuple(dict.fromkeys(text for text in draft.come if text.strip())),
        tuple(draft.told),
        tuple(draft.said),
        tuple(asked),
        draft.given,
        {slot: _in_place_order(made) for slot, made in draft.reshaped.items()},
        draft.question,
        frozenset(draft.stand_ins),
    )


def _in_place_order(made: list[tuple[Part, Change]]) -> tuple[Change, ...]:
    return tuple(change for _, change in sorted(made, key=lambda each: each[0].place))


def _remove(draft: Draft, asked: Intervention) -> None:
    for target in targets_of(draft.recording, draft.recorded, asked.target):
        said = f"remove {target.words}"
        try:
            draft.require_known(target, "remove")
            edit = _removal(draft, target)
            draft.change(target, edit, said)
        except InterventionError as error:
            raise InterventionError(f"{error}{_or_its_place(asked.target)}") from error
        draft.gone += gone_with(target, draft.edited(target, edit), _kind(draft, target))
        draft.said.append(said)
        draft.told.append({"verb": "remove", **target.told})


def _or_its_place(named: Any) -> str:
    """Of a context out of a walk a part can be taken away where the whole cannot."""
    has_part = any(getattr(each, "path", "") for each in getattr(named, "places", ())[:1])
    return " Or take away what the walk found in it: remove=context.places[0]." if has_part else ""


def _removal(draft: Draft, target: Target) -> Edit:
    """How a target is taken away; a tool that is not described is not offered."""
    if target.is_number:
        raise InterventionError(
            f"{target.words} is a number and cannot be missing. Use replace= and say which one "
            "shall stand there."
        )
    whole = not target.part.path and target.part.start is None and target.slot is None
    if whole and draft.recorded.points[target.seq].type == "tool description":
        return lambda value: type(value)()
    return removed(target.part)


def _replace(draft: Draft, asked: Intervention) -> None:
    for target in targets_of(draft.recording, draft.recorded, asked.target):
        said = f"replace {target.words} by {shorten(repr(asked.value), 60)}"
        written = number_of(asked.value) if target.is_number and type(asked.value) is str else None
        edit = replaced(target.part, asked.value if written is None else written)
        draft.change(target, edit, said)
        draft.gone += gone_with(target, draft.edited(target, edit), _kind(draft, target))
        draft.said.append(said)
        draft.told.append({"verb": "replace", **target.told, "by": shorten(repr(asked.value), 200)})


def _reorder(draft: Draft, asked: Intervention) -> None:
    if asked.value is None:
        landing = order_landing(draft.recording, draft.recorded, asked.target)
        draft.inputs.append(landing)
        draft.said.append(landing.said)
        draft.told.append({"verb": "reorder", "names": [str(name) for name in asked.target]})
        return
    for target in targets_of(draft.recording, draft.recorded, asked.target):
        order = list(asked.value)
        is_order = all(type(each) is int for each in order)
        said = f"reorder {target.words}: {moved_items(order) if is_order else order}"
        draft.require_known(target, "reorder")
        draft.change(target, reordered(target.part, asked.value), said)
        draft.said.append(said)
        draft.told.append({"verb": "reorder", **target.told, "order": list(asked.value)})


def _swap(draft: Draft, asked: Intervention) -> None:
    (target,) = one_link(draft, asked)
    said = f"swap the result of {target.words} for {shorten(repr(asked.value), 60)}"
    value = asked.value
    draft.change(target, lambda _: own_copy(value), said)
    if encode(value).data == encode(draft.value(target.seq)).data:
        draft.stand_ins.add(target.seq)
    draft.said.append(said)
    draft.told.append({"verb": "swap", **target.told, "by": shorten(repr(value), 200)})


def _hold(draft: Draft, asked: Intervention) -> None:
    points = draft.recorded.points.values()
    overrides = [point for point in points if point.kind == "override"]
    found = [point for point in overrides if asked.target in (point.seq, point.name)]
    if not found:
        names = ", ".join(dict.fromkeys(repr(point.name) for point in overrides)) or "none"
        raise InterventionError(
            f"No override by {asked.target!r:.60} is in the run. Overrides were made by: {names}."
        )
    for point in found:
        _require_holdable(draft, point)
        draft.held.add(point.seq)
        draft.said.append(f"hold off the override by {point.name}")
        draft.told.append({"verb": "hold", "seq": point.seq, "by": point.name})


def _require_holdable(draft: Draft, point: RecordedPoint) -> None:
    """Refuse an answer of a chart: what an Agent reads of its pick is settled inside of it.

    Raises:
        InterventionError: It is one.
    """
    maker = None if point.parent is None else draft.recorded.points.get(point.parent)
    if maker is not None and maker.type == "machine":
        raise InterventionError(
            f"{point.name!r:.60} is an answer(...) of the chart of {maker.name!r:.60}, which a "
            "re-run cannot hold off. Change what it is made of with replace= or swap=, or run a "
            "chart without it and compare the two with ek.diff."
        )


def _restore(draft: Draft, asked: Intervention) -> None:
    left = draft.recorded.left_out.values()
    found = [point for point in left if asked.target in (point.seq, point.name)]
    found = found or [point for point in left if getattr(asked.target, "seq", None) == point.seq]
    if not found:
        names = ", ".join(dict.fromkeys(repr(point.name) for point in left)) or "nothing"
        raise InterventionError(
            f"{asked.target!r:.60} was not left out of the run. Left out: {names}."
        )
    for point in found:
        _put_back(draft, point, asked.value)


def _put_back(draft: Draft, point: RecordedPoint, where: Any) -> None:
    value = draft.value(point.seq)
    if isinstance(value, Opaque) or point.value is None:
        raise InterventionError(
            f"{point.name!r:.60} was not recorded whole, so it cannot come back."
        )
    same = [
        each.seq
        for each in draft.recorded.points.values()
        if each.kind == "context" and each.name == point.name
    ]
    if same and where is None:
        said = f"restore the whole of {point.name}"
        draft.change(Target(same[-1], Part(), point.name, value), lambda _: value, said)
    elif is_of_agent(draft.recorded, point):
        said = f"let {point.name} into the Agent"
        draft.admitted.add(point.seq)
    else:
        landing = landing_of(draft.recording, draft.recorded, point, value, where=where)
        said = landing.said
        if landing.kind == "link" and landing.result:
            target = Target(landing.seq, Part(f"/+{point.seq}"), landing.name, value)
            draft.probe(target, landing.edit)
            draft.changes.setdefault(landing.seq, []).append(
                (target.part, Change(landing.seq, landing.edit, said))
            )
        else:
            draft.inputs.append(landing)
    draft.come += texts_in(value)
    draft.said.append(said)
    at = {} if where is None else {"at": str(where)}
    draft.told.append({"verb": "restore", "seq": point.seq, "name": point.name, **at})


def _kind(draft: Draft, target: Target) -> str:
    return "argument" if target.slot is not None else draft.recorded.points[target.seq].kind


def _refuse_edited_results(draft: Draft) -> None:
    """New arguments of a call whose result is given anyway would show nothing."""
    for landing in draft.inputs:
        if landing.kind == "link" and landing.seq in draft.changes:
            other = draft.changes[landing.seq][0][1]
            raise InterventionError(
                f"Two changes collide: {other.said!r:.80} and {landing.said!r:.80} touch the same "
                "call. Ask for one of them."
            )


_VERBS: dict[str, Callable[[Draft, Intervention], None]] = {
    "remove": _remove,
    "replace": _replace,
    "restore": _restore,
    "reorder": _reorder,
    "edit": edit_arguments,
    "swap": _swap,
    "hold": _hold,
}
