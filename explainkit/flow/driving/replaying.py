"""Do again what a journal holds, without any actor: the same inputs lead to the same place."""

from dataclasses import dataclass, field

from explainkit.errors import RefusedError
from explainkit.flow.driving.journals import Journal
from explainkit.flow.driving.places import Place
from explainkit.flow.driving.timers import changes
from explainkit.flow.driving.turns import Past
from explainkit.flow.picks import Advanced, Declined, Due, Standing, advance, begin
from explainkit.flow.statecharts import Machine
from explainkit.flow.statecharts.menu import allowed


@dataclass(slots=True)
class Replayed:
    """Where a journal leads.

    Attributes:
        standing: Where the machine stands.
        picks: Every pick that was made, by session.
        timers: When each timer that runs is due, nanoseconds since the epoch.
    """

    standing: Standing
    picks: dict[int, list[Past]] = field(default_factory=dict)
    timers: dict[str, int] = field(default_factory=dict)

    def follow(self, advanced: Advanced, place: Place, at: int) -> None:
        """Note what one input led to."""
        self.standing = advanced.standing
        if advanced.opened is not None:
            pick = advanced.opened
            made = Past(pick.number, pick.event, pick.payload)
            self.picks.setdefault(pick.session, []).append(made)
        for each in advanced.answered:
            past = self.picks[each.pick.session]
            where = next(n for n, made in enumerate(past) if made.number == each.pick.number)
            past[where] = past[where]._replace(read=place.read_of(each))
        if advanced.steps is not None:
            for event, delay in changes(advanced.steps).items():
                self.timers.pop(event, None)
                if delay is not None:
                    self.timers[event] = at + delay * 1_000_000

    def declined(self, happened: Declined, place: Place) -> None:
        """Note a pick that was refused."""
        actor = self.standing.live(happened.session)
        place.say(lambda s: s.refused(actor, happened.event, None, happened.why))
        accepted = allowed(self.standing.snapshot, actor.src) if actor is not None else ()
        made = Past(0, happened.event, None, refusal=RefusedError(happened.why, accepted))
        self.picks.setdefault(happened.session, []).append(made)


def replayed(machine: Machine, journal: Journal, place: Place) -> Replayed:
    """Begin, and apply every input of a journal, writing it at the times when it happened.

    Args:
        machine: The machine.
        journal: Its input and what has happened.
        place: Where it is written; opened before.
    """
    at = place.moment = journal.at or 0
    advanced = begin(machine, journal.input)
    place.led_to(advanced)
    found = Replayed(advanced.standing)
    found.follow(advanced, place, at)
    for at, happened in journal.entries:
        place.moment = at
        if isinstance(happened, Declined):
            found.declined(happened, place)
            continue
        place.arrived(found.standing, happened)
        if isinstance(happened, Due):
            found.timers.pop(happened.event, None)
        advanced = advance(found.standing, happened)
        place.led_to(advanced)
        found.follow(advanced, place, at)
    place.moment = None
    return found
