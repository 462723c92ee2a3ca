"""Puts a recorder into a client's one door to the network, and leaves the client what it is."""

import functools
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

from explainkit.adapters.clients.posting import Watch, watch_post
from explainkit.safety import shorten

T = TypeVar("T")

_PACKAGES: Final = ("openai", "anthropic")
_MARK: Final = "_explainkit_watch"
_COPIES: Final = ("copy", "with_options")


def instrument(client: T) -> T:
    """Record the calls that code makes with a client, as links of kind `model`.

    Inside a run each call of chat completions, responses or messages is a link named by the model:
    sync or async, whole or streamed, parsed or not, failed or not. Outside a run nothing happens.
    What the calls give and raise is never changed; keys and headers are never recorded. Copies
    that `with_options` makes are recorded too. A second call changes nothing.

    Args:
        client: `openai.OpenAI`, `openai.AsyncOpenAI`, `anthropic.Anthropic`,
            `anthropic.AsyncAnthropic`, or a class made from one of them.

    Returns:
        The same client.

    Raises:
        TypeError: It is none of these.

    Example:
        >>> from openai import OpenAI
        >>> client = OpenAI(base_url="http://localhost:11434/v1", api_key="none")
        >>> instrument(client) is client
        True
    """
    _require_client(client)
    watch = vars(client).get(_MARK)
    if watch is None:
        watch = Watch()
        _install(client, watch)
    watch.on = True
    return client


def uninstrument(client: T) -> T:
    """Stop recording a client's calls; one that was never recorded stays what it is.

    Args:
        client: The client.

    Returns:
        The same client.

    Example:
        >>> from openai import OpenAI
        >>> client = instrument(OpenAI(base_url="http://localhost:11434/v1", api_key="none"))
        >>> uninstrument(client) is client
        True
    """
    watch = getattr(client, "__dict__", {}).get(_MARK)
    if watch is not None:
        watch.on = False
    return client


def _require_client(client: object) -> None:
    roots = {kind.__module__.partition(".")[0] for kind in type(client).__mro__}
    if not roots.intersection(_PACKAGES) or not callable(getattr(client, "post", None)):
        raise TypeError(
            "ek.instrument takes OpenAI(), AsyncOpenAI(), Anthropic() or AsyncAnthropic(), not "
            f"{shorten(repr(client), 80)}. Record another client's call with "
            '@ek.link(kind="model") around the function that makes it.'
        )


def _install(client: Any, watch: Watch) -> None:
    """Resources keep the client's `post` when they are made, so those that exist get it too."""
    watched = watch_post(client.post, watch)
    client.post = watched
    for resource in _resources(client, client, set()):
        resource._post = watched
    for name in _COPIES:
        if callable(getattr(client, name, None)):
            setattr(client, name, _copying(getattr(client, name), watch))
    setattr(client, _MARK, watch)


def _resources(client: object, holder: object, seen: set[int]) -> Iterator[Any]:
    for value in tuple(vars(holder).values()):
        ours = getattr(value, "__dict__", {}).get("_client") is client
        if ours and hasattr(value, "_post") and id(value) not in seen:
            seen.add(id(value))
            yield value
            yield from _resources(client, value, seen)


def _copying(copy: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    @functools.wraps(copy)
    def copied(*args: Any, **kwargs: Any) -> Any:
        made = copy(*args, **kwargs)
        return instrument(made) if watch.on else made

    return copied
