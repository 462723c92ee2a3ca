"""Units that are the same or not as a whole: ids, dates, URLs, e-mail addresses, quotes, numbers.

>>> [(unit.kind, unit.key) for unit in find_units("On 3 December 2025 HAT069 cost $1,234.50.")]
[('date', '2025-12-03'), ('id', 'hat069'), ('number', '1234.5 usd')]
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from explainkit.text.names import find_quotes
from explainkit.text.numbers import find_quantities

Kind = Literal["quote", "id", "date", "url", "email", "number"]

MONTH_WORDS: Final = (
    "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july "
    "august september october november december"
).split()
_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        "jan feb mar apr may jun jul aug sep oct nov dec".split(),
        start=1,
    )
}
_MONTH: Final = (
    r"(?P<{0}>(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec"
    r"|January|February|March|April|June|July|August|September|October|November|December)\b)\.?"
)
_URL: Final = re.compile(r"\b(?:https?|ftp)://[^\s<>\"'`\u201d]{1,2000}", re.IGNORECASE)
_EMAIL: Final = re.compile(
    r"(?<![\w.+-])[\w+-][\w.+-]{0,63}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?![\w-])"
)
_DATE: Final = re.compile(
    r"(?<![\w./-])(?:"
    r"(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?=T\d|\b)"
    r"|(?P<d2>\d{1,2})\.(?P<m2>\d{1,2})\.(?P<y2>\d{4})\b"
    rf"|(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?[ ](?:of )?{_MONTH.format('n3')},?[ ](?P<y3>\d{{4}})\b"
    rf"|{_MONTH.format('n4')}[ ](?P<d4>\d{{1,2}})(?:st|nd|rd|th)?,?[ ](?P<y4>\d{{4}})\b"
    r"|(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y5>\d{4})\b"
    r")",
    re.IGNORECASE,
)
_ID: Final = re.compile(
    r"(?<![\w-])(?=[A-Za-z_-]{0,64}\d)(?=[\d_-]{0,64}[A-Za-z])[\w]+(?:-\w+)*(?![\w-])"
)
_TRAILING: Final = ".,;:!?)]}"


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of a text.

    Attributes:
        kind: quote, id, date, url, email or number.
        start: Offset of the first character.
        end: Offset after the last character.
        key: Equal for units that mean the same: dates in ISO form where they are unambiguous.
    """

    kind: Kind
    start: int
    end: int
    key: str


def iso_date(year: int, month: int, day: int) -> str | None:
    """Return the ISO form of a plausible date, else None."""
    if 1 <= month <= 12 and 1 <= day <= 31:
        return f"{year:04}-{month:02}-{day:02}"
    return None


def _date_key(found: re.Match[str]) -> str | None:
    groups = found.groupdict()
    if groups["y"]:
        return iso_date(int(groups["y"]), int(groups["m"]), int(groups["d"]))
    if groups["y2"]:
        return iso_date(int(groups["y2"]), int(groups["m2"]), int(groups["d2"]))
    for place in "34":
        if groups["y" + place]:
            month = _MONTHS[groups["n" + place][:3].casefold()]
            return iso_date(int(groups["y" + place]), month, int(groups["d" + place]))
    one, two = int(groups["a"]), int(groups["b"])
    if one == two or one > 12 or two > 12:
        day, month = max(one, two), min(one, two)
        return iso_date(int(groups["y5"]), month, day)
    return found[0]


def find_dates(text: str) -> list[tuple[int, int, str]]:
    """Return the dates of a text as `(start, end, day)`; the day is ISO where it is unambiguous."""
    keyed = ((found.span(), _date_key(found)) for found in _DATE.finditer(text))
    return [(*span, key) for span, key in keyed if key]


def _candidates(text: str) -> Iterator[Unit]:
    for found in _URL.finditer(text):
        whole = found[0].rstrip(_TRAILING)
        yield Unit("url", found.start(), found.start() + len(whole), whole.rstrip("/"))
    for found in _EMAIL.finditer(text):
        yield Unit("email", *found.span(), found[0].casefold())
    for start, end, day in find_dates(text):
        yield Unit("date", start, end, day)
    for found in _ID.finditer(text):
        if len(found[0]) >= 3:
            yield Unit("id", *found.span(), found[0].casefold())
    for quantity in find_quantities(text):
        value = format(quantity.value.normalize() + Decimal(0), "f")
        key = f"{value} {quantity.unit}" if quantity.unit else value
        yield Unit("number", quantity.start, quantity.end, key)


def find_units(text: str) -> list[Unit]:
    """Return the units of a text in order; one inside another is left out, but for quotes.

    Quotes hold other units, so they are listed beside what they hold.
    """
    taken: list[Unit] = []
    for unit in sorted(_candidates(text), key=lambda unit: (unit.start, -unit.end)):
        if not taken or unit.start >= taken[-1].end:
            taken.append(unit)
    for start, end, words in find_quotes(text):
        taken.append(Unit("quote", start, end, " ".join(words.casefold().split())))
    return sorted(taken, key=lambda unit: (unit.start, -unit.end, unit.kind))
