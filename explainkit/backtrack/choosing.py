"""What a model chose among, and which words of its prompt are those of a description."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explainkit.errors import UnknownRecordError
from explainkit.text.likeness import Pair, is_alike, pair_of, words_of

if TYPE_CHECKING:
    from explainkit.store import Recording

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Option:
    """A tool or an event that was offered.

    Attributes:
        name: Its name.
        description: What the model was told of it.
        parameters: Names of its arguments.
        seq: The context that holds its description; None when it is no context.
    """

    name: str
    description: str
    parameters: tuple[str, ...] = ()
    seq: int | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The words that it is described with, its name and arguments among them."""
        return words_of(" ".join((self.name, self.description, *self.parameters)))


@dataclass(frozen=True, slots=True)
class Favour:
    """A word of the prompt that stands in the description of what was chosen.

    Attributes:
        word: The word, folded.
        sources: Contexts, else messages, that hold it.
        only: Whether no other option has it in its description.
    """

    word: str
    sources: tuple[str, ...]
    only: bool


@dataclass(frozen=True, slots=True)
class Chosen:
    """One choice of a model.

    Attributes:
        link: The model link.
        name: What was chosen.
        offered: What was offered, in order.
        twins: Options whose descriptions are like that of the chosen one, the most alike first.
        favoured_by: Words of the prompt that are those of the chosen option, the telling ones
            first. A proxy: that they decided is not shown.
        words: For each option, how many of its words stand in the prompt.
    """

    link: int
    name: str
    offered: tuple[Option, ...]
    twins: tuple[Pair, ...]
    favoured_by: tuple[Favour, ...]
    words: Mapping[str, int]

    @property
    def option(self) -> Option | None:
        """The chosen option; None when it was not offered."""
        return next((each for each in self.offered if each.name == self.name), None)


def choice_of(recording: "Recording", link: int | None = None) -> Chosen:
    """A choice, from the records alone.

    Args:
        recording: The run.
        link: The link of a tool call, the event of a pick, or the model's link; the last choice
            of the run when not given.

    Raises:
        UnknownRecordError: No model chose there.
    """
    model, name = _where(recording, link)
    row = recording.raw(model)
    offered = tuple(_offered(recording, row))
    read = [each for each in row.get("inputs") or () if each.get("slot") != "tools"]
    sources = _sources(recording, row, read)
    option = next((each for each in offered if each.name == name), Option(name, ""))
    others = [each for each in offered if each.name != name]
    pairs = [
        pair_of((name, words_of(option.description)), (each.name, words_of(each.description)))
        for each in others
    ]
    alike = sorted((each for each in pairs if is_alike(each)), key=lambda each: -each.share)
    told = frozenset(word for _, words in sources for word in words)
    return Chosen(
        model,
        name,
        offered,
        tuple(alike),
        _favours(option, others, sources),
        {each.name: len(told.intersection(each.words)) for each in offered},
    )


def _favours(
    option: Option, others: Sequence[Option], sources: Sequence[tuple[str, frozenset[str]]]
) -> tuple[Favour, ...]:
    theirs = frozenset(word for each in others for word in each.words)
    found = []
    for word in option.words:
        holders = tuple(label for label, words in sources if word in words)
        if holders:
            found.append(Favour(word, holders, only=word not in theirs))
    return tuple(sorted(found, key=lambda each: not each.only))


def _where(recording: "Recording", link: int | None) -> tuple[int, str]:
    """The model link, and the name that it chose."""
    if link is None:
        chosen = [(model, names[-1]) for model, _, names in _choices(recording) if names]
        if chosen:
            return chosen[-1]
        raise UnknownRecordError(
            f"In the run {recording.name!r:.60} no model called a tool or picked an event."
        )
    row = recording.raw(link)
    for model, closed, names in _choices(recording):
        if not names:
            continue
        if link == model:
            return model, names[-1]
        if row.get("name") in names and closed in _points_at(recording, row):
            return model, str(row["name"])
    raise UnknownRecordError(
        f"Record {link} is no choice of a model that is on record. Give the link of a tool call, "
        "the event of a pick, or the model's link."
    )


def _choices(recording: "Recording") -> Iterator[tuple[int, int, list[str]]]:
    """Every model link with the record that closed it and the names that it called."""
    models = {row["seq"] for row in recording.rows("link_opened") if row.get("type") == "model"}
    for row in recording.rows("link_closed"):
        if row.get("link") in models and row.get("output") is not None:
            said = recording.values.object(row["output"])
            yield row["link"], row["seq"], [*_called(said)]


def _points_at(recording: "Recording", row: Row) -> set[int]:
    """The records that a tool call or a pick came from."""
    places = [*(row.get("uses") or ())]
    for each in row.get("inputs") or ():
        places += each.get("from") or ()
    found = {int(each["seq"]) for each in places if isinstance(each.get("seq"), int)}
    return found or _by_call_id(recording, row)


def _by_call_id(recording: "Recording", row: Row) -> set[int]:
    """A call without arguments names its reply by the id of the call."""
    ends = recording.rows("link_closed")
    end: Row = next((each for each in ends if each.get("link") == row["seq"]), {})
    wanted = (end.get("attrs") or {}).get("call")
    found = set()
    for closed in recording.rows("link_closed"):
        if wanted is None or closed["seq"] > row["seq"] or closed.get("output") is None:
            continue
        said = recording.values.object(closed["output"])
        calls = said.get("tool_calls") if isinstance(said, Mapping) else None
        if any(isinstance(each, Mapping) and each.get("id") == wanted for each in calls or ()):
            found.add(int(closed["seq"]))
    return {max(found)} if found else set()


def _called(said: Any) -> Iterator[str]:
    calls = said.get("tool_calls") if isinstance(said, Mapping) else None
    for each in calls if isinstance(calls, list | tuple) else ():
        spec = _spec(each)
        if spec is not None:
            yield str(spec["name"])


def _offered(recording: "Recording", row: Row) -> Iterator[Option]:
    """What a model link was offered, each with the context that describes it."""
    inputs = [each for each in row.get("inputs") or () if each.get("slot") == "tools"]
    told = recording.values.object(inputs[0]["value"]) if inputs else ()
    held = {
        str(each.get("name")): each["seq"]
        for each in recording.rows("context")
        if each.get("slot") == "tools" and each["seq"] < row["seq"]
    }
    for each in told if isinstance(told, list | tuple) else ():
        spec = _spec(each)
        if spec is not None:
            name, schema = str(spec["name"]), spec.get("parameters")
            fields = schema.get("properties") if isinstance(schema, Mapping) else None
            names = tuple(map(str, fields)) if isinstance(fields, Mapping) else ()
            seq = held.get(f"tool {name}", held.get(name))
            yield Option(name, str(spec.get("description") or ""), names, seq)


def _spec(given: Any) -> Row | None:
    """A tool or a call, in our form or in that of a provider."""
    if not isinstance(given, Mapping):
        return None
    inner = given.get("function")
    spec = inner if isinstance(inner, Mapping) else given
    return spec if spec.get("name") is not None else None


def _sources(
    recording: "Recording", row: Row, read: Sequence[Row]
) -> list[tuple[str, frozenset[str]]]:
    """What the model read besides the tools: messages, named by the contexts that hold them."""
    found: list[tuple[str, str]] = []
    for each in read:
        value = recording.values.object(each["value"])
        listed = value if isinstance(value, list | tuple) else [value]
        for at, one in enumerate(listed):
            if isinstance(one, Mapping) and "role" in one:
                if one["role"] != "assistant":
                    found.append((f"{one['role']} message {at}", str(one.get("content") or "")))
            else:
                found.append((str(each.get("slot")), one if isinstance(one, str) else repr(one)))
    contexts = [
        (f"context {each.get('name')}", recording.values.shown(each["value"]))
        for each in recording.rows("context")
        if each["seq"] < row["seq"]
        and each.get("slot") != "tools"
        and each.get("admitted") is not False
        and each.get("value")
    ]
    everything = "\n".join(text for _, text in found)
    landed = [(label, text) for label, text in contexts if text and text in everything]
    rest = [(label, _without(text, [each for _, each in landed])) for label, text in found]
    return [(label, frozenset(words_of(text))) for label, text in (*landed, *rest) if text.strip()]


def _without(text: str, parts: Sequence[str]) -> str:
    """A message without the contexts in it, which are named by themselves."""
    for each in parts:
        text = text.replace(each, " ")
    return text
