"""Answer flows: batches of questions that are answered, checked, reviewed and repaired."""

from explainkit.answering.answer_checkers import (
    AnswerChecker,
)
from explainkit.answering.answer_flows import (
    AnswerFlow,
    define_answer_flow,
)
from explainkit.answering.batches import (
    validate_answer_batch,
)
from explainkit.answering.check_catalogs import (
    AnswerCheckCatalog,
    define_answer_check_catalog,
)
from explainkit.answering.definitions import (
    AnswerFlowDefinition,
    ReviewPolicy,
)
from explainkit.answering.majority_votes import (
    MajorityReviewer,
)
from explainkit.answering.output_catalogs import (
    AnswerOutput,
    OutputCatalog,
    OutputField,
    define_output_catalog,
)
from explainkit.answering.patterns import (
    pattern,
)
from explainkit.answering.person_reviews import (
    PersonReviewer,
)
from explainkit.answering.progress_bars import (
    text_bar,
)
from explainkit.answering.reader_catalogs import (
    AnswerReader,
    AnswerReaderCatalog,
    define_answer_reader_catalog,
)
from explainkit.answering.ready_checkers import (
    json_schema,
    length,
    no_secret,
    non_empty,
    pydantic_model,
)
from explainkit.answering.reviewers import (
    ModelReviewer,
)
from explainkit.answering.shapes import (
    AnswerItem,
    AnswerResult,
    AnswerStatus,
    Recovery,
    ReviewEntry,
)
from explainkit.answering.source_checkers import (
    names_and_numbers_from,
    quotes_from,
)
from explainkit.answering.splitting import (
    SplitPort,
    split,
)
from explainkit.answering.task_catalogs import (
    AnswerTask,
    AnswerTaskCatalog,
    define_answer_task_catalog,
)
from explainkit.flow.checks import (
    UNSET,
    CheckResult,
    CheckStatus,
    Issue,
    OperationContext,
    Signal,
    Unset,
)

__all__ = [
    "UNSET",
    "AnswerCheckCatalog",
    "AnswerChecker",
    "AnswerFlow",
    "AnswerFlowDefinition",
    "AnswerItem",
    "AnswerOutput",
    "AnswerReader",
    "AnswerReaderCatalog",
    "AnswerResult",
    "AnswerStatus",
    "AnswerTask",
    "AnswerTaskCatalog",
    "CheckResult",
    "CheckStatus",
    "Issue",
    "MajorityReviewer",
    "ModelReviewer",
    "OperationContext",
    "OutputCatalog",
    "OutputField",
    "PersonReviewer",
    "Recovery",
    "ReviewEntry",
    "ReviewPolicy",
    "Signal",
    "SplitPort",
    "Unset",
    "define_answer_check_catalog",
    "define_answer_flow",
    "define_answer_reader_catalog",
    "define_answer_task_catalog",
    "define_output_catalog",
    "json_schema",
    "length",
    "names_and_numbers_from",
    "no_secret",
    "non_empty",
    "pattern",
    "pydantic_model",
    "quotes_from",
    "split",
    "text_bar",
    "validate_answer_batch",
]
