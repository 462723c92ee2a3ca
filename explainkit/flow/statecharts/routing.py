"""Where a transition leads: the states that it leaves and enters, in the order of xstate v5."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from explainkit.flow.statecharts.nodes import Bounds, Chart, Node, Route, Transition

Recorded = Mapping[int, tuple[int, ...]]
_NOWHERE = Bounds(0, 0)


def fixed_route(chart: Chart, transition: Transition) -> Route | None:
    """The route of a transition that no history has a say in, else None."""
    if chart.histories and any(_asks_history(chart.nodes, aim) for aim in transition.aims):
        return None
    bounds = left_bounds(chart, transition, {})
    return Route(bounds, entered(chart, transition, bounds, {}))


def left_bounds(chart: Chart, transition: Transition, recorded: Recorded) -> Bounds:
    """What a transition leaves: all that is active below its domain.

    The domain is the source when every target is the source or below it, else the nearest state
    above all of them. It is worked out once, before anything is left: what is then recorded lies
    below it, so entries worked out afterwards still fit.
    """
    if not transition.aims:
        return _NOWHERE
    nodes, source = chart.nodes, chart.nodes[transition.origin]
    aims = [n for aim in transition.aims for n in _effective(nodes, aim, recorded)]
    if not transition.reenter and all(source.number <= aim < source.end for aim in aims):
        return Bounds(source.number + 1, source.end)
    above = source.parent
    while above >= 0 and not all(above < aim < nodes[above].end for aim in aims):
        above = nodes[above].parent
    if above < 0 and not transition.reenter:
        above = 0
    return Bounds(above + 1, nodes[max(above, 0)].end)


def entered(
    chart: Chart, transition: Transition, bounds: Bounds, recorded: Recorded
) -> tuple[int, ...]:
    """What a transition enters, in document order: never a state that it did not leave."""
    if bounds.low >= bounds.high:
        return ()
    found = _Entering(chart.nodes, recorded)
    domain = bounds.low - 1
    for aim in transition.aims:
        found.with_defaults(aim)
    aims = [n for aim in transition.aims for n in _effective(chart.nodes, aim, recorded)]
    found.ancestors(aims, domain)
    if domain >= 0:
        # A parallel domain lost all its regions and gets all of them back.
        found.regions(domain)
    return tuple(sorted(n for n in found.numbers if bounds.low <= n < bounds.high))


def start_entries(chart: Chart) -> tuple[int, ...]:
    """What is entered when a machine starts."""
    found = _Entering(chart.nodes, {})
    found.with_defaults(0)
    return tuple(sorted(found.numbers))


class _Entering:
    """A set of states to enter that is completed downwards and upwards."""

    def __init__(self, nodes: tuple[Node, ...], recorded: Recorded) -> None:
        self._nodes = nodes
        self._recorded = recorded
        self.numbers: set[int] = set()

    def with_defaults(self, number: int) -> None:
        """Add a state and what is entered with it."""
        node = self._nodes[number]
        if node.kind == "history":
            remembered = self._recorded.get(number) or node.defaults
            for aim in remembered:
                self.with_defaults(aim)
            self.ancestors(remembered, node.parent)
            return
        self.numbers.add(number)
        if node.kind == "compound":
            self.with_defaults(node.initial)
        else:
            self.regions(number)

    def ancestors(self, aims: Sequence[int], domain: int) -> None:
        """Add the states between some and the domain, with the other regions of parallel ones."""
        added: dict[int, None] = {}
        for aim in aims:
            above = self._nodes[aim].parent
            while above > domain and above not in added:
                added[above] = None
                above = self._nodes[above].parent
        # All of them first: a region that another target leads into is not entered by default.
        self.numbers.update(added)
        for above in added:
            self.regions(above)

    def regions(self, number: int) -> None:
        """Enter by default the regions of a parallel state that nothing leads into."""
        node = self._nodes[number]
        if node.kind == "parallel":
            for child in node.children:
                if child not in self.numbers:
                    self.with_defaults(child)


def _effective(nodes: tuple[Node, ...], number: int, recorded: Recorded) -> Iterator[int]:
    node = nodes[number]
    if node.kind != "history":
        yield number
    elif remembered := recorded.get(number):
        yield from remembered
    else:
        for aim in node.defaults:
            yield from _effective(nodes, aim, recorded)


def _asks_history(nodes: tuple[Node, ...], number: int) -> bool:
    """Whether entering a state by default may come to a history."""
    waiting = [number]
    while waiting:
        node = nodes[waiting.pop()]
        if node.kind == "history":
            return True
        waiting += _led_to(node)
    # Their other regions are entered too, and may come to one.
    return any(nodes[n].kind == "parallel" for n in _above(nodes, number))


def _led_to(node: Node) -> Iterable[int]:
    return (node.initial,) if node.kind == "compound" else node.children


def _above(nodes: tuple[Node, ...], number: int) -> Iterator[int]:
    number = nodes[number].parent
    while number >= 0:
        yield number
        number = nodes[number].parent
