"""A real Dovecot on loopback: its own configuration, an account a test, mail that the test lays in."""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from imapclient.imap_utf7 import encode

PROGRAM = shutil.which("dovecot") or "/usr/sbin/dovecot"
PASSWORD = "blå-harbour"
_CONFIGURATION = """
protocols = imap
listen = 127.0.0.1
base_dir = {run}
state_dir = {run}
log_path = {home}/log
default_internal_user = {internal}
default_login_user = {login}
default_internal_group = {group}
first_valid_uid = 1
auth_mechanisms = plain login
auth_failure_delay = 0
disable_plaintext_auth = no
ssl = yes
ssl_cert = <{home}/server.pem
ssl_key = <{home}/server.key
mail_location = maildir:~/mail:INBOX=~/mail/INBOX:LAYOUT=fs
mail_fsync = never
maildir_stat_dirs = no
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={home}/%u
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox "Gesendete Sachen" {{
    special_use = \\Sent
  }}
  mailbox "Papierkorb & Müll" {{
    special_use = \\Trash
  }}
  mailbox Alles {{
    special_use = \\All
  }}
}}
service imap-login {{
{unchrooted}
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
service anvil {{
{unchrooted}
}}
service stats {{
{unchrooted}
}}
"""


def present() -> bool:
    """Tell whether there is a Dovecot."""
    return Path(PROGRAM).exists()


def _owner() -> pwd.struct_passwd:
    """Return who owns the mail: ourselves, or nobody where we are root, whom Dovecot refuses."""
    return pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())


def _roles(owner: pwd.struct_passwd) -> dict[str, str]:
    """Return who runs Dovecot's parts: the package's own users for root, else all of them us."""
    if os.getuid() == 0:
        return {"internal": "dovecot", "login": "dovenull", "group": "dovecot", "unchrooted": ""}
    group = grp.getgrgid(owner.pw_gid).gr_name
    return {"internal": owner.pw_name, "login": owner.pw_name, "group": group} | {
        "unchrooted": "  chroot ="
    }


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Box:
    """Be one account of a server: a folder of Maildirs that a test fills."""

    def __init__(self, server: Dovecot, user: str) -> None:
        self.user, self.port, self.tls_port = user, server.port, server.tls_port
        self.certificate = server.certificate
        self._owner = server.owner
        self._home = server.home / user
        self.deliver("INBOX", [])

    def folder(self, name: str) -> Path:
        """Return where a folder's Maildir lies; its name is written in IMAP's modified UTF-7."""
        return self._home / "mail" / encode(name).decode("ascii")

    def deliver(self, name: str, messages: list[bytes], *, flags: str = "") -> None:
        """Lay messages into a folder, as a mail program would have filed them."""
        box = self.folder(name)
        for part in ("cur", "new", "tmp"):
            (box / part).mkdir(parents=True, exist_ok=True)
        start = len(list((box / "cur").iterdir())) + len(list((box / "new").iterdir()))
        for number, message in enumerate(messages, start):
            (box / "cur" / f"{1_700_000_000 + number}.M{number}.test:2,{flags}").write_bytes(
                message
            )
        if os.getuid() == 0:
            for path in (self._home, *self._home.rglob("*")):
                os.chown(path, self._owner.pw_uid, self._owner.pw_gid)

    def files(self) -> set[str]:
        """Return the names of all messages: their flags are part of them."""
        return {path.name for path in (self._home / "mail").rglob("cur/*")}


class Dovecot:
    """Run a server whose accounts lie below a folder; any name is one, with the one password."""

    def __init__(self, home: Path) -> None:
        self.home, self.owner = home, _owner()
        self.port, self.tls_port = free_port(), free_port()
        self.certificate = home / "server.pem"
        (home / "run").mkdir(parents=True)
        _make_certificate(home)
        self._configuration = home / "dovecot.conf"
        self._configuration.write_text(
            _CONFIGURATION.format(
                home=home,
                run=home / "run",
                password=PASSWORD,
                port=self.port,
                tls_port=self.tls_port,
                uid=self.owner.pw_uid,
                gid=self.owner.pw_gid,
                **_roles(self.owner),
            ),
            "utf-8",
        )

    def __enter__(self) -> Dovecot:
        self._process = subprocess.Popen(
            [PROGRAM, "-F", "-c", str(self._configuration)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        deadline = time.monotonic() + 15
        while True:
            with (
                contextlib.suppress(OSError),
                socket.create_connection(("127.0.0.1", self.port), 1),
            ):
                return self
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.__exit__()
                log = self.home / "log"
                raise RuntimeError(log.read_text() if log.exists() else "Dovecot does not start")
            time.sleep(0.05)

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process.stderr:
            self._process.stderr.close()


def _make_certificate(home: Path) -> None:
    """Write a certificate for localhost that only who is told trusts."""
    import ipaddress

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName(
                [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
            ),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (home / "server.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (home / "server.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
