"""Makes run ids that sort by time and can be a file name."""

import secrets
from datetime import UTC, datetime

from explainkit.safety.paths import safe_name


def new_run_id(name: str, now: int) -> str:
    """A new id such as ``20260102T030405-claim-5f1c2a``.

    Args:
        name: The run's name.
        now: Nanoseconds since the epoch.
    """
    moment = datetime.fromtimestamp(now / 1e9, UTC).strftime("%Y%m%dT%H%M%S")
    return f"{moment}-{safe_name(name)[:40]}-{secrets.token_hex(3)}"
