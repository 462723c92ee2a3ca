"""A small HTTP server that says what a test tells it, in the protocols of real providers."""

import json
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATIENCE = 20  # seconds that a held reply waits for its release, so that a failing test ends


@dataclass
class Reply:
    """One whole response."""

    body: object
    status: int = 200
    headers: dict = field(default_factory=dict)


@dataclass
class Events:
    """A stream of server-sent events.

    Attributes:
        events: Data of each event; a text is sent as it is.
        named: Whether each event line names the type of its data.
        hold_after: How many events to send before waiting for `ModelServer.release`.
        cut: Whether to drop the connection instead of ending the stream.
    """

    events: list
    named: bool = False
    hold_after: int | None = None
    cut: bool = False


@dataclass
class Request:
    path: str
    headers: dict
    body: dict


class Hold:
    """No reply until `ModelServer.release` is set."""


class ModelServer:
    """Gives its replies in order; a context manager.

    Attributes:
        url: Where it listens.
        requests: What it was asked.
        arrived: Set when a request was read.
        release: Lets held replies go on.
    """

    def __init__(self, *replies):
        self.requests: list[Request] = []
        self.arrived = threading.Event()
        self.release = threading.Event()
        self._replies = list(replies)
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def add(self, *replies):
        self._replies += replies

    def next_reply(self):
        with self._lock:
            if self._replies:
                return self._replies.pop(0)
        return Reply({"error": {"message": "the script is used up"}}, status=400)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.release.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


def _handler(server: ModelServer):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            length = int(self.headers["content-length"] or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            server.requests.append(Request(self.path, dict(self.headers.items()), body))
            reply = server.next_reply()
            server.arrived.set()
            self.close_connection = True
            with suppress(OSError):  # the client may go away, as some tests want it to
                self._answer(reply)

        def _answer(self, reply):
            if isinstance(reply, Hold):
                server.release.wait(PATIENCE)
            elif isinstance(reply, Events):
                self._stream(reply)
            else:
                self._whole(reply)

        def _whole(self, reply):
            kind, data = "application/json", reply.body
            if isinstance(data, str):
                kind, data = "text/html", data.encode()
            else:
                data = json.dumps(data).encode()
            self.send_response(reply.status)
            headers = {
                "content-type": kind,
                "content-length": str(len(data)),
                "connection": "close",
            }
            for name, value in (headers | reply.headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, reply):
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.send_header("connection", "close")
            self.end_headers()
            for number, event in enumerate(reply.events):
                if number == reply.hold_after:
                    server.release.wait(PATIENCE)
                self._chunk(_lines(event, named=reply.named))
            if not reply.cut:
                self.wfile.write(b"0\r\n\r\n")

        def _chunk(self, data):
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
            self.wfile.flush()

        def log_message(self, *_):
            """Say nothing on the terminal."""

    return Handler


def _lines(event, *, named):
    if isinstance(event, str):
        return event.encode()
    head = f"event: {event['type']}\n" if named else ""
    return f"{head}data: {json.dumps(event)}\n\n".encode()
