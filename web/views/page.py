"""The page: rendered from templates. Its scripts fetch all data from the API.

A first visit is told where what is said is kept, and which models it is sent to.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Blueprint, g, render_template

from shared.settings import STAND_IN_MODEL, Settings
from web.pages.assets import STYLES, list_first_files
from web.pages.language import current_language, find_chosen_language
from web.pages.texts import list_languages, read_texts, write_texts
from web.process.context import web_context
from web.requests.callers import needs

blueprint = Blueprint("page", __name__)


@blueprint.get("/")
@blueprint.get("/c/<conversation_id>")
@needs()
def show(conversation_id: str = "") -> str:
    language, settings = current_language(), web_context().services.settings
    return render_template(
        "page/chat.html",
        conversation_id=conversation_id,
        user_id=None if settings.auth_mode == "local" else g.user_id,
        languages=list_languages(),
        chosen_language=find_chosen_language(),
        texts=read_texts(language),
        texts_json=write_texts(language),
        styles=STYLES,
        modules=list_first_files("js/main.js"),
        has_accounts=settings.has_accounts,
        data=find_whereabouts(web_context().services.models.settings()),
        may_share=settings.may_share,
        may_operate="operate" in g.caller.scopes,
    )


EXAMPLES = ("tell", "ask", "know")
HELPER_EXAMPLES = ("tell", "know", "can")  #: what the built-in helper answers well


@dataclass(frozen=True, kw_only=True)
class Whereabouts:
    """Words for `welcome.kept.*`, `welcome.sent.*` and `welcome.example.*`."""

    place_of_data: str
    host: str
    sent: str
    models: str
    examples: tuple[str, ...]


def find_whereabouts(settings: Settings) -> Whereabouts:
    """Find where messages are kept, and which models they are sent to.

    A user of somebody else's site is told no name of a host. `settings` have the models that
    operators set up.
    """
    host = urlsplit(settings.database_url).hostname or ""
    place = "machine" if _is_this_machine(host) else "host"
    used = dict.fromkeys((settings.chat_model, settings.effective_memory_model))
    models = [model for model in used if model != STAND_IN_MODEL]
    return Whereabouts(
        place_of_data=place if settings.auth_mode == "local" else "site",
        host=host,
        sent="model" if models else "stand_in",
        models=", ".join(models),
        examples=HELPER_EXAMPLES if settings.chat_model == STAND_IN_MODEL else EXAMPLES,
    )


def _is_this_machine(host: str) -> bool:
    """Without a name, Postgres is reached by a socket in the file system."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host in {"", "localhost"}
