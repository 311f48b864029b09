"""A connection to a mail server: encrypted unless chosen otherwise, its faults said in words."""

from __future__ import annotations

import contextlib
import imaplib
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from clone_app.errors import MailPasswordError, MailServerError
from clone_app.importers.mailbox.account import Account, Security

CONNECT_SECONDS, READ_SECONDS = 15, 60
# A folder's list of numbers is one line of the protocol; the library's own limit (1 MB) is reached by
# some 120,000 messages.
_LINE_LIMIT = 50_000_000
_SPECIAL = (
    "Gmail, iCloud, Yahoo and Fastmail want an app password, which you make in your account's "
    "security settings."
)


@contextmanager
def connected(account: Account, password: str) -> Iterator[IMAPClient]:
    """Log in, hand over the connection, log out; raise `MailServerError` with what to do.

    The server's certificate is always checked. Nothing is sent before the connection is encrypted,
    unless the account says that it is not to be.
    """
    with said_in_words(account):
        client = _connect(account)
        try:
            _log_in(client, account, password)
            yield client
        finally:
            _leave(client)


def _connect(account: Account) -> IMAPClient:
    # The limit is the module's: it has no other place, and lines are read long after.
    imaplib._MAXLINE = max(imaplib._MAXLINE, _LINE_LIMIT)  # type: ignore[attr-defined]
    context = ssl.create_default_context()
    client = IMAPClient(
        account.host,
        port=account.usual_port,
        ssl=account.security is Security.TLS,
        ssl_context=context if account.security is Security.TLS else None,
        timeout=SocketTimeout(CONNECT_SECONDS, READ_SECONDS),
    )
    if account.security is Security.STARTTLS:
        try:
            client.starttls(context)
        except BaseException:
            _leave(client)
            raise
    return client


def _log_in(client: IMAPClient, account: Account, password: str) -> None:
    if client.has_capability("LOGINDISABLED"):
        raise MailServerError(
            f"{account.host} takes no password over a connection without encryption. "
            "Choose TLS or STARTTLS."
        )
    if f"{account.user}{password}".isascii() or not client.has_capability("AUTH=PLAIN"):
        client.login(account.user, password)
    else:  # LOGIN carries ASCII only
        client.plain_login(account.user, password)


def _leave(client: IMAPClient) -> None:
    """Say goodbye; where nobody listens any more, just hang up."""
    with contextlib.suppress(OSError, IMAPClientError):
        client.socket().settimeout(2)
        client.logout()
        return
    with contextlib.suppress(OSError, IMAPClientError, AttributeError):
        client.shutdown()


@contextmanager
def said_in_words(account: Account) -> Iterator[None]:
    """Turn what the network and the server say into a sentence with a next step."""
    host, port = account.host, account.usual_port
    try:
        yield
    except (LoginError, UnicodeEncodeError) as fault:
        raise MailPasswordError(
            f"{host} did not accept the password for {account.user}. Type it again. {_SPECIAL}"
        ) from fault
    except ssl.SSLCertVerificationError as fault:
        why = fault.verify_message or "unknown reason"
        raise MailServerError(
            f"{host} can't prove that it is {host} ({why}), so nothing was sent. Check the server's "
            "name; for a program on this computer choose no encryption."
        ) from fault
    except ssl.SSLError as fault:
        raise MailServerError(
            f"{host} does not speak TLS on port {port}. Choose another port or STARTTLS."
        ) from fault
    except socket.gaierror as fault:
        raise MailServerError(
            f"There is no server named {host}, or no network. Check the name and the connection."
        ) from fault
    except ConnectionRefusedError as fault:
        raise MailServerError(
            f"Nothing answers at {host}, port {port}. Check server and port with your mail provider."
        ) from fault
    except IMAPClientAbortError as fault:
        raise _broken_off(host) from fault
    except IMAPClientError as fault:
        raise MailServerError(
            f"{host} refused what was asked ({_said(fault)}). Try again later; if it goes on, choose "
            "fewer folders."
        ) from fault
    except OSError as fault:  # a timeout, a reset, a cable pulled out
        raise _broken_off(host) from fault


def _broken_off(host: str) -> MailServerError:
    return MailServerError(
        f"The connection to {host} broke off. What was fetched stays; import again to go on from "
        "there."
    )


def _said(fault: Exception) -> str:
    """Return the server's own words, cut short; it may say anything."""
    text = fault.args[0] if fault.args else ""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    return " ".join(str(text).split())[:120] or type(fault).__name__
