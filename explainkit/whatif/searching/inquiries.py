"""A search as questions and answers, because who answers may be a person, code or a coroutine."""

from collections.abc import Awaitable, Callable, Generator
from typing import Generic, TypeVar

Asked = TypeVar("Asked")
Told = TypeVar("Told")
Found = TypeVar("Found")


class Inquiry(Generic[Asked, Told, Found]):
    """One search under way: read `question`, call `answer`, until `is_done`; then read `result`.

    An answer that makes no sense is refused before the search sees it, so it can be given again.
    """

    def __init__(
        self,
        steps: Generator[Asked, Told, Found],
        *,
        read: Callable[[Asked, object], Told],
    ) -> None:
        """Start the search.

        Args:
            steps: Yields questions, is sent answers, returns what was found.
            read: Makes an answer of what was given for a question, or raises.
        """
        self._steps = steps
        self._read = read
        self._question: Asked | None = None
        self._result: tuple[Found] | None = None
        self._go_on(lambda: next(steps))

    @property
    def is_done(self) -> bool:
        """Is there a result, and no question?"""
        return self._result is not None

    @property
    def question(self) -> Asked:
        """What has to be answered now.

        Raises:
            LookupError: The search is done.
        """
        if self._question is None:
            raise LookupError("The search is done and asks nothing more. Read its result.")
        return self._question

    @property
    def result(self) -> Found:
        """What was found.

        Raises:
            LookupError: A question is still open.
        """
        if self._result is None:
            raise LookupError("The search is not done: answer its question first.")
        return self._result[0]

    def answer(self, given: object) -> None:
        """Answer the question and go on to the next one.

        Raises:
            LookupError: The search is done.
            TypeError: The answer is of another kind than the question asks for.
            ValueError: The answer does not fit the question.
        """
        told = self._read(self.question, given)
        self._go_on(lambda: self._steps.send(told))

    def _go_on(self, step: Callable[[], Asked]) -> None:
        try:
            self._question = step()
        except StopIteration as end:
            self._question, self._result = None, (end.value,)


def drive(inquiry: Inquiry[Asked, Told, Found], oracle: Callable[[Asked], object]) -> Found:
    """Answer every question with a function, and return the result."""
    while not inquiry.is_done:
        inquiry.answer(oracle(inquiry.question))
    return inquiry.result


async def drive_async(
    inquiry: Inquiry[Asked, Told, Found], oracle: Callable[[Asked], Awaitable[object]]
) -> Found:
    """Answer every question with a coroutine function, and return the result."""
    while not inquiry.is_done:
        inquiry.answer(await oracle(inquiry.question))
    return inquiry.result
