"""One recorded change in words, with the name that its piece has in the list."""

from collections.abc import Mapping
from typing import Any

from explainkit.view.explorer.causes.offered import Offered
from explainkit.view.whatif.named_changes import order_words
from explainkit.view.words import flat


def said_of(told: Mapping[str, Any], offered: Offered) -> str:
    """A recorded change in words."""
    verb, name = str(told.get("verb")), flat(str(told.get("name") or told.get("by") or ""), 80)
    name = offered.named(told.get("seq"), name)
    part, held = offered.quoted(told), offered.holder(told, name)
    what = held if part is None else f"“{part}” in {held}"
    if verb == "restore":
        return f"with {what} put back"
    if verb == "remove":
        is_part = part is not None or held != name
        return f"without {what}" if is_part else offered.gone_words(told.get("seq"), name)
    if verb == "hold":
        return f"without the override by {what}"
    new = flat(str(told.get("by") or ""), 60)
    if verb in {"replace", "swap"}:
        return f"{what} becomes {new}"
    if verb == "reorder" and (order := flat(order_words(told), 160)):
        return f"{what}: {order}" if what else order
    return f"{verb} {what}"
