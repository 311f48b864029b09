"""A connection to a mail server: encrypted unless chosen otherwise, its faults said in words."""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from imapclient import SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from clone_app.errors import MailPasswordError, MailServerError
from clone_app.importers.mailbox.account import Account, Security
from clone_app.importers.mailbox.wire import Client, TooMuchError
from clone_app.importers.member import shown

CONNECT_SECONDS, READ_SECONDS = 15, 60
_GONE = (OSError, IMAPClientError, TooMuchError, AttributeError, ValueError)
_SPECIAL = (
    "Gmail, iCloud, Yahoo and Fastmail want an app password, which you make in your account's "
    "security settings."
)


@contextmanager
def connected(account: Account, password: str) -> Iterator[Client]:
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


def _connect(account: Account) -> Client:
    try:
        account.host.encode("idna")
    except UnicodeError as fault:
        raise _nobody(account.host) from fault
    context = ssl.create_default_context()
    client = Client(
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


def _log_in(client: Client, account: Account, password: str) -> None:
    if client.has_capability("LOGINDISABLED"):
        raise MailServerError(
            f"{account.host} takes no password over a connection without encryption. "
            "Choose TLS or STARTTLS."
        )
    if f"{account.user}{password}".isascii():
        client.login(account.user, password)
    elif client.has_capability("AUTH=PLAIN"):  # LOGIN carries ASCII only
        client.plain_login(account.user, password)
    else:
        raise LoginError("letters that it can't be sent")


def _leave(client: Client) -> None:
    """Say goodbye; where nobody listens any more, just hang up."""
    with contextlib.suppress(*_GONE):
        client.socket().settimeout(2)
        client.logout()
        return
    with contextlib.suppress(*_GONE):
        client.shutdown()


@contextmanager
def said_in_words(account: Account) -> Iterator[None]:
    """Turn what the network and the server say into a sentence with a next step."""
    host, port = account.host, account.usual_port
    try:
        yield
    except LoginError as fault:
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
        raise _nobody(host) from fault
    except ConnectionRefusedError as fault:
        raise MailServerError(
            f"Nothing answers at {host}, port {port}. Check server and port with your mail provider."
        ) from fault
    except TooMuchError as fault:
        raise MailServerError(
            f"{host} sent more than anybody asked for, so the connection was ended. Check the server's "
            "name; where it is right, choose fewer folders."
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


def _nobody(host: str) -> MailServerError:
    return MailServerError(
        f"There is no server named {host}, or no network. Check the name and the connection."
    )


def _broken_off(host: str) -> MailServerError:
    return MailServerError(
        f"The connection to {host} broke off. What was fetched stays; import again to go on from "
        "there."
    )


def _said(fault: Exception) -> str:
    """Return the server's own words, cut short; it may say anything, to a terminal too."""
    text = fault.args[0] if fault.args else ""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    return shown(" ".join(str(text).split()))[:120] or type(fault).__name__
