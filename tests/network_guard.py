"""Keeps tests, and the kernels that they start, from reaching beyond this machine."""

import ipaddress
import socket


class NetworkUsedError(BaseException):
    """Not an `Exception`, so that code under test which swallows its own faults cannot hide it."""


def is_local(address: object) -> bool:
    """Tell whether a socket address (or a Unix socket path) stays on this machine."""
    if not isinstance(address, tuple):
        return True
    host = address[0].decode("ascii", "replace") if isinstance(address[0], bytes) else address[0]
    if host in {None, "", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(str(host).split("%")[0]).is_loopback
    except ValueError:
        return False


def block(replace=setattr) -> None:
    """Make every connection and lookup that leaves this machine raise.

    `replace(owner, name, value)` installs a function; `monkeypatch.setattr` undoes it later.
    """
    for name in ("connect", "connect_ex"):
        replace(socket.socket, name, _guarded_connect(getattr(socket.socket, name)))
    replace(socket, "getaddrinfo", _guarded_lookup(socket.getaddrinfo))


def _guarded_connect(original):
    def connect(self, address):
        if not is_local(address):
            raise NetworkUsedError(f"connection to {address!r}: tests use no network")
        return original(self, address)

    return connect


def _guarded_lookup(original):
    def getaddrinfo(host, *args, **kwargs):
        if not is_local((host,)):
            raise NetworkUsedError(f"lookup of {host!r}: tests use no network")
        return original(host, *args, **kwargs)

    return getaddrinfo
