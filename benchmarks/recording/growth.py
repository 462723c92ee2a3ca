"""File size of a chat whose every prompt repeats the whole history: it must grow linearly.

Run: python benchmarks/recording/growth.py
"""

import tempfile
from pathlib import Path

import explainkit as ek

TURNS = (50, 100, 200)
USER = "Turn {n}: what does the tariff say about a delay of {n} minutes on line {n}, please? "
REPLY = "For line {n} and {n} minutes the tariff says, in paragraph {n}, that nothing is paid. "


@ek.link(kind="model")
def ask_messages(messages: list[dict[str, str]]) -> str:
    """A model that is handed the list of all messages."""
    return REPLY.format(n=len(messages)) * 4


@ek.link(kind="model")
def ask_text(prompt: str) -> str:
    """A model that is handed one concatenated text."""
    return REPLY.format(n=len(prompt)) * 4


def as_messages(turns: int) -> int:
    """Characters handed to the model over the chat, as a list of messages."""
    messages = [{"role": "system", "content": "You work at a claims desk. " * 10}]
    sent = 0
    for n in range(turns):
        messages.append({"role": "user", "content": USER.format(n=n) * 4})
        sent += sum(len(message["content"]) for message in messages)
        messages.append({"role": "assistant", "content": ask_messages(messages)})
    return sent


def as_text(turns: int) -> int:
    """The same as one text that goes on from the one before."""
    prompt = "You work at a claims desk. " * 10
    sent = 0
    for n in range(turns):
        prompt += "\nUser: " + USER.format(n=n) * 4
        sent += len(prompt)
        prompt += "\nDesk: " + ask_text(prompt)
    return sent


def as_assembled(turns: int) -> int:
    """The same with ``ek.assemble`` and an instruction after the history."""
    history = "You work at a claims desk. " * 10
    sent = 0
    for n in range(turns):
        history += "\nUser: " + USER.format(n=n) * 4
        prompt = ek.assemble("{history}\n\nAnswer the last question in one line.", history=history)
        sent += len(prompt)
        history += "\nDesk: " + ask_text(prompt)
    return sent


def main() -> None:
    """Print the file size at each number of turns, and per turn."""
    for chat in (as_messages, as_text, as_assembled):
        for turns in TURNS:
            with tempfile.TemporaryDirectory() as folder:
                with ek.trace("chat", to=folder) as run:
                    sent = chat(turns)
                size = Path(run.path or "").stat().st_size
            print(
                f"{chat.__name__:14s}{turns:5d} turns: {sent / 1e6:6.2f} MB handed to the model, "
                f"file {size / 1e3:7.1f} kB, {size / turns / 1e3:5.2f} kB a turn"
            )


if __name__ == "__main__":
    main()
