"""Sign-in by OpenID Connect: authorization code with PKCE, state and nonce, by Authlib.

Authlib checks the state against the browser's session, and signature, issuer and nonce of the ID
token. What it takes from the provider is narrowed here: only signatures with a public key count,
the issuer is the one that the settings name, the audience this site, and the times are of now.
"""

from __future__ import annotations

import time
import unicodedata
from functools import partial
from typing import Any
from urllib.parse import urlencode

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.flask_client import OAuth
from flask import Flask, Response, request, session
from joserfc.errors import JoseError
from requests import RequestException

from shared.errors import ForbiddenError, TransientError
from shared.models.accounts import Identity
from shared.settings import Settings
from web.accounts.provider_session import ProviderSession

DISCOVERY = "/.well-known/openid-configuration"
CALLBACK = "/account/oidc/callback"
# A provider that lists others, such as `none`, is not believed.
SIGNATURES = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
)
MAX_NAME_CHARS = 64
MAX_SUBJECT_CHARS = 255  # OpenID Connect Core 1.0, section 2
KEPT_STATES = 3  # sign-ins that one browser may have begun at the same time
CLOCK_LEEWAY_S = 30
LONGEST_AGE_S = 15 * 60  # an ID token is made when the browser comes back
LONGEST_LIFE_S = 30 * 24 * 3600  # the longest that a large provider (Auth0) can be set to
_STATE = "_state_provider_"
AWAY = "The service where you sign in cannot be reached. Please try again in a moment."
REFUSED = "You were not signed in: the answer of the other service does not fit. Please try again."


class Provider:
    """A provider of sign-ins. It is asked for nothing before the first sign-in."""

    def __init__(self, app: Flask, settings: Settings) -> None:
        self._settings = settings
        self._client: Any = OAuth(app).register(
            "provider",
            client_id=settings.oidc_client_id,
            client_secret=settings.oidc_client_secret.get_secret_value() or None,
            server_metadata_url=settings.oidc_issuer + DISCOVERY,
            client_kwargs={
                "scope": settings.oidc_scopes,
                "code_challenge_method": "S256",
            },
        )
        self._client.client_cls = ProviderSession

    def begin(self) -> Response:
        """Lead the browser to the provider. Raises `TransientError` when the provider is away."""
        self._read_description()
        _forget_old_states()
        redirect: Response = self._client.authorize_redirect(self._settings.public_url + CALLBACK)
        return redirect

    def finish(self) -> Identity:
        """Whom the provider has signed in.

        Raises `ForbiddenError` for an answer that is none to this browser's question, or that the
        provider did not sign for this site, and `TransientError` when the provider is away.
        """
        description = self._read_description()
        _check_issuer(description)
        try:
            token = self._client.authorize_access_token(
                leeway=CLOCK_LEEWAY_S,
                claims_options={
                    "iss": {"essential": True, "value": description["issuer"]},
                    "aud": {"essential": True, "value": self._settings.oidc_client_id},
                    "sub": {"essential": True},
                    **_list_time_checks(time.time()),
                },
            )
        except RequestException as exc:
            raise TransientError(AWAY) from exc
        except (
            AuthlibBaseError,
            JoseError,
            ValueError,
            ArithmeticError,
            KeyError,
            TypeError,
            RecursionError,
        ) as exc:
            raise ForbiddenError(REFUSED) from exc
        return read_identity(token.get("userinfo") or {}, self._settings)

    def sign_out_address(self) -> str | None:
        """Where the provider's own session is ended, if it has said so."""
        endpoint = self._client.server_metadata.get("end_session_endpoint")
        back = {
            "client_id": self._settings.oidc_client_id,
            "post_logout_redirect_uri": f"{self._settings.public_url}/account/sign-in",
        }
        return f"{endpoint}?{urlencode(back)}" if endpoint else None

    def _read_description(self) -> dict[str, Any]:
        """The provider's description, read once. Raises `TransientError`."""
        try:
            description: dict[str, Any] = self._client.load_server_metadata()
        except (RequestException, ValueError, RecursionError) as exc:
            raise TransientError(AWAY) from exc
        if str(description.get("issuer", "")).rstrip("/") != self._settings.oidc_issuer:
            description.pop("_loaded_at", None)  # ask again next time
            raise TransientError("The service where you sign in says that it is another one.")
        offered = description.get("id_token_signing_alg_values_supported") or ["RS256"]
        description["id_token_signing_alg_values_supported"] = sorted(
            SIGNATURES.intersection(offered)
        )
        return description


def _check_issuer(description: dict[str, Any]) -> None:
    """Check who says to have sent the browser back (RFC 9207). Raises `ForbiddenError`."""
    issuers = request.args.getlist("iss")
    is_announced = description.get("authorization_response_iss_parameter_supported") is True
    if issuers != [description["issuer"]] and (issuers or is_announced):
        raise ForbiddenError(REFUSED)


def _list_time_checks(now: float) -> dict[str, dict[str, Any]]:
    """Checks of an ID token's times by claim. Authlib leaves out what is not there."""
    soon = now + CLOCK_LEEWAY_S
    bounds = {
        "exp": (now - CLOCK_LEEWAY_S, soon + LONGEST_LIFE_S),
        "iat": (now - LONGEST_AGE_S, soon),
        "nbf": (0, soon),
        "auth_time": (0, soon),
    }
    return {
        claim: {"validate": partial(_is_between, earliest, latest)}
        for claim, (earliest, latest) in bounds.items()
    }


def _is_between(earliest: float, latest: float, _: object, value: Any) -> bool:
    """Whether the value is a number within the bounds. `True` is none, and NaN is nowhere."""
    return type(value) in {int, float} and earliest <= value <= latest


def read_identity(claims: dict[str, Any], settings: Settings) -> Identity:
    """From the claims of a checked ID token. Raises `ForbiddenError` without a subject."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT_CHARS:
        raise ForbiddenError(REFUSED)
    if not subject.isprintable():
        raise ForbiddenError(REFUSED)
    return Identity(
        issuer=settings.oidc_issuer,
        subject=subject,
        name=_read_name(claims, subject),
        is_operator=subject in settings.operators or _has_operator_claim(claims, settings),
    )


def _read_name(claims: dict[str, Any], subject: str) -> str:
    for claim in ("preferred_username", "name"):
        text = claims.get(claim)
        if isinstance(text, str):
            name = unicodedata.normalize("NFKC", text[:MAX_NAME_CHARS]).strip()
            if name and name.isprintable():
                return name
    return subject[:MAX_NAME_CHARS]


def _has_operator_claim(claims: dict[str, Any], settings: Settings) -> bool:
    claim, _, expected = settings.oidc_operator_claim.partition("=")
    value = claims.get(claim) if expected else None
    return value == expected or (isinstance(value, list) and expected in value)


def _forget_old_states() -> None:
    """Authlib keeps one state for each sign-in that was begun, and a cookie is small."""
    begun = sorted(
        (name for name in session if name.startswith(_STATE)),
        key=lambda name: session[name].get("exp", 0),
    )
    for name in begun[: max(0, len(begun) - KEPT_STATES + 1)]:
        session.pop(name)
