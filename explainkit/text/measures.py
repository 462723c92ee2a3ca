"""One canonical word for each spelling of a unit, so that `40 min` and `40 minutes` agree.

Magnitudes are never converted: a kilometre is not a thousand metres here, because a text that
says `1 km` does not hold the characters `1000 m`.
"""

from typing import Final

_SPELLINGS: Final = {
    "second": "second seconds sec secs s",
    "millisecond": "millisecond milliseconds msec ms",
    "minute": "minute minutes min mins",
    "hour": "hour hours hr hrs h",
    "day": "day days",
    "week": "week weeks",
    "month": "month months",
    "year": "year years yr yrs",
    "metre": "metre metres meter meters m",
    "kilometre": "kilometre kilometres kilometer kilometers km kms",
    "centimetre": "centimetre centimetres centimeter centimeters cm",
    "millimetre": "millimetre millimetres millimeter millimeters mm",
    "mile": "mile miles mi",
    "foot": "foot feet ft",
    "inch": "inch inches",
    "gram": "gram grams g",
    "kilogram": "kilogram kilograms kg kgs kilo kilos",
    "milligram": "milligram milligrams mg",
    "tonne": "tonne tonnes ton tons",
    "pound_mass": "lb lbs",
    "litre": "litre litres liter liters l",
    "millilitre": "millilitre millilitres milliliter milliliters ml",
    "byte": "byte bytes",
    "kilobyte": "kilobyte kilobytes kb",
    "megabyte": "megabyte megabytes mb",
    "gigabyte": "gigabyte gigabytes gb",
    "terabyte": "terabyte terabytes tb",
    "token": "token tokens",
    "watt": "watt watts w",
    "kilowatt": "kilowatt kilowatts kw",
    "kilowatt_hour": "kwh",
    "hertz": "hertz hz",
    "volt": "volt volts v",
    "celsius": "celsius \u2103 \u00b0c",
    "fahrenheit": "fahrenheit \u2109 \u00b0f",
    "degree": "degree degrees \u00b0",
    "percent": "percent pct %",
    "permille": "permille \u2030",
    "usd": "usd dollar dollars $",
    "eur": "eur euro euros \u20ac",
    "gbp": "gbp pound pounds \u00a3",
    "jpy": "jpy yen \u00a5",
    "inr": "inr rupee rupees \u20b9",
    "chf": "chf franc francs",
    "cny": "cny yuan rmb",
    "cad": "cad",
    "aud": "aud",
    "sek": "sek",
    "nok": "nok",
    "dkk": "dkk",
    "pln": "pln zloty",
    "btc": "btc bitcoin bitcoins \u20bf",
}
CANONICAL: Final[dict[str, str]] = {
    spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings.split()
}
CURRENCIES: Final = frozenset("usd eur gbp jpy inr chf cny cad aud sek nok dkk pln btc".split())
CURRENCY_SIGNS: Final = "$\u20ac\u00a3\u00a5\u20b9\u20bf"


def canonical_unit(word: str) -> str | None:
    """Return the canonical unit that the word spells, or None.

    >>> canonical_unit("Mins"), canonical_unit("%"), canonical_unit("tariff")
    ('minute', 'percent', None)
    """
    return CANONICAL.get(word.casefold())
