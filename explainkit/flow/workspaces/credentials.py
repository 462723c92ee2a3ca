"""Credentials in addresses are hidden, because git repeats addresses in its messages."""

import re

from explainkit.safety.redactor import Redactor

# Everything between the scheme and the last @ before the path is a user, a password or a token.
_USER = re.compile(r"(?<=://)[^/\s'\"]*@")
_QUERY = re.compile(r"(?<=[?&])([^=&\s'\"]+)=[^&\s'\"]+")


def hidden(text: str) -> str:
    """The text with `***` for users, passwords and query values in its addresses.

    Example:
        >>> hidden("cannot read https://me:secret@example.org/app.git?key=secret")
        'cannot read https://***@example.org/app.git?key=***'
    """
    return Redactor().text(_QUERY.sub(r"\1=***", _USER.sub("***@", text)))
