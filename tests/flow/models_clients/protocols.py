"""Replies in the shapes that OpenAI and Anthropic document, for the server to send."""

from tests.flow.models_clients.server import Events, Reply

USAGE = {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}
SPENT = {"input_tokens": 11, "output_tokens": 5}


def call(identifier, name, arguments):
    function = {"name": name, "arguments": arguments}
    return {"id": identifier, "type": "function", "function": function}


def chat(content, *, calls=(), finish=None, usage=USAGE):
    """A chat completion."""
    message = {"role": "assistant", "content": content, "refusal": None}
    if calls:
        message["tool_calls"] = list(calls)
    reason = finish or ("tool_calls" if calls else "stop")
    choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "small-2024",
        "choices": [choice],
    }
    return Reply(body | ({"usage": usage} if usage else {}))


def chunk(delta, finish=None, **more):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    body = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1}
    return {**body, "model": "small-2024", "choices": [choice], **more}


def chat_stream(*deltas, finish="stop", **options):
    """A streamed chat completion: the deltas, why it ended, usage, and the end mark."""
    events = [chunk({"role": "assistant", "content": ""}), *map(chunk, deltas)]
    events += [chunk({}, finish), chunk({}, choices=[], usage=USAGE), "data: [DONE]\n\n"]
    return Events(events, **options)


def texts(*pieces):
    return [{"content": piece} for piece in pieces]


def message(*blocks, stop="end_turn"):
    """An Anthropic message."""
    return Reply(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "small-2024",
            "content": list(blocks),
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": SPENT,
        }
    )


def text_block(text):
    return {"type": "text", "text": text}


def tool_use(identifier, name, arguments):
    return {"type": "tool_use", "id": identifier, "name": name, "input": arguments}


def message_stream(*blocks, stop="end_turn", **options):
    """A streamed Anthropic message; each block is (its start, its deltas)."""
    start = {**message().body, "content": [], "stop_reason": None}
    events = [
        {"type": "message_start", "message": {**start, "usage": SPENT | {"output_tokens": 1}}},
        {"type": "ping"},
    ]
    for index, (block, deltas) in enumerate(blocks):
        at = {"index": index}
        events.append({"type": "content_block_start", **at, "content_block": block})
        events += [{"type": "content_block_delta", **at, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", **at})
    delta = {"stop_reason": stop, "stop_sequence": None}
    events += [
        {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]
    return Events(events, named=True, **options)


def text_deltas(*pieces):
    return text_block(""), [{"type": "text_delta", "text": piece} for piece in pieces]


def input_deltas(identifier, name, *pieces):
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return tool_use(identifier, name, {}), deltas


def response(*items, status="completed"):
    """A response of OpenAI's Responses API."""
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": status,
        "model": "small-2024",
        "output": list(items),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 11,
            "output_tokens": 5,
            "total_tokens": 16,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def said(text):
    content = {"type": "output_text", "text": text, "annotations": []}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [content],
    }


def called(identifier, name, arguments):
    return {
        "id": f"fc_{identifier}",
        "type": "function_call",
        "call_id": identifier,
        "name": name,
        "arguments": arguments,
        "status": "completed",
    }


def response_stream(*pieces, **options):
    """A streamed response of one message."""
    empty = {**said(""), "status": "in_progress", "content": []}
    at = {"output_index": 0, "content_index": 0, "item_id": "msg_1"}
    part = {"type": "output_text", "text": "", "annotations": []}
    text = "".join(pieces)
    events = [
        {"type": "response.created", "response": response(status="in_progress")},
        {"type": "response.output_item.added", "output_index": 0, "item": empty},
        {"type": "response.content_part.added", **at, "part": part},
    ]
    events += [
        {"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []}
        for piece in pieces
    ]
    events += [
        {"type": "response.output_text.done", **at, "text": text, "logprobs": []},
        {"type": "response.content_part.done", **at, "part": {**part, "text": text}},
        {"type": "response.output_item.done", "output_index": 0, "item": said(text)},
        {"type": "response.completed", "response": response(said(text))},
    ]
    numbered = [event | {"sequence_number": number} for number, event in enumerate(events)]
    return Events(numbered, named=True, **options)
