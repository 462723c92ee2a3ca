"""A program that another process can import."""

import explainkit as ek


@ek.link(kind="model")
def reply(prompt):
    return "Half is paid back." if "half" in prompt else "Nothing is paid back."


@ek.link(kind="effect")
def mail(text):
    return f"sent {text}"


@ek.traced("importable")
def importable(question, *more):
    note = ek.context("note", "We pay half.")
    other = ek.context("other", "Bring a ticket.")
    return reply(ek.assemble("{n} {o} {q}", n=note, o=other, q=question))


@ek.traced("importable effect")
def mails(question):
    return mail(reply(ek.context("note", "We pay half.")))


@ek.traced("later")
async def later(question):
    return reply(ek.context("note", "We pay half."))


class Desk:
    @staticmethod
    @ek.traced("of a class")
    def claim(question):
        return reply(ek.context("note", "We pay half."))

    @ek.traced("of an object")
    def ask(self, question):
        return reply(ek.context("note", "We pay half."))


KEPT: list[str] = []


@ek.link
def keep(note):
    KEPT.append(note)


@ek.link(kind="model")
def recall(question):
    return reply(" ".join(KEPT))


@ek.traced("shares")
def shares(question):
    KEPT.clear()
    keep(ek.context("note", "We pay half."))
    return recall(question)
