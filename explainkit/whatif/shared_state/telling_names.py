"""What the names in code tell of files, databases and objects that nobody can look into."""

import re
from types import CodeType
from typing import Final

FILES: Final = "files"
BASES: Final = "bases"

_READ: Final = frozenset("read_text read_bytes listdir scandir iterdir glob rglob exists".split())
_WRITE: Final = frozenset(
    "write_text write_bytes unlink mkdir makedirs rmdir rmtree rename copyfile copytree symlink_to "
    "touch to_csv to_parquet to_json to_excel savetxt".split()
)
_OF_BASES: Final = frozenset("sqlite3 duckdb shelve dbm".split())
_MODE: Final = re.compile(r"(?:[wax]\+?[bt]?|[wax][bt]\+?|r[bt]?\+[bt]?)")
_STATEMENT: Final = re.compile(
    r"\s*(?:insert|update|delete|replace|create|drop|alter|truncate|merge)\b", re.IGNORECASE
)
_EXECUTE: Final = re.compile(r"execute(?:many|script)?|sql|run")
_LEAVE: Final = re.compile(
    r"(?:add|insert|upsert|put|write|save|store|set|append|extend|push|[lr]push|h?set|incr|[sz]add|"
    r"delete|remove|discard|pop|update|remember|ingest|clear|reset|truncate)(?:_\w+)?"
)
_BEGIN: Final = re.compile(r"(?:clear|reset|truncate|flushall|flushdb)(?:_all)?")


def files_in(code: CodeType) -> tuple[bool, bool]:
    """Whether code may read files, and whether it may write some.

    Args:
        code: The code, functions inside of it left out.

    Example:
        >>> files_in((lambda path: open(path)).__code__)
        (True, False)
        >>> files_in((lambda path: path.write_text("a")).__code__)
        (False, True)
    """
    names = {*code.co_names}
    modes = any(isinstance(each, str) and _MODE.fullmatch(each) for each in code.co_consts)
    opens = "open" in names
    return opens or bool(names & _READ), (opens and modes) or bool(names & _WRITE)


def bases_in(code: CodeType) -> tuple[bool, bool, bool]:
    """Whether code may read databases, whether it may change some, and whether it makes a new one.

    Args:
        code: The code, functions inside of it left out.

    Example:
        >>> import sqlite3
        >>> bases_in((lambda: sqlite3.connect(":memory:")).__code__)
        (True, False, True)
    """
    asks = not _OF_BASES.isdisjoint(code.co_names)
    return asks, asks and changes_rows(code), asks and ":memory:" in code.co_consts


def changes_rows(code: CodeType) -> bool:
    """Whether code holds a statement of SQL that changes something.

    Args:
        code: The code.

    Example:
        >>> changes_rows((lambda base: base.execute("INSERT INTO notes VALUES (1)")).__code__)
        True
    """
    return any(isinstance(each, str) and _STATEMENT.match(each) for each in code.co_consts)


def leaves_something(method: str, code: CodeType) -> bool:
    """Whether a method of an object that nobody can look into changes it, told by its name.

    Args:
        method: Its name.
        code: Where it is called.

    Example:
        >>> code = (lambda: None).__code__
        >>> leaves_something("add_documents", code), leaves_something("query", code)
        (True, False)
    """
    return bool(_LEAVE.fullmatch(method) or (_EXECUTE.fullmatch(method) and changes_rows(code)))


def begins_anew(method: str, code: CodeType) -> bool:
    """Whether a method of such an object empties it, told by its name.

    Args:
        method: Its name.
        code: Where it is called.
    """
    deletes = any(
        isinstance(each, str) and re.match(r"\s*(?:delete\s+from|drop)\s", each, re.IGNORECASE)
        for each in code.co_consts
    )
    return bool(_BEGIN.fullmatch(method) or (_EXECUTE.fullmatch(method) and deletes))
