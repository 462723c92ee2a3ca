"""Adds up what was scored, and writes it as Markdown and JSON."""

from collections import defaultdict

ALPHA = 0.05
METHODS = {
    "attributed": "attributed",
    "shortlist": "shortlist alone",
    "first": "first in prompt",
    "last": "last in prompt",
    "overlap": "lexical overlap",
    "left_out": "leave one out, majority of 3",
}
RATES = {0.0: "deterministic", 0.1: "flips 1 in 10", 1 / 3: "flips 1 in 3"}


def mean(values):
    """The mean of what is there; None of nothing."""
    kept = [each for each in values if each is not None]
    return sum(kept) / len(kept) if kept else None


def summary(rows):
    """The figures of some runs."""
    told = {
        "runs": len(rows),
        "convicted": mean(row["convicted"] for row in rows if row["attributed"]),
        "shown": mean(row["shown"] for row in rows),
        "reruns": mean(row["reruns"] for row in rows),
        "calls": mean(row["calls"] for row in rows),
        "convictions": sum(row["convictions"] for row in rows),
        "false": sum(len(row["false"]) for row in rows),
        "runs_with_false": sum(bool(row["false"]) for row in rows),
        "refused": sum(len(row["refused"]) for row in rows),
    }
    for method in METHODS:
        hits = [row[method] for row in rows if row.get(method)]
        told[method] = {
            "runs": len(hits),
            "top1": mean(each["top1"] for each in hits),
            "top3": mean(each["top3"] for each in hits),
        }
    left = [row for row in rows if "left_out_false" in row]
    told["left_out"]["runs_with_false"] = sum(bool(row["left_out_false"]) for row in left)
    told["left_out"]["all_runs"] = len(left)
    told["left_out"]["reruns"] = mean(row["left_out_reruns"] for row in left)
    return told


def by(rows, name):
    """Rows by one of their fields, in order of first sight."""
    found = defaultdict(list)
    for row in rows:
        found[row[name]].append(row)
    return dict(found)


def report(rows):
    """All figures as JSON."""
    return {
        "runs": len(rows),
        "alpha": ALPHA,
        "sharing_no_text": mean(not row["shares_text"] for row in rows if row["attributed"]),
        "overall": summary(rows),
        **{
            f"by_{name}": {str(key): summary(some) for key, some in by(rows, name).items()}
            for name in ("kind", "structure", "size", "judge", "shares_text")
        },
        "by_rate": {RATES[key]: summary(some) for key, some in by(rows, "rate").items()},
        "by_kind_and_rate": {
            kind: {RATES[rate]: summary(few) for rate, few in by(some, "rate").items()}
            for kind, some in by(rows, "kind").items()
        },
        "nulls_by_rate": {
            RATES[key]: summary(some)
            for key, some in by([r for r in rows if not r["attributed"]], "rate").items()
        },
        "convicted_by_rate_and_size": {
            RATES[rate]: {
                str(size): summary(few)["convicted"] for size, few in by(some, "size").items()
            }
            for rate, some in by(rows, "rate").items()
        },
    }


def percent(value):
    """A share as a reader sees it."""
    return "" if value is None else f"{value:.1%}"


def number(value):
    """A mean as a reader sees it."""
    return "" if value is None else f"{value:.1f}"


def table(head, lines):
    """A Markdown table."""
    rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*rows, *("| " + " | ".join(map(str, line)) + " |" for line in lines)])


def attribution_table(groups, title):
    """Runs of each group: what was named, convicted, shown and spent."""
    head = (
        title, "runs", "top-1", "top-3", "convicted", "shortlist top-1", "top-3", "trace shown",
        "re-runs", "model calls", "runs with a false conviction",
    )  # fmt: skip
    return table(
        head,
        [
            (
                name,
                each["runs"],
                percent(each["attributed"]["top1"]),
                percent(each["attributed"]["top3"]),
                percent(each["convicted"]),
                percent(each["shortlist"]["top1"]),
                percent(each["shortlist"]["top3"]),
                percent(each["shown"]),
                number(each["reruns"]),
                number(each["calls"]),
                f"{each['runs_with_false']} of {each['runs']}",
            )
            for name, each in groups.items()
        ],
    )


def method_table(rows):
    """The product beside the baselines, on all runs, and on those where one was left out."""
    lines = []
    for some, label in (
        (rows, "all"),
        ([row for row in rows if "left_out_false" in row], "where one was left out"),
    ):
        told = summary(some)
        for method, name in METHODS.items():
            each = told[method]
            if method == "left_out" and label == "all":
                continue
            lines.append((label, name, each["runs"], percent(each["top1"]), percent(each["top3"])))
    return table(("runs", "named by", "number", "top-1", "top-3"), lines)


def false_table(rows):
    """False convictions by flip rate: of nulls, and among all runs, beside leaving one out."""
    lines = []
    for rate, name in RATES.items():
        for label, some in (
            ("nothing planted", [r for r in rows if not r["attributed"]]),
            ("all", rows),
        ):
            told = summary([row for row in some if row["rate"] == rate])
            left, runs, false = told["left_out"], told["runs"], told["runs_with_false"]
            lines.append(
                (
                    name,
                    label,
                    f"{false} of {runs} ({percent(false / runs) if runs else ''})",
                    f"{told['false']} of {told['convictions']}",
                    f"{left['runs_with_false']} of {left['all_runs']}",
                )
            )
    head = (
        "unchanged run", "runs", "runs with a false conviction", "false of all convictions",
        "leaving one out: runs with a false one",
    )  # fmt: skip
    return table(head, lines)


def markdown(rows):
    """The tables of a report."""
    told = report(rows)
    parts = [
        "### Named by", method_table(rows),
        "### Every kind alone", attribution_table(told["by_kind"], "kind"),
        "### By flip rate of the unchanged run", attribution_table(told["by_rate"], ""),
        "### By size", attribution_table(told["by_size"], "parts offered"),
        "### By structure", attribution_table(told["by_structure"], "structure"),
        "### By whether cause and answer share five characters",
        attribution_table(told["by_shares_text"], "they share"),
        "### Convicted, by flip rate and size",
        table(
            ("", *told["by_size"]),
            [
                (rate, *(percent(each) for each in sizes.values()))
                for rate, sizes in told["convicted_by_rate_and_size"].items()
            ],
        ),
        "### False convictions", false_table(rows),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"
