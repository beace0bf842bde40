"""The embedding model and the models that answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from shared.embeddings.bulk_encoder import encode_queries, is_packed
from shared.embeddings.model_properties import dimension
from shared.embeddings.onnx_model import exported_folder
from shared.embeddings.query_encoder import QueryEncoder
from shared.errors import InvalidRequestError, ThroughlineError
from shared.llm import ChatMessage, ModelRequest, complete
from shared.llm.model_probe import probe
from shared.maintenance.doctor.examined_site import Finding, Site, ok, problem, skipped
from shared.models.site_models import SiteModel
from shared.settings import STAND_IN_MODEL, Settings, SettingsError

#: Asks a model. A fault's code, or "": it answers.
Question = Callable[[], str]

LONGEST_S = 20.0
ENCODING_S = 5.0
ANSWER_TOKENS = 16
HELLO = ChatMessage(role="user", content="Say hello in one word.")
ADVICE = {
    "model_refused": "check its key, and its name",
    "key_refused": "enter its key anew",
    "model_rate_limited": "its quota is used up, or it is asked too often",
}
OTHER_ADVICE = "check its address and its server"


def check_embedder(site: Site) -> Finding:
    """Embed a word. A form of the model that is not made yet is left to the first start."""
    settings = site.settings
    try:
        if is_packed(settings) and not exported_folder(settings).is_dir():
            return skipped("its form is made at the first start")
        if site.encoder is not None:
            return _check_encoder(site.encoder)
        vector = encode_queries(["hello"], settings)[0].vector
    except (SettingsError, OSError, ImportError) as exc:
        return problem(
            f"the embedding model cannot be loaded: {type(exc).__name__}",
            "check EMBEDDING_MODEL; remove DATA_DIR/embeddings, which is made anew",
        )
    if len(vector) != dimension(settings):
        return problem("the embedding model gives other vectors than it says", "bin/install")
    return ok("the embedding model loads and answers")


def _check_encoder(encoder: QueryEncoder) -> Finding:
    """Check the encoder of this web process, which is not loaded a second time."""
    if not encoder.ready:
        return problem(
            "the embedding model is not loaded in this process: search goes by words alone",
            "wait a minute after a start; then the log of web says why: encoder.not_loaded",
        )
    if encoder.encode("hello", ENCODING_S) is None:
        return problem("the embedding model gives no vector", "see the log of web: encoder.failed")
    return ok("the embedding model of this process answers")


def check_models(site: Site) -> Finding:
    """Ask each model one tiny question. A finding names a model by where it is set up."""
    settings = site.services.models.settings() if site.services else site.settings
    questions = {**_list_environment(settings), **_list_site_models(settings)}
    faults = {where: ask() for where, ask in questions.items() if site.has_time(LONGEST_S)}
    broken = {where: fault for where, fault in faults.items() if fault}
    if broken:
        says = ", ".join(f"{where}: {fault}" for where, fault in broken.items())
        first = next(iter(broken.values()))
        return problem(f"no answer of {says}", ADVICE.get(first, OTHER_ADVICE))
    if len(faults) < len(questions):
        left = len(questions) - len(faults)
        return skipped(f"{len(faults)} models answer; there was no time to ask {left} more")
    return ok(f"{len(faults)} models answer" if faults else "the stand-in answers by itself")


def _list_environment(settings: Settings) -> dict[str, Question]:
    """Questions by variable."""
    model_names = {"LLM_MODEL": settings.llm_model, "MEMORY_MODEL": settings.memory_model}
    model_names |= {
        f"LLM_FALLBACKS, number {number}": name
        for number, name in enumerate(settings.llm_fallbacks, start=1)
    }
    limited = settings.model_copy(
        update={"llm_timeout_s": LONGEST_S, "llm_tries": 1, "llm_fallbacks": ()}
    )
    return {
        variable: partial(_ask, name, limited)
        for variable, name in model_names.items()
        if name and name != STAND_IN_MODEL and settings.find_site_model(name) is None
    }


def _ask(name: str, settings: Settings) -> str:
    request = ModelRequest(
        model=name,
        messages=(HELLO,),
        purpose="reply",
        max_tokens=ANSWER_TOKENS,
        deadline_s=LONGEST_S,
    )
    try:
        complete(request, settings)
    except ThroughlineError as exc:
        return "" if exc.code == "out_of_tokens" else exc.code
    return ""


def _list_site_models(settings: Settings) -> dict[str, Question]:
    return {
        f"the page's model {number}": partial(_ask_site_model, model, settings)
        for number, model in enumerate(settings.site_models, start=1)
    }


def _ask_site_model(model: SiteModel, settings: Settings) -> str:
    try:
        outcome: str = probe(model, settings).outcome
    except InvalidRequestError:
        outcome = "unreachable"
    return "" if outcome == "works" else outcome
