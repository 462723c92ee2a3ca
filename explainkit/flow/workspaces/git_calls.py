"""Calls of git that ask nobody, run nothing of the repository, and read no one's settings."""

import os
from dataclasses import dataclass
from pathlib import Path

from explainkit.errors import WorkspaceError
from explainkit.flow.actors.outcomes import Exited, NotRun, Outcome, TimedOut
from explainkit.flow.actors.processes import run_process
from explainkit.flow.clocks import Clock
from explainkit.flow.workspaces.credentials import hidden
from explainkit.safety import shorten, visible

_TAIL = 4_000
_LINES = 6
_SHOWN = 600
# What says how to reach a server stays; what says which repository or which settings goes.
_KEPT = {"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH"}
_DROPPED = {"SSH_ASKPASS", "SSH_ASKPASS_REQUIRE"}
_QUIET = {
    "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
    "GIT_ASKPASS": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
    "SSH_ASKPASS_REQUIRE": "never",
}


@dataclass(frozen=True, slots=True)
class Git:
    """Calls git in one folder.

    Attributes:
        folder: Where it is called.
        clock: Measures the timeout.
        timeout: Seconds that one call may take.
    """

    folder: Path
    clock: Clock
    timeout: float

    async def call(self, *words: str) -> Outcome:
        """Call git and tell what became of it."""
        # Hooks come from templates and from settings, and checking out runs one.
        quiet = ("-c", f"core.hooksPath={os.devnull}", "-c", "advice.detachedHead=false")
        return await run_process(
            ["git", *quiet, *words],
            clock=self.clock,
            cwd=self.folder,
            env=_environment(self.folder),
            timeout=self.timeout,
            tail=_TAIL,
        )

    async def succeeds(self, *words: str) -> bool:
        """Call git and tell whether it did what it was asked for.

        Raises:
            WorkspaceError: It could not be run.
        """
        outcome = await self.call(*words)
        if isinstance(outcome, Exited):
            return outcome.code == 0
        raise WorkspaceError(self._told(f"git {words[0]} was not finished", outcome))

    async def must(self, what: str, advice: str, *words: str) -> None:
        """Call git for something that has to be done.

        Args:
            what: What failed, if it fails.
            advice: What to do then.
            words: Arguments of git.

        Raises:
            WorkspaceError: It was not done.
        """
        outcome = await self.call(*words)
        if not (isinstance(outcome, Exited) and outcome.code == 0):
            raise WorkspaceError(self._told(what, outcome, advice))

    def _told(self, what: str, outcome: Outcome, advice: str = "") -> str:
        match outcome:
            case NotRun(reason):
                return f"{what}: {hidden(reason)}"
            case TimedOut(tail):
                advice = advice or "Try again, or give it more time."
                why = f"git was not done after {self.timeout:g} s"
            case Exited(code, tail):
                why = f"git ended with {code}"
        lines = [line.strip() for line in visible(hidden(tail)).splitlines() if line.strip()]
        said = shorten(" | ".join(lines[-_LINES:]), _SHOWN)
        return f"{what}: {why}{f' and said: {said}' if said else ''}. {advice}".strip()


def _environment(folder: Path) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if (not name.startswith("GIT_") or name in _KEPT) and name not in _DROPPED
    }
    ssh = {} if "GIT_SSH" in kept else {"GIT_SSH_COMMAND": "ssh -o BatchMode=yes"}
    above = {"GIT_CEILING_DIRECTORIES": str(folder.parent)}  # the folder is in no repository
    return {**ssh, **kept, **_QUIET, **above}
