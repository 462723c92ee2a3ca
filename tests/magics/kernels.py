"""A real kernel that runs cells as a front end would, and says what each of them gave."""

import json
import os
import queue
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jupyter_client.manager import KernelManager

from tests.repository.source_tree import ROOT

SECONDS = 60


@dataclass
class Ran:
    """What a cell gave.

    Attributes:
        text: What it printed, to standard output and error.
        value: Its value as plain text.
        error: Class of the error that it ended on.
        message: That error's text.
        count: Its execution count.
    """

    text: str = ""
    value: str = ""
    error: str = ""
    message: str = ""
    count: int = 0
    messages: list[dict[str, Any]] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        """The lines that it printed."""
        return self.text.splitlines()

    def take(self, message: dict[str, Any]) -> None:
        """Add a message of the kernel."""
        content, kind = message["content"], message["msg_type"]
        self.messages.append(message)
        if kind == "stream":
            self.text += content["text"]
        elif kind == "execute_result":
            self.value = content["data"]["text/plain"]
        elif kind == "error":
            self.error, self.message = content["ename"], content["evalue"]


class Kernel:
    """A kernel; made by `kernel`."""

    def __init__(self, manager: KernelManager) -> None:
        self.manager = manager
        self.heard: list[dict[str, Any]] = []
        """Everything that it said, whichever request it was about."""
        self._connect()

    def _connect(self) -> None:
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=SECONDS)

    def send(self, code: str, *, cell_id: str | None = None, silent: bool = False) -> str:
        """Ask for a cell to be run, and give the request's id."""
        content = {
            "code": code,
            "silent": silent,
            "store_history": not silent,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,
        }
        metadata = None if cell_id is None else {"cellId": cell_id}
        message = self.client.session.msg("execute_request", content, metadata=metadata)
        self.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    def result(self, request: str, *, until: str | None = None) -> Ran:
        """What a request gave: all of it, or what came before a text was printed."""
        ran = Ran()
        while until is None or until not in ran.text:
            try:
                message = self.client.get_iopub_msg(timeout=SECONDS)
            except queue.Empty:
                raise AssertionError(f"the kernel says nothing more after {ran.text!r}") from None
            self.heard.append(message)
            if message["parent_header"].get("msg_id") != request:
                continue
            ran.take(message)
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
        if until is None:
            reply = self.reply(request)["content"]
            ran.count = reply.get("execution_count", 0)
            if reply["status"] == "error":  # the shell shows an error of usage as a line
                ran.error, ran.message = reply["ename"], reply["evalue"]
        return ran

    def reply(self, request: str) -> dict[str, Any]:
        """The reply to a request."""
        while True:
            reply = self.client.get_shell_msg(timeout=SECONDS)
            if reply["parent_header"].get("msg_id") == request:
                return reply

    def run(self, code: str, *, cell_id: str | None = None, silent: bool = False) -> Ran:
        """Run a cell, whatever it ends on."""
        return self.result(self.send(code, cell_id=cell_id, silent=silent))

    def checked(self, code: str, *, cell_id: str | None = None) -> Ran:
        """Run a cell that must not fail."""
        ran = self.run(code, cell_id=cell_id)
        assert not ran.error, f"{ran.error}: {ran.message}\n{ran.text}"
        return ran

    def value(self, expression: str) -> Any:
        """The value of an expression, of plain types."""
        ran = self.checked(f"import json; print(json.dumps({expression}))")
        return json.loads(ran.lines[-1])

    def click(self, model: str) -> None:
        """Press a button, as a front end would."""
        content = {"event": "click"}
        message = self.client.session.msg(
            "comm_msg", {"comm_id": model, "data": {"method": "custom", "content": content}}
        )
        self.client.shell_channel.send(message)

    def restart(self) -> None:
        """Kill the kernel without asking, and start another."""
        self.client.stop_channels()
        # Restarting interrupts first, and an interrupted link would close as cancelled.
        os.kill(self.manager.provisioner.pid, signal.SIGKILL)
        self.manager.restart_kernel(now=True)
        self._connect()


@contextmanager
def kernel(folder: Path, *cells: str, **environment: str) -> Iterator[Kernel]:
    """A kernel that works in a folder.

    Args:
        folder: Where it works and keeps everything that it writes.
        *cells: What it runs first.
        **environment: Variables to set.
    """
    manager = KernelManager(kernel_name="python3")
    variables = os.environ | {"PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder / "ipython")}
    manager.start_kernel(cwd=str(folder), env=variables | environment)
    running = Kernel(manager)
    try:
        for cell in cells:
            running.checked(cell)
        yield running
    finally:
        running.client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()
