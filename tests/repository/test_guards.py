"""The guards that every other test relies on."""

import os
import socket
import urllib.request

import pytest

from tests.network_guard import NetworkUsedError, is_local

ELSEWHERE = ("192.0.2.1", 80)  # reserved for documentation (RFC 5737): nobody answers


def test_a_connection_to_elsewhere_fails_the_test():
    with socket.socket() as client, pytest.raises(NetworkUsedError, match=r"192\.0\.2\.1"):
        client.connect(ELSEWHERE)


def test_looking_a_name_up_fails_the_test():
    with pytest.raises(NetworkUsedError, match=r"example\.invalid"):
        urllib.request.urlopen("http://example.invalid/")


def test_this_machine_can_be_reached():
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
    ):
        assert client.getpeername() == server.getsockname()


@pytest.mark.parametrize(
    ("address", "local"),
    [
        (("127.0.0.1", 1), True),
        (("::1", 1, 0, 0), True),
        (("localhost", 1), True),
        ((b"localhost", 1), True),
        ("a-socket-file", True),
        (("127.0.0.1.example.org", 1), False),
        (("10.0.0.1", 1), False),
        (("0.0.0.0", 1), False),
    ],
)
def test_what_counts_as_this_machine(address, local):
    assert is_local(address) is local


def test_the_tracer_is_strict():
    assert os.environ["EXPLAINKIT_STRICT"] == "1"
