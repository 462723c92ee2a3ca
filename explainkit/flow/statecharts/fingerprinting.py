"""Whether two machines are built alike, so that a run of one is never resumed on the other."""

import json
from hashlib import sha256
from typing import Any

from explainkit.flow.statecharts.nodes import Chart, Node


def fingerprint_of(chart: Chart) -> str:
    """SHA-256 of a chart's build, as hex text.

    Ids, nesting, kinds, what is invoked, and where events lead, each in its order; no function,
    no name of one, no text for people.
    """
    build = [chart.id, [_node(chart, node) for node in chart.nodes]]
    return sha256(json.dumps(build, separators=(",", ":")).encode("ascii")).hexdigest()


def _node(chart: Chart, node: Node) -> list[Any]:
    return [
        node.id,
        node.parent,
        node.kind,
        node.initial,
        node.deep,
        [chart.nodes[number].id for number in node.defaults],
        [[use.id, use.src, use.holds] for use in node.invokes],
        [[t.trigger, t.event, t.targets, t.reenter, t.delay] for t in node.transitions],
    ]
