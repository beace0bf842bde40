"""The consent page, among the account pages: its forms are protected as theirs are."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Response, request

from shared.errors import InvalidRequestError
from web.accounts.blueprint import blueprint
from web.accounts.pages import show_page
from web.accounts.signed_in import own_account
from web.mcp.oauth.clients import RegisteredClient, find_client
from web.mcp.oauth.consent_request import ConsentRequest, read_request
from web.mcp.oauth.grants import add_grant
from web.requests.callers import needs


@blueprint.get("/connect")
@needs()
def connect() -> Response:
    own_account()
    consent_request = read_request(request.args.get("request", ""))
    return show_page(
        "connect",
        client=_client_of(consent_request).client_name,
        place=place_of(consent_request.redirect_uri),
        scopes=consent_request.scopes,
        sealed=request.args["request"],
    )


@blueprint.post("/connect")
@needs()
def decide() -> Response:
    """The page goes back to the program by itself.

    It is no redirect: browsers follow one after a form only to places that the page's policy names.
    """
    account = own_account()
    consent_request = read_request(request.form.get("request", ""))
    client = _client_of(consent_request)
    if request.form.get("decision") == "allow":
        address = consent_request.answer(
            code=add_grant(account.account_id, consent_request, client)
        )
    else:
        address = consent_request.answer(error="access_denied")
    return show_page("connected", client=client.client_name, address=address)


def place_of(redirect_uri: str) -> str:
    """Where the browser goes back to, as people read it."""
    parts = urlsplit(redirect_uri)
    return parts.netloc if parts.scheme in {"http", "https"} else f"{parts.scheme}:"


def _client_of(consent_request: ConsentRequest) -> RegisteredClient:
    client = find_client(consent_request.client_id)
    if client is None:
        raise InvalidRequestError("The program is not known here any more. Please connect anew.")
    return client
