"""The few colours of every skin: six hues that colour-blind readers tell apart, at 4.5:1."""

from typing import Final

INK = "#17202a"
MUTED = "#55606c"
LINE = "#d3d9df"
PAPER = "#ffffff"
WASH = "#f5f7f9"

AMBER = "#ffd54a"
"""Only for the walked words: the strongest thing on the board."""

FAILED = "#a4262c"
PASSED = "#0b6b4f"

TINTS: tuple[tuple[str, str], ...] = (
    ("#dcebfa", "#0b5394"),  # blue
    ("#d7f0e5", "#0b6b4f"),  # green
    ("#eee0f5", "#6f3290"),  # purple
    ("#fbe1d8", "#a13d12"),  # vermilion
    ("#d5eef5", "#0b6477"),  # cyan
)
"""Ground and ink of the origins of a prompt; further origins start over, told apart by number."""

LIGHT: Final = {
    "paper": PAPER,
    "wash": WASH,
    "ink": INK,
    "muted": MUTED,
    "line": LINE,
    "strong-line": "#7b8794",
    "focus": "#0b5394",
    "failed": FAILED,
    "passed": PASSED,
    "amber": AMBER,
    "amber-ink": INK,
    "amber-line": "#8a6100",
    "added": TINTS[1][0],
    "removed": TINTS[3][0],
} | {
    f"{part}{index}": pair[at]
    for index, pair in enumerate(TINTS)
    for at, part in enumerate(("ground", "ink"))
}
"""The properties of the style sheets, by name."""

DARK: Final = {
    "paper": "#12171d",
    "wash": "#1a2129",
    "ink": "#e8edf2",
    "muted": "#a5b0bc",
    "line": "#323c47",
    "focus": "#8cc2ff",
    "failed": "#ff9d94",
    "passed": "#7fdcb8",
    "amber-line": "#ffd54a",
    "added": "#133d30",
    "removed": "#4a2418",
    "ground0": "#17324d",
    "ink0": "#9ccaf7",
    "ground1": "#133d30",
    "ink1": "#7fdcb8",
    "ground2": "#38234a",
    "ink2": "#d3b0ea",
    "ground3": "#4a2418",
    "ink3": "#ffb499",
    "ground4": "#12393f",
    "ink4": "#8adbe8",
}
"""What differs in the dark; the other properties are those of the light."""

_FONTS: Final = {
    "sans": 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
    "mono": 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
}


def palette_css(root: str, *, dark: str, around: str) -> str:
    """The colours and fonts of a style sheet, as its first rules.

    Args:
        root: Selector of what they hold for.
        dark: Selector of the same in the dark.
        around: The media query in which ``dark`` holds.

    Example:
        >>> palette_css(":root", dark=":root", around="(prefers-color-scheme: dark)")[:24]
        ':root{--paper:#ffffff;--'
    """
    lighter = "".join(f"--{name}:{value};" for name, value in (LIGHT | _FONTS).items())
    darker = "".join(f"--{name}:{value};" for name, value in DARK.items())
    return (
        f"{root}{{{lighter}color-scheme:light}}\n"
        f"@media {around}{{{dark}{{{darker}color-scheme:dark}}}}\n"
    )


def tint(origin: int) -> int:
    """Index of the tint of an origin number (from 1); 0 is the template, which has none."""
    return (origin - 1) % len(TINTS) if origin else -1
