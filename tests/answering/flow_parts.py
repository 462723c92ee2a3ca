"""Ports that answer at once, and short ways to run a flow of them."""

import asyncio

from explainkit.answering import (
    AnswerFlowDefinition,
    AnswerItem,
    CheckResult,
    Issue,
    Recovery,
    define_answer_flow,
)

PASSED = CheckResult("passed")


def failed(code="BAD", message="it is not good"):
    return CheckResult("failed", [Issue(code, message)])


def source(item):
    return f"Delays of train {item} from 120 minutes are paid back by half."


def item(name, status="ready"):
    return AnswerItem(name, ["in"], status, {"source": source(name)})


def items(names):
    return [item(name) for name in names]


def copied(*, items, **_):
    return {each.id: each.data["source"] for each in items}


def definition(**ports):
    """A definition whose ports let everything through, but for those given."""
    usual = {
        "max_items": 100,
        "max_repairs": 1,
        "can_invoke": lambda context: True,
        "generate": copied,
        "check": lambda **_: PASSED,
        "fallback": lambda **_: Recovery(False),
    }
    return AnswerFlowDefinition(**(usual | ports))


def flow_of(**ports):
    return define_answer_flow(definition(**ports))


def run(names="ab", *, batch=None, context=None, **ports):
    """The results of one batch."""
    given = items(names) if batch is None else batch
    return flow_of(**ports).run_sync(
        input_ids=["in"] if given else [], items=given, context=context
    )


def ends(results):
    return {each.item.id: each.status for each in results}


def codes(result):
    return [issue.code for issue in result.issues]


def link_rows(run, kind):
    return [row for row in run.recording.rows("link_opened") if row.get("type") == kind]


def closed(run, link):
    return next(row for row in run.recording.rows("link_closed") if row["link"] == link["seq"])


def awaited(work):
    return asyncio.run(work)
