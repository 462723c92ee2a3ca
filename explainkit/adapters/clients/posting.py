"""Wraps a client's `post`: call through first, observe second, hand on the very same object."""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from explainkit.adapters.clients.apis import api_of
from explainkit.adapters.clients.following import follow
from explainkit.adapters.clients.recorded_calls import RecordedCall, quietly
from explainkit.flow.models.own_calls import is_own_call
from explainkit.tracing.current import CURRENT, current_frame, leave


class Watch:
    """Whether a client's calls are recorded."""

    on = False


def watch_post(post: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    """Wrap a client's `post`, sync or async.

    Args:
        post: The client's own.
        watch: Says whether to record.
    """
    if inspect.iscoroutinefunction(post):
        return _watch_async(post, watch)

    @functools.wraps(post)
    def watched(path: str, *args: Any, **given: Any) -> Any:
        call = _begin(path, given) if watch.on else None
        if call is None:
            return post(path, *args, **given)
        token = CURRENT.set(call.frame)
        try:
            result = post(path, *args, **given)
        except BaseException as error:
            quietly(call.run, call.close_raised, error)
            raise
        finally:
            leave(token)
        quietly(call.run, _observe, call, result)
        return result

    return watched


def _watch_async(post: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    @functools.wraps(post)
    async def watched(path: str, *args: Any, **given: Any) -> Any:
        call = _begin(path, given) if watch.on else None
        if call is None:
            return await post(path, *args, **given)
        token = CURRENT.set(call.frame)
        try:
            result = await post(path, *args, **given)
        except BaseException as error:
            quietly(call.run, call.close_raised, error)
            raise
        finally:
            leave(token)
        quietly(call.run, _observe, call, result)
        return result

    return watched


def _begin(path: str, given: dict[str, Any]) -> RecordedCall | None:
    """Open the link of a call, when it asks a model, inside a run, and nobody records it yet.

    What a `Model` of ours asks stands in the link around it: an Agent's, or a function's.
    """
    api, body = api_of(path), given.get("body")
    if api is None or not isinstance(body, Mapping):
        return None
    frame = current_frame()
    if frame is None or (frame.link is not None and is_own_call()):
        return None
    # An iterator can be read once; the client gets the list of what it gives.
    given["body"] = body = {
        key: list(value) if isinstance(value, Iterator) else value for key, value in body.items()
    }
    return quietly(frame.run, RecordedCall, frame, api, body)


def _observe(call: RecordedCall, result: Any) -> None:
    """Close the link with a reply that is there; follow one that is still to come."""
    raw = getattr(result, "http_response", None)
    if raw is not None:
        call.close_raw(raw)
    elif not call.streams:
        call.close_reply(result)
    elif hasattr(result, "_iterator") and hasattr(result, "response"):
        follow(result, call)
    else:
        call.close_unread(f"a stream of the unknown type {type(result).__name__}")
