"""One runner for each item of the input, and their answers reduced to one."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from explainkit.errors import HandOffError, ResumeError
from explainkit.flow.compositions.branching import Branching
from explainkit.flow.compositions.checkpoints import stated
from explainkit.flow.compositions.children import as_child
from explainkit.flow.compositions.composed import State, input_places
from explainkit.flow.compositions.naming import shown
from explainkit.flow.outcomes import Outcome
from explainkit.tracing.current import Frame


class MapReduction(Branching):
    """A runner for each item and what reduces their answers; made by `map_reduce`."""

    kind: ClassVar[str] = "map-reduce"

    def __init__(
        self, label: str, each: Any, reduce: Any, on_exhausted: Callable[[Any], Any] | None
    ) -> None:
        merge = as_child(reduce, place=f"{label}(reduce=...)")
        super().__init__(label, on_exhausted, merge=merge)
        self._each = as_child(each, place=f"the runner of {label}")
        self._reduce_label = merge.label

    def _parts(self) -> Sequence[str]:
        return [self._each.label, self._reduce_label]

    def _joined(self, outcomes: dict[str, Outcome[Any]]) -> list[Any]:
        return list(super()._joined(outcomes).values())

    def _pointer(self, name: str) -> str:
        return f"/{int(name) - 1}"

    async def _work(self, frame: Frame, input: Any, state: State | None) -> Outcome[Any]:  # noqa: A002
        if state is None:
            if not isinstance(input, list | tuple):
                raise HandOffError(
                    f"{self.label} takes a list of items, and was given {shown(input)}. "
                    "Give a list or a tuple."
                )
            count = len(input)
        elif "merge" in state:
            count = 0
        else:
            count = len(stated(state, "branches", dict))
            if "input" not in state and any(
                "again" in dict(each) for each in state["branches"].values()
            ):
                raise ResumeError("The checkpoint is damaged: it holds no items to run again.")
        places = input_places(frame, input, None) if state is None else ()

        def given(name: str, whole: Any) -> tuple[Any, Sequence[dict[str, Any]]]:
            at = int(name) - 1
            return whole[at], [{**place, "path": f"/{at}"} for place in places]

        children = {str(number): self._each for number in range(1, count + 1)}
        return await self._branched(frame, input, state, children=children, given=given)
