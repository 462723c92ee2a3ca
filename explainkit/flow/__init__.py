"""Things that run: statecharts, agents, compositions; each name loads when first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explainkit.flow.actors import (
        ScriptedAgent,
        agent,
    )
    from explainkit.flow.actors.commands import (
        command,
    )
    from explainkit.flow.actors.failing import (
        fail,
    )
    from explainkit.flow.actors.functions import (
        python,
    )
    from explainkit.flow.actors.gates import (
        gate,
    )
    from explainkit.flow.actors.outcomes import (
        Exited,
        NotRun,
        TimedOut,
    )
    from explainkit.flow.actors.protocols import (
        Read,
        Receipt,
        Turn,
    )
    from explainkit.flow.agents import (
        Admit,
        Agent,
        Allow,
        Attempt,
        Chat,
        Deny,
        Halt,
        Middleware,
        Piece,
        Policy,
        Rule,
        Situation,
        Streamed,
        Tool,
        ToolCatalogue,
        admit,
        after_call,
        allow,
        ask_person,
        at_start,
        before_call,
        by_rule,
        check_tools,
        deny,
        fail_fast,
        fall_back,
        go_on,
        halt,
        on_request,
        on_tool_return,
        piece,
        retry,
        tool,
    )
    from explainkit.flow.checks import (
        UNSET,
        Checker,
        CheckResult,
        CheckStatus,
        Issue,
        OperationContext,
        Signal,
        Unset,
    )
    from explainkit.flow.clocks import (
        ManualClock,
        SystemClock,
    )
    from explainkit.flow.compositions import (
        Branch,
        Conditional,
        LevelGraph,
        Loop,
        Parallel,
        Sequence,
        TypedStep,
        When,
        Workflow,
        branch,
        graph,
        map_reduce,
        router,
        self_consistency,
        step,
        to_message,
        when,
        workflow,
    )
    from explainkit.flow.driving import (
        MachineRun,
        OpenGate,
        Replay,
    )
    from explainkit.flow.outcomes import (
        Answered,
        Cancelled,
        Exhausted,
        Failed,
        Outcome,
        Paused,
        Refused,
        Trace,
    )
    from explainkit.flow.statecharts import (
        NO_ANSWER,
        Machine,
        Output,
        Sent,
        after,
        always,
        answer,
        assign,
        define_event,
        final,
        history,
        invoke,
        machine,
        raise_,
        state,
        to,
    )
    from explainkit.flow.verdicts import (
        CHILD_VERDICT_KEY,
        AnswerValidation,
        CheckOutcome,
        ConsentPending,
        MessageDenied,
        PolicyHalt,
        ReliabilityFailFast,
        TerminalVerdict,
        UnknownVerdict,
        UnsupportedValues,
        ValidationReport,
        carry_verdict,
        child_error,
        child_outcome,
        first_standing,
        raise_child_verdict,
        register_verdict,
        verdict_from_json,
    )
    from explainkit.flow.workspaces import (
        workspace,
    )

_HOMES = {
    "explainkit.flow.actors": "ScriptedAgent agent".split(),
    "explainkit.flow.actors.commands": "command".split(),
    "explainkit.flow.actors.failing": "fail".split(),
    "explainkit.flow.actors.functions": "python".split(),
    "explainkit.flow.actors.gates": "gate".split(),
    "explainkit.flow.actors.outcomes": "Exited NotRun TimedOut".split(),
    "explainkit.flow.actors.protocols": "Read Receipt Turn".split(),
    "explainkit.flow.agents": (
        "Admit Agent Allow Attempt Chat Deny Halt Middleware Piece Policy Rule Situation "
        "Streamed Tool ToolCatalogue admit after_call allow ask_person at_start before_call "
        "by_rule check_tools deny fail_fast fall_back go_on halt on_request on_tool_return "
        "piece retry tool"
    ).split(),
    "explainkit.flow.checks": (
        "UNSET CheckResult CheckStatus Checker Issue OperationContext Signal Unset"
    ).split(),
    "explainkit.flow.clocks": "ManualClock SystemClock".split(),
    "explainkit.flow.compositions": (
        "Branch Conditional LevelGraph Loop Parallel Sequence TypedStep When Workflow branch "
        "graph map_reduce router self_consistency step to_message when workflow"
    ).split(),
    "explainkit.flow.driving": "MachineRun OpenGate Replay".split(),
    "explainkit.flow.outcomes": (
        "Answered Cancelled Exhausted Failed Outcome Paused Refused Trace"
    ).split(),
    "explainkit.flow.statecharts": (
        "NO_ANSWER Machine Output Sent after always answer assign define_event final history "
        "invoke machine raise_ state to"
    ).split(),
    "explainkit.flow.verdicts": (
        "CHILD_VERDICT_KEY AnswerValidation CheckOutcome ConsentPending MessageDenied "
        "PolicyHalt ReliabilityFailFast TerminalVerdict UnknownVerdict UnsupportedValues "
        "ValidationReport carry_verdict child_error child_outcome first_standing "
        "raise_child_verdict register_verdict verdict_from_json"
    ).split(),
    "explainkit.flow.workspaces": "workspace".split(),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"explainkit.flow has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "CHILD_VERDICT_KEY",
    "NO_ANSWER",
    "UNSET",
    "Admit",
    "Agent",
    "Allow",
    "AnswerValidation",
    "Answered",
    "Attempt",
    "Branch",
    "Cancelled",
    "Chat",
    "CheckOutcome",
    "CheckResult",
    "CheckStatus",
    "Checker",
    "Conditional",
    "ConsentPending",
    "Deny",
    "Exhausted",
    "Exited",
    "Failed",
    "Halt",
    "Issue",
    "LevelGraph",
    "Loop",
    "Machine",
    "MachineRun",
    "ManualClock",
    "MessageDenied",
    "Middleware",
    "NotRun",
    "OpenGate",
    "OperationContext",
    "Outcome",
    "Output",
    "Parallel",
    "Paused",
    "Piece",
    "Policy",
    "PolicyHalt",
    "Read",
    "Receipt",
    "Refused",
    "ReliabilityFailFast",
    "Replay",
    "Rule",
    "ScriptedAgent",
    "Sent",
    "Sequence",
    "Signal",
    "Situation",
    "Streamed",
    "SystemClock",
    "TerminalVerdict",
    "TimedOut",
    "Tool",
    "ToolCatalogue",
    "Trace",
    "Turn",
    "TypedStep",
    "UnknownVerdict",
    "Unset",
    "UnsupportedValues",
    "ValidationReport",
    "When",
    "Workflow",
    "admit",
    "after",
    "after_call",
    "agent",
    "allow",
    "always",
    "answer",
    "ask_person",
    "assign",
    "at_start",
    "before_call",
    "branch",
    "by_rule",
    "carry_verdict",
    "check_tools",
    "child_error",
    "child_outcome",
    "command",
    "define_event",
    "deny",
    "fail",
    "fail_fast",
    "fall_back",
    "final",
    "first_standing",
    "gate",
    "go_on",
    "graph",
    "halt",
    "history",
    "invoke",
    "machine",
    "map_reduce",
    "on_request",
    "on_tool_return",
    "piece",
    "python",
    "raise_",
    "raise_child_verdict",
    "register_verdict",
    "retry",
    "router",
    "self_consistency",
    "state",
    "step",
    "to",
    "to_message",
    "tool",
    "verdict_from_json",
    "when",
    "workflow",
    "workspace",
]
