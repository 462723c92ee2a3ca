"""The few colours of every skin: six hues that colour-blind readers tell apart, at 4.5:1."""

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


def tint(origin: int) -> int:
    """Index of the tint of an origin number (from 1); 0 is the template, which has none."""
    return (origin - 1) % len(TINTS) if origin else -1
