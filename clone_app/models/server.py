"""A server that holds a language model: its address, and which addresses are safe to speak to."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from clone_app.errors import ModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Name a server: its address up to `/v1`, the model asked for, the key (empty for none)."""

    url: str
    model: str
    key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        """Return the machine's name, as the network log shows it."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


def checked_url(url: str) -> str:
    """Return a server's address without a slash at its end; raise for one that can't be used safely.

    Without TLS only this machine and the house's own network are spoken to: a diary doesn't cross
    the internet in the clear.
    """
    url = url.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        port_fits = parts.port is None or parts.port > 0
    except ValueError:
        parts, port_fits = urlsplit(""), False
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_fits:
        raise ModelError(
            f"“{url}” is not a server's address. Write one like http://localhost:8080/v1."
        )
    if parts.username or parts.password:
        raise ModelError("Leave name and password out of the address; the key has its own field.")
    if parts.scheme == "http" and not _at_home(parts.hostname):
        raise ModelError(
            f"What you write would cross the internet readable to anyone on its way to "
            f"{parts.hostname}. Use an address that starts with https://."
        )
    return url


def _at_home(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        # A whole address may be written as one number, 8.8.8.8 as 134744072.
        named = "." not in host and not host[:1].isdigit()
        return named or host.endswith((".local", ".lan", ".home.arpa", ".internal"))
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_private or address.is_link_local
