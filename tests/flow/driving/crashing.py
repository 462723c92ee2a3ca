"""A machine for processes that are killed: its effect waits until a file is there.

Run as a module with a folder: it runs the machine and records it there.
"""

import asyncio
import sys
from pathlib import Path

from explainkit.flow import (
    agent,
    answer,
    assign,
    command,
    define_event,
    final,
    invoke,
    machine,
    state,
    to,
)

NOTE = define_event("note", input=dict[str, str])


def chart(folder, *, words="the tests said", guard=None, extra=None):
    """Two picks: a note at once, then tests that end when `go` is in the folder."""

    async def works(turn):
        note = await turn.pick("note", {"text": "before"})
        read = await turn.pick("run_tests")
        await turn.pick("finished", {"text": f"{note.value} / {read.value}"})

    wait = "echo started >> starts; until [ -e go ]; do sleep 0.01; done; cat go"
    return machine(
        "crashing",
        events=[
            NOTE,
            define_event("run_tests"),
            define_event("finished", input=dict[str, str]),
        ],
        actors={"coder": agent(works), "tests": command(["sh", "-c", wait], cwd=folder)},
        context={"told": ""},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder", input={"prompt": "Go."}),
                on={
                    "note": to(
                        do=answer(lambda args: f"noted {args.event.payload['text']}"), guard=guard
                    ),
                    "finished": to(
                        "done", do=assign({"told": lambda args: args.event.payload["text"]})
                    ),
                    **(extra or {}),
                },
                initial="ready",
                states={
                    "ready": state(on={"run_tests": to("testing")}),
                    "testing": state(
                        invoke=invoke(
                            "tests",
                            on_done=to(
                                "ready",
                                do=answer(
                                    lambda args: f"{words} {args.chain[-1].output.tail.strip()}"
                                ),
                            ),
                        )
                    ),
                },
            ),
            "done": final(output=lambda args: args.context["told"]),
        },
    )


ANSWER = "noted before / the tests said green"

if __name__ == "__main__":
    where = Path(sys.argv[1])
    print(asyncio.run(chart(where).run(to=where)), flush=True)
