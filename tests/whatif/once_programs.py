"""Programs of which a step asks once and keeps what it got: for a test in two processes."""

import functools
import secrets
from dataclasses import dataclass
from pathlib import Path

import explainkit as ek
from tests.whatif.programs import HALF

INDEX: list[str] | None = None


@dataclass(frozen=True)
class Client:
    """Equal clients share what they keep."""

    name: str = "m"

    @functools.lru_cache  # noqa: B019 - the form that is tested
    def complete(self, prompt):
        return secrets.token_hex(4)


@ek.link(kind="model")
def ask_client(prompt):
    return Client().complete(prompt)


@ek.link(kind="retrieval")
def search(question):
    global INDEX
    if INDEX is None:
        INDEX = Path(__file__).read_text(encoding="utf-8").splitlines()
    return f"{len(INDEX) > 5}"


@ek.link(kind="model")
def tell(prompt):
    return "Half is paid." if "half" in prompt else "Nothing is paid."


@ek.traced("keeps")
def keeps(question):
    ek.context("other", "Our office is in Oslo.")
    return ask_client(ek.assemble("{note} {q}", note=ek.context("note", HALF), q=question))


@ek.traced("prepares")
def prepares(question):
    note = ek.context("note", HALF)
    return tell(ek.assemble("{note} {found}", note=note, found=search(f"{question} {note}")))
