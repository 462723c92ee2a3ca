"""The shortlist: suspects ranked by stated reasons, ties said."""

from explainkit.backtrack.bounding import NOT_FURTHER
from explainkit.backtrack.facts import FACTS, is_cut
from explainkit.backtrack.introducing import MOST_HOLDERS
from explainkit.backtrack.naming import Names
from explainkit.backtrack.reasons import Evidenced, Points, answer_node, facts_of
from explainkit.backtrack.replaced_words import (
    MOST_REPLACED,
    count_replaced,
    givers_of_replaced,
)
from explainkit.backtrack.results import Reason, Suspect, Walk
from explainkit.backtrack.walking import names_of
from explainkit.graph.evidence import Evidence

MOST_TIED = 50
"""Rows that one tie may add beyond ``k``; ``tied`` tells how many there are."""


def shortlist(evidence: Evidence, walk: Walk, k: int = 5) -> tuple[Suspect, ...]:
    """Rank the records that may have caused the answer.

    Each reason counts a fixed number of points; a record's rank is by their sum. A rank is a rank
    and not a probability. Records with equal sums share a rank, and a tie is never cut in two
    (beyond ``MOST_TIED`` rows ``tied`` says how many there are). Verdicts and labels are not read.

    Args:
        evidence: The run.
        walk: A backtrack of it.
        k: Rows wanted.

    Returns:
        At least the first ``k`` suspects, fewer when fewer have a reason.
    """
    names = names_of(evidence)
    evidenced = Evidenced(names, walk)
    found = evidenced.collect()
    for node, reasons in sorted(givers_of_replaced(evidence, names, walk).items()):
        if node in evidenced.candidates and node not in found:
            found[node] = reasons
    totals = {node: sum(each.points for each in reasons) for node, reasons in found.items()}
    ranked = sorted(totals, key=lambda node: (-totals[node], node))
    rows: list[Suspect] = []
    at = 0
    while at < len(ranked) and len(rows) < k:
        group = [node for node in ranked[at:] if totals[node] == totals[ranked[at]]]
        rows += [
            _suspect(names, node, at + 1, len(group), found[node])
            for node in group[: max(k - len(rows), MOST_TIED)]
        ]
        at += len(group)
    return (*rows, *_exposed(names, walk, rows, k, ranked))


def bounds_of_shortlist(evidence: Evidence, walk: Walk) -> tuple[str, ...]:
    """Lines about facts of the answer that were not looked up for the suspects, or not everywhere.

    Args:
        evidence: The run.
        walk: A backtrack of it.
    """
    names, lines = names_of(evidence), []
    facts, node = facts_of(names, walk), answer_node(names, walk)
    if node is None:
        return ()
    if len(facts) > FACTS:
        lines.append(
            f"{NOT_FURTHER}of the {len(facts):,} facts of the answer (numbers, names, dates, "
            f"quotes) the first {FACTS} were looked up for the suspects"
        )
    many = [word for word in facts[:FACTS] if is_cut(names, word, before=node)]
    if many:
        lines.append(
            f"{NOT_FURTHER}for the suspects {many[0]!r:.60}"
            + (f" and {len(many) - 1:,} more facts" if len(many) > 1 else "")
            + f" that stand in more than {MOST_HOLDERS} places"
        )
    replaced = count_replaced(evidence, names, walk)
    if replaced > MOST_REPLACED:
        lines.append(
            f"{NOT_FURTHER}of the {replaced:,} stretches that an override replaced the first "
            f"{MOST_REPLACED} were looked up for the suspects"
        )
    return tuple(lines)


def _suspect(names: Names, node: int, rank: int, tied: int, points: list[Points]) -> Suspect:
    row = names.row(names.record(node))
    link = names.evidence.link_of(node)
    name = row.get("name")
    if link is not None and row.get("source_index") is None:  # else its step tells it apart
        name = names.call(link)
    actor = row.get("actor") or row.get("sender") or name or names.label(node)
    ordered = sorted(points, key=lambda each: -each.points)
    return Suspect(
        rank=rank,
        tied=tied,
        seq=names.record(node),
        source_index=row.get("source_index"),
        actor=str(actor),
        reasons=tuple(each.reason for each in ordered),
    )


def _exposed(
    names: Names, walk: Walk, rows: list[Suspect], k: int, ranked: list[int]
) -> list[Suspect]:
    """Below all others: what the model read and what shares words with the span (a proxy)."""
    known = {row.seq for row in rows} | {names.record(node) for node in ranked}
    left = [each for each in walk.exposures if each.seq not in known and each.overlap > 0]
    left = [each for each in left if not _asked(names, each.seq)]
    found: list[Suspect] = []
    at = 0
    while at < len(left) and len(rows) + len(found) < k:
        group = [each for each in left if each.overlap == left[at].overlap]
        for each in group:
            row = names.row(each.seq)
            word = f"was read and shares words with the span (overlap {each.overlap:.2f}, a proxy)"
            found.append(
                Suspect(
                    rank=len(ranked) + at + 1,
                    tied=len(group),
                    seq=each.seq,
                    source_index=row.get("source_index"),
                    actor=str(
                        row.get("actor") or row.get("sender") or row.get("name") or each.name
                    ),
                    reasons=(Reason(word),),
                )
            )
        at += len(group)
    return found


def _asked(names: Names, seq: int) -> bool:
    return names.row(seq).get("kind") == "run_started"
