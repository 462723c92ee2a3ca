"""The questions of the cause panels: what may be changed, run it, stop, which step, which side."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import ExplainkitError, RerunError
from explainkit.view.explorer.causes.changed import changed_told
from explainkit.view.explorer.causes.doors import Reruns, Wanted
from explainkit.view.explorer.causes.offered import Offered
from explainkit.view.explorer.causes.sides import sides_told
from explainkit.view.explorer.causes.spoken import in_panel
from explainkit.view.explorer.causes.stamped import stamps_of
from explainkit.view.explorer.causes.steps import bisection_told
from explainkit.view.explorer.causes.tries import tries_of
from explainkit.view.explorer.pieces import Json, line_of
from explainkit.view.explorer.replying import AskedWronglyError, Fields
from explainkit.view.words import flat
from explainkit.whatif.judging import recorded_end
from explainkit.whatif.judging.choosing import failed_checker

if TYPE_CHECKING:
    from explainkit.store import Recording

CALLS: Final = 200
MOST_CALLS: Final = 100_000
NO_KERNEL: Final = (
    "Nothing can be run again here: that needs a kernel, and the code that made the run. There, "
    "run.explore() has this panel with its button, and run.whatif(remove=...) asks from code."
)
NO_KERNEL_TO_TRY: Final = (
    "A suspect is tried by running again without it. That needs a kernel, and the code that made "
    "the run: there, run.explore() has a button on each suspect."
)
ANSWERS: Final = ("right", "wrong", "dont_know", "enough")


class CausePanel:
    """What the panels from suspect to cause ask; without a session they only tell."""

    def __init__(self, recording: "Recording", reruns: Reruns | None = None) -> None:
        """Ask about a run.

        Args:
            recording: Its records.
            reruns: What runs it again; without it findings are shown, and why nothing else is.
        """
        self._recording = recording
        self._reruns = reruns
        self._offered = Offered(recording)

    def questions(self) -> dict[str, Callable[[Fields], Json]]:
        """Every question by its word."""
        asked: dict[str, Callable[[Fields], Json]] = {
            "offered": lambda f: self.offered(
                f.text("slot", "answer"), f.text("query", ""), first=f.maybe("seq")
            ),
            "piece": lambda f: self._offered.piece(f.number("seq")),
            "meant": lambda f: {"said": list(self._offered.meant(f.objects("changes"))[1])},
            "try": self._try,
            "smallest": self._smallest,
            "stop": lambda _: {"words": self._needed().stop()},
            "bisect": lambda f: self.bisect(f.text("slot", "answer"), f.text("say", "")),
            "beside": lambda f: self.beside(f.number("seq")),
        }
        return {name: _spoken(answer) for name, answer in asked.items()}

    def offered(self, slot: str = "answer", query: str = "", *, first: int | None = None) -> Json:
        """What may be changed, who judges, and why nothing can be run if so.

        Args:
            slot: Which answer is judged.
            query: Words that pieces hold.
            first: A piece that is listed first, whatever it holds.
        """
        return {
            **self._offered.rows(query, first=first),
            "refusal": self.refusal(slot),
            "kernel": self._reruns is not None,
            "judge": self._judge(slot),
            "version": self._version(slot),
            "calls": CALLS,
        }

    def tries(self, slot: str = "answer", suspects: Sequence[Mapping[str, Any]] = ()) -> Json:
        """What can be tried of each suspect, or why nothing can be run at all.

        Args:
            slot: Which answer is judged.
            suspects: Their cards.
        """
        refusal = NO_KERNEL_TO_TRY if self._reruns is None else self.refusal(slot)
        cards = () if refusal is not None else suspects
        return {
            "kernel": self._reruns is not None,
            "refusal": refusal,
            "cards": [tries_of(self._offered, each["seq"], each["parts"]) for each in cards],
        }

    def refusal(self, slot: str = "answer") -> str | None:
        """Why nothing can be run again; None when it can."""
        if self._reruns is None:
            return NO_KERNEL
        why = self._reruns.refusal(slot)
        return None if why is None else line_of(in_panel(why), 1_200)

    def found(self) -> Json:
        """Every finding so far, as stamps."""
        if self._reruns is None:
            return stamps_of(self._recording, self._offered, lambda _: None)
        return stamps_of(self._reruns.recording, self._offered, self._reruns.told)

    def bisect(self, slot: str = "answer", say: str = "") -> Json:
        """The bisection as it stands, or after an answer.

        Args:
            slot: Which answer is wrong.
            say: ``begin``; ``anyway`` where the answer is wrong whoever let it pass; right, wrong,
                dont_know or enough; nothing to look only.
        """
        if self._reruns is None:
            return {**bisection_told(None), "refusal": NO_KERNEL.replace(
                "run.whatif(remove=...) asks", "run.bisect() asks")}  # fmt: skip
        if say not in {"", "begin", "anyway", *ANSWERS}:
            raise AskedWronglyError(f"There is no answer {say!r:.40}. Say one of: {ANSWERS}.")
        if say in {"begin", "anyway"}:
            shown = self._reruns.begin_bisection(slot, wrong=say == "anyway")
        else:
            shown = self._reruns.bisection
        if say in ANSWERS and shown is not None:
            getattr(shown, say)()
        return {**bisection_told(shown), "refusal": None}

    def beside(self, seq: int) -> Json:
        """A re-run beside the recorded run, with what was changed in it.

        Raises:
            RerunError: It was made by another process.
        """
        reruns = self._reruns
        found = None if reruns is None else reruns.compared(seq)
        if reruns is None or found is None:
            raise RerunError(
                "This re-run is not here any more: only its finding was recorded. Run it again to "
                "see both runs side by side."
            )
        told = reruns.told(seq)
        changes = reruns.recording.raw(seq).get("interventions") or ()
        return {
            **sides_told(found, self._offered.named),
            "changed": changed_told(self._recording, self._offered, reruns.plan(seq), changes),
            "ran": None if told is None else {"again": told.executed, "reused": told.reused},
        }

    def _try(self, f: Fields) -> Json:
        changes, said = self._offered.meant(f.objects("changes"))
        return self._started(f, changes, said)

    def _smallest(self, f: Fields) -> Json:
        return self._started(f, {}, ("the smallest set of context whose removal flips the answer",))

    def _started(self, f: Fields, changes: dict[str, Any], said: tuple[str, ...]) -> Json:
        slot, start, end = f.text("slot", "answer"), f.maybe("start"), f.maybe("end")
        version, effective = f.maybe("version"), self._version(slot)
        if version is not None and version != effective:
            raise RerunError(
                f"Version {version} is shown, and re-runs judge version {effective}, the answer in "
                "effect. Choose that one above."
            )
        calls = f.number("calls", CALLS)
        if not 0 < calls <= MOST_CALLS:
            raise AskedWronglyError(f"Calls are from 1 to {MOST_CALLS:,}; got {calls}.")
        span = None if start is None or end is None else (start, end)
        self._needed().start(Wanted(changes, said, slot, span, calls))
        return {"words": "Started."}

    def _needed(self) -> Reruns:
        if self._reruns is None:
            raise RerunError(NO_KERNEL)
        return self._reruns

    def _version(self, slot: str) -> int:
        try:
            return recorded_end(self._recording, slot=slot).version
        except (ExplainkitError, LookupError):
            return 0

    def _judge(self, slot: str) -> str:
        """Who judges when no words are selected."""
        try:
            end = recorded_end(self._recording, slot=slot)
        except (ExplainkitError, LookupError):
            return "There is no answer to judge."
        checker = failed_checker(end)
        if checker is not None:
            return f"It flips when the checker {flat(checker, 60)}, which failed it, passes it."
        if not end.answered:
            return "It flips when the run ends in another way."
        return "It flips when another answer comes. Select its wrong words to ask about them alone."


def _spoken(answer: Callable[[Fields], Json]) -> Callable[[Fields], Json]:
    """A question whose refusals say what to tick or press."""

    def answered(f: Fields) -> Json:
        try:
            return answer(f)
        except ExplainkitError as error:
            raise RerunError(in_panel(str(error))) from error

    return answered
