"""The blueprint of the account pages, and what holds for all of their requests."""

from __future__ import annotations

from flask import Blueprint, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from shared.errors import NotFoundError, NotSignedInError, ThroughlineError
from web.accounts.account_context import account_context, settings
from web.accounts.pages import ask_to_sign_in, show_error, show_http_error, show_stale_form

MAX_FORM_BYTES = 16_384
# What a site has no use for whose people sign in elsewhere.
OF_PASSWORDS = frozenset(
    {
        "accounts.sign_up",
        "accounts.reset",
        "accounts.second_factor",
        "accounts.change_password",
        "accounts.change_name",
        "accounts.begin_second_factor",
        "accounts.show_second_factor",
        "accounts.turn_on_second_factor",
        "accounts.turn_off_second_factor",
        "accounts.invite",
        "accounts.make_reset_link",
        "accounts.remove_second_factor",
        "accounts.set_operator",
    }
)

blueprint = Blueprint("accounts", __name__, url_prefix="/account")
blueprint.register_error_handler(NotSignedInError, ask_to_sign_in)
blueprint.register_error_handler(ThroughlineError, show_error)
blueprint.register_error_handler(CSRFError, show_stale_form)
blueprint.register_error_handler(HTTPException, show_http_error)


@blueprint.before_request
def check_request() -> None:
    """Every form shows the token that its page was given."""
    if settings().auth_mode != "password" and request.endpoint in OF_PASSWORDS:
        raise NotFoundError("People sign in elsewhere.")
    request.max_content_length = MAX_FORM_BYTES
    account_context().csrf.protect()
