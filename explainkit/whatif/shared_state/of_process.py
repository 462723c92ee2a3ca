"""What the whole process has: files, databases, and settings such as precision, seeds and locale.

No object of the user's holds them, so they are told by the names of the functions that make them
and of those that go by them. What is set for a block of code only is over with the block.
"""

import dis
from collections.abc import Iterator
from dataclasses import dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final

from explainkit.tracing.untracked import MISSING
from explainkit.whatif.rerunning.surroundings import is_a, root_of
from explainkit.whatif.shared_state.name_uses import Use
from explainkit.whatif.shared_state.telling_names import BASES, FILES, bases_in, files_in
from explainkit.whatif.shared_state.things import Key, Scope
from explainkit.whatif.shared_state.touching import Touched

_ARITHMETIC: Final = "+ arithmetic"
_FILES: Final = "+ files"
_SETS: Final = "+ sets "


def _words(told: str) -> frozenset[str]:
    return frozenset(told.split())


@dataclass(frozen=True, slots=True)
class Setting:
    """Something that is set for the whole process.

    Attributes:
        word: What it is called in messages.
        modules: Where the functions that set it come from; none where their names suffice.
        setters: Names of functions that set it.
        readers: Names of functions that go by it.
        lasts: It stays until it is set again; of a seed each draw takes something.
    """

    word: str
    modules: frozenset[str]
    setters: frozenset[str]
    readers: frozenset[str]
    lasts: bool = True


_SETTINGS: Final = (
    Setting(
        "the context of decimal numbers",
        _words("decimal"),
        _words("setcontext") | {f"{_SETS}{part}" for part in ("prec", "rounding", "Emin", "Emax")},
        _words("Decimal quantize sqrt ln exp log10 normalize sum fsum mean") | {_ARITHMETIC},
    ),
    Setting(
        "the working directory",
        _words("os posix nt"),
        _words("chdir fchdir"),
        _words("getcwd getcwdb cwd abspath absolute resolve") | {_FILES},
    ),
    Setting(
        "the seed of chance",
        frozenset(),
        _words("seed manual_seed set_seed setstate set_state"),
        _words(
            "random choice choices sample shuffle randint randrange uniform gauss normalvariate "
            "normal rand randn randperm permutation integers betavariate expovariate getrandbits"
        ),
        lasts=False,
    ),
    Setting(
        "the locale",
        _words("locale"),
        _words("setlocale"),
        _words("strftime strptime format_string currency atof atoi strcoll strxfrm localeconv"),
    ),
    Setting(
        "the time zone",
        _words("time"),
        _words("tzset"),
        _words("localtime strftime now today fromtimestamp astimezone mktime ctime timestamp"),
    ),
    Setting(
        "how tables and arrays are printed",
        _words("pandas numpy polars"),
        _words("set_option reset_option set_printoptions"),
        _words("str repr format join to_string to_markdown array2string array_str"),
    ),
)


def look_for(touched: Touched, code: CodeType, scope: Scope) -> None:
    """Note what code of a unit does with files, databases and settings of the process.

    Args:
        touched: What the unit touches.
        code: The code, functions inside of it left out.
        scope: Where its global names stand.
    """
    reads, writes = files_in(code)
    files = touched.named(Key("files", "", FILES), "a file", lasting=True)
    touched.note(files, Use("global", FILES, reads=reads, writes=writes))
    reads, writes, begins = bases_in(code)
    bases = touched.named(Key("files", "", BASES), "a database", lasting=True)
    touched.note(bases, Use("global", BASES, reads=reads, writes=writes, begins=begins))
    for each, goes_by, makes in settings_in(code, scope):
        key = touched.named(Key("process", "", each.word), each.word, lasting=each.lasts)
        touched.note(key, Use("global", each.word, reads=goes_by, writes=makes, begins=makes))


def settings_in(code: CodeType, scope: Scope) -> Iterator[tuple[Setting, bool, bool]]:
    """The settings that code has to do with: each with whether it goes by it, and makes it.

    Args:
        code: The code, functions inside of it left out.
        scope: Where its global names stand.

    Example:
        >>> import os
        >>> code = (lambda folder: os.chdir(folder)).__code__
        >>> found = settings_in(code, Scope({"os": os}, 1, "here"))
        >>> [(setting.word, goes_by, makes) for setting, goes_by, makes in found]
        [('the working directory', False, True)]
    """
    told = {*code.co_names, *_told_by_steps(code)}
    for each in _SETTINGS:
        goes_by, makes = not told.isdisjoint(each.readers), not told.isdisjoint(each.setters)
        if makes and each.modules:
            makes = any(_module_of(name, scope) in each.modules for name in code.co_names)
        if goes_by or makes:
            yield each, goes_by, makes


def _told_by_steps(code: CodeType) -> Iterator[str]:
    """What is told by no name: arithmetic, attributes that are set, and files."""
    for step in dis.get_instructions(code):
        if step.opname == "STORE_ATTR":
            yield f"{_SETS}{step.argval}"
        elif step.opname == "BINARY_OP" and step.argrepr != "[]":
            yield _ARITHMETIC
    if any(files_in(code)):
        yield _FILES


def _module_of(name: str, scope: Scope) -> str:
    """The package that a name stands for, or comes from; the name itself where it is imported."""
    value: Any = scope.names.get(name, MISSING)
    if value is MISSING:
        return root_of(name)
    if is_a(value, ModuleType):
        return root_of(value.__name__)
    return root_of(value.__module__) if is_a(value, type, FunctionType, BuiltinFunctionType) else ""
