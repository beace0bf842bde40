"""Which of the site's models a request may name."""

from __future__ import annotations

from shared.errors import InvalidRequestError
from shared.models.library import Persona
from web.process.context import web_context


def check_offered(name: str | None) -> str | None:
    """Returns `name`. Raises `InvalidRequestError` unless users may choose this model."""
    known = web_context().services.models.settings().offered_models
    if name is None or name in known:
        return name
    raise InvalidRequestError(f"model: there is no such model. Choose one of: {', '.join(known)}.")


def choose_model(name: str | None, persona: Persona | None, *, is_named: bool) -> str | None:
    """The model that a chat begins with. None: the site's default.

    `is_named`: the request has the field, if only to ask for the default; else the persona decides.
    """
    if persona is not None and not is_named:
        return persona.text.model
    return check_offered(name)
