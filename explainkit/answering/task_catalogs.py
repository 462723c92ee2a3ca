"""Tasks: each ties an input, a source, an output and checks together, by references that hold."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from pydantic.dataclasses import dataclass as checked_dataclass

from explainkit.answering.check_catalogs import AnswerCheckCatalog
from explainkit.answering.entries import Catalog, Name, entries_of, listed, shown
from explainkit.answering.input_schemas import parser_of
from explainkit.answering.output_catalogs import OutputCatalog
from explainkit.answering.reader_catalogs import AnswerReader, AnswerReaderCatalog
from explainkit.errors import AnswerFlowError, AnswerPortError
from explainkit.flow.checks import OperationContext
from explainkit.flow.compositions.worker_threads import can_be_awaited
from explainkit.safety import shorten


@checked_dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTask:
    """One kind of question that can be answered.

    Attributes:
        id: Its name, unique in a catalog.
        description: What it answers, in words.
        reader_id: The reader of its source.
        output_id: What its answer is delivered as.
        input_schema: What it takes: a pydantic model or type, a JSON Schema, or an object with
            `parse`.
        goal_ids: The goals that it serves, in words of your own.
        check_ids: The checks of its answer, in order.
        metadata: Anything else.
    """

    id: Name
    description: str
    reader_id: Name
    output_id: Name
    input_schema: Any
    goal_ids: tuple[str, ...] = ()
    check_ids: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


class AnswerTaskCatalog(Catalog[AnswerTask]):
    """Tasks by id; made by `define_answer_task_catalog`."""

    def __init__(self, tasks: Iterable[AnswerTask], readers: AnswerReaderCatalog) -> None:
        super().__init__("task", tasks)
        self._readers = readers
        self._parsers = {
            task.id: parser_of(task.input_schema, place=f'Task "{shorten(task.id, 80)}"')
            for task in self
        }

    def read(self, *, task_id: str, input: Any, context: OperationContext | None = None) -> Any:  # noqa: A002
        """Read the source of a task with a reader that does not await.

        Args:
            task_id: The task.
            input: What it is asked; the reader is given what its schema makes of it.
            context: What the reader is given beside; one is made when not given.

        Returns:
            What the reader gives.

        Raises:
            UnknownRecordError: There is no such task.
            PayloadError: The input does not fit the task's schema.
            AnswerPortError: The reader is async.
        """
        task, reader = self._found(task_id)
        found = reader.read(self._parsers[task.id](input), context or OperationContext())
        if can_be_awaited(found):
            if hasattr(found, "close"):
                found.close()
            raise _waits(task, reader)
        return found

    async def read_async(
        self,
        *,
        task_id: str,
        input: Any,  # noqa: A002
        context: OperationContext | None = None,
    ) -> Any:
        """Read the source of a task, whether its reader awaits or not.

        Args:
            task_id: The task.
            input: What it is asked; the reader is given what its schema makes of it.
            context: What the reader is given beside; one is made when not given.

        Returns:
            What the reader gives.

        Raises:
            UnknownRecordError: There is no such task.
            PayloadError: The input does not fit the task's schema.
        """
        task, reader = self._found(task_id)
        found = reader.read(self._parsers[task.id](input), context or OperationContext())
        return await found if can_be_awaited(found) else found

    def _found(self, task_id: str) -> tuple[AnswerTask, AnswerReader]:
        task = self.require(task_id)
        return task, self._readers.require(task.reader_id)


def define_answer_task_catalog(
    tasks: Iterable[AnswerTask | Mapping[str, Any]],
    *,
    readers: AnswerReaderCatalog,
    checks: AnswerCheckCatalog,
    outputs: OutputCatalog,
) -> AnswerTaskCatalog:
    """Build a catalog of tasks whose references all hold.

    Args:
        tasks: Tasks, or mappings of the same fields.
        readers: What `reader_id` refers to.
        checks: What `check_ids` refer to.
        outputs: What `output_id` refers to.

    Raises:
        AnswerFlowError: Two have one id, one is no task, its schema is none, or it refers to what
            is not there; one message names task, field and missing id of every such reference.

    Example:
        >>> from explainkit.answering import (
        ...     define_answer_check_catalog, define_answer_reader_catalog, define_output_catalog)
        >>> tasks = define_answer_task_catalog(
        ...     [{"id": "explain", "description": "Explains a word.", "reader_id": "manual",
        ...       "output_id": "reply", "input_schema": str}],
        ...     readers=define_answer_reader_catalog(
        ...         [{"id": "manual", "read": lambda input, context: f"{input}: a share."}]),
        ...     checks=define_answer_check_catalog([]),
        ...     outputs=define_output_catalog([{"id": "reply", "kind": "text", "fields": []}]))
        >>> tasks.read(task_id="explain", input="fare")
        'fare: a share.'
    """
    given = {"readers": readers, "checks": checks, "outputs": outputs}
    for name, catalog in given.items():
        if not isinstance(catalog, Catalog):
            raise AnswerFlowError(f"{name}={shown(catalog)} is no catalog. Define one first.")
    made = entries_of(AnswerTask, "task", tasks)
    missing = [each for task in made for each in _missing(task, readers, checks, outputs)]
    if missing:
        raise AnswerFlowError(shorten("; ".join(missing), 1000))
    return AnswerTaskCatalog(made, readers)


def _missing(
    task: AnswerTask,
    readers: AnswerReaderCatalog,
    checks: AnswerCheckCatalog,
    outputs: OutputCatalog,
) -> Iterator[str]:
    references: list[tuple[str, str, Catalog[Any]]] = [
        ("reader_id", task.reader_id, readers),
        ("output_id", task.output_id, outputs),
        *(("check_ids", each, checks) for each in task.check_ids),
    ]
    for name, wanted, catalog in references:
        if wanted not in catalog:
            yield (
                f'Task "{shorten(task.id, 80)}", {name}: there is no {shown(wanted)}. '
                f"Known are: {listed(catalog.ids) or 'none'}"
            )


def _waits(task: AnswerTask, reader: AnswerReader) -> AnswerPortError:
    return AnswerPortError(
        f'Task "{shorten(task.id, 80)}": the reader "{shorten(reader.id, 80)}" is async. '
        "Write `await catalog.read_async(...)`."
    )
