"""One-time links: of the first account, of invitations, of resets."""

from __future__ import annotations

import logging
from urllib.parse import urlencode

from shared.access.audit import record
from shared.errors import DatabaseUnavailableError, ForbiddenError
from shared.models import UserId
from shared.services import Services
from shared.settings import Settings
from shared.store.accounts import links, people
from web.accounts.addresses import site_url
from web.accounts.creation import DEAD_LINK
from web.accounts.passwords import check_new_password, hash_password
from web.accounts.random_tokens import hash_token, make_token
from web.accounts.revocation import end_access, list_kept_tokens
from web.process.context import WebContext, transaction

logger = logging.getLogger(__name__)

HOUR_S = 3600
LINK_HOURS = 72  # of invitations and resets: over a weekend
SETUP_HOURS = 24
PATIENCE_S = 5.0


def make_invitation(settings: Settings, by: UserId) -> str:
    """The address with which one account can be made. `by` is the operator."""
    token = make_token()
    with transaction() as connection:
        links.add_link(connection, hash_token(token), "invitation", lifetime_s=LINK_HOURS * HOUR_S)
        record(connection, "account.invite", by)
    return _address(settings, "sign-up", token)


def make_reset(services: Services, account_id: UserId) -> str:
    """The address with which this account's password can be set once."""
    token = make_token()
    with services.database.transaction() as connection:
        links.add_link(
            connection,
            hash_token(token),
            "reset",
            lifetime_s=LINK_HOURS * HOUR_S,
            account_id=account_id,
        )
        record(connection, "password.link", account_id)
    return _address(services.settings, "reset", token)


def use_reset(services: Services, token: str, password: str, *, with_tokens: bool) -> None:
    """Set the password of the link's account, and end all access to it.

    Raises `ForbiddenError` for a link that is used up, and `InvalidRequestError`.
    """
    check_new_password(password, "")
    account_id = find_resettable(services, token)
    password_hash = hash_password(password)
    with services.database.transaction(user=account_id) as connection:
        if links.take_link(connection, hash_token(token), "reset") is None:
            raise ForbiddenError(DEAD_LINK)
        people.set_password(connection, account_id, password_hash)
        end_access(connection, account_id, with_tokens=with_tokens)
        record(connection, "password.reset", account_id)


def count_tokens_behind(services: Services, token: str) -> int:
    """The API tokens of the link's account. Their names are for whoever is signed in.

    Raises `ForbiddenError` for a link that sets nobody's password.
    """
    account_id = find_resettable(services, token)
    with services.database.transaction(user=account_id) as connection:
        return len(list_kept_tokens(connection, account_id))


def find_resettable(services: Services, token: str) -> UserId:
    """The account whose password the link sets. Raises `ForbiddenError`."""
    with services.database.transaction() as connection:
        link = links.find_link(connection, hash_token(token))
    if link is None or link.purpose != "reset" or link.account_id is None:
        raise ForbiddenError(DEAD_LINK)
    return link.account_id


def make_setup_link(services: Services) -> str | None:
    """The address at which the first account can be made. None: there is an account."""
    token = make_token()
    with services.database.transaction() as connection:
        if people.has_accounts(connection):
            return None
        links.add_link(connection, hash_token(token), "setup", lifetime_s=SETUP_HOURS * HOUR_S)
    return _address(services.settings, "sign-up", token)


def announce_setup(context: WebContext) -> None:
    """Log where the first account can be made, once the database is there and migrated.

    This secret is good as long as nobody has an account, and for a day: like a notebook server's
    token it is for whoever has started the site.
    """
    if context.services.settings.auth_mode != "password":
        return
    while not _has_announced(context.services):
        if context.leaving.wait(PATIENCE_S):
            return


def _has_announced(services: Services) -> bool:
    """False while the database is away, or has no table of accounts yet."""
    try:
        with services.database.transaction() as connection:
            if not people.is_there(connection):
                return False
        address = make_setup_link(services)
    except DatabaseUnavailableError:
        return False
    if address:
        logger.warning("accounts.none_yet", extra={"make_the_first": address})
    return True


def _address(settings: Settings, page: str, token: str) -> str:
    return f"{site_url(settings)}/account/{page}?{urlencode({'link': token})}"
