"""Which mail account is meant and how its server is spoken to; without the library that speaks."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote


class Security(StrEnum):
    """How a connection is encrypted: from its start, after asking, or not at all."""

    TLS = "tls"
    STARTTLS = "starttls"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Name a mail account. Port 0 stands for the usual one."""

    host: str
    user: str
    port: int = 0
    security: Security = Security.TLS

    @property
    def usual_port(self) -> int:
        """Return the port that is used."""
        return self.port or (993 if self.security is Security.TLS else 143)

    @property
    def url(self) -> str:
        """Return the account as RFC 5092 writes it, its port and the encryption included."""
        scheme = "imaps" if self.security is Security.TLS else "imap"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{quote(self.user, safe='')}@{host}:{self.usual_port}"

    @property
    def local(self) -> bool:
        """Tell whether the server is on this computer, so that nothing crosses a network."""
        if self.host.lower() == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


# Where the mail of well-known addresses lies; others mostly call their server imap.their.domain.
_SERVERS = {
    "gmail.com": "imap.gmail.com",
    "googlemail.com": "imap.gmail.com",
    "icloud.com": "imap.mail.me.com",
    "me.com": "imap.mail.me.com",
    "mac.com": "imap.mail.me.com",
    "yahoo.com": "imap.mail.yahoo.com",
    "yahoo.co.uk": "imap.mail.yahoo.com",
    "yahoo.de": "imap.mail.yahoo.com",
    "yahoo.fr": "imap.mail.yahoo.com",
    "aol.com": "imap.aol.com",
    "fastmail.com": "imap.fastmail.com",
    "gmx.de": "imap.gmx.net",
    "gmx.net": "imap.gmx.net",
    "gmx.at": "imap.gmx.net",
    "gmx.ch": "imap.gmx.net",
    "gmx.com": "imap.gmx.com",
    "web.de": "imap.web.de",
    "t-online.de": "secureimap.t-online.de",
    "posteo.de": "posteo.de",
    "mailbox.org": "imap.mailbox.org",
    "qq.com": "imap.qq.com",
    "163.com": "imap.163.com",
    "126.com": "imap.126.com",
}


def likely_host(address: str) -> str:
    """Return the server an address's mail likely lies on, for the user to correct; else empty."""
    domain = address.strip().rpartition("@")[2].lower()
    if "@" not in address or "." not in domain:
        return ""
    return _SERVERS.get(domain, f"imap.{domain}")
