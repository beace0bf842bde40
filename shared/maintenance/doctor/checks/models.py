"""The embedding model and the models that answer."""

from __future__ import annotations

from shared.embeddings import dimension, encode_queries
from shared.embeddings.bulk_encoder import is_packed
from shared.embeddings.onnx_model import exported_folder
from shared.errors import InvalidRequestError, ThroughlineError
from shared.llm import ChatMessage, ModelRequest, complete
from shared.llm.model_probe import probe
from shared.maintenance.doctor.site import Finding, Site, ok, problem, skipped
from shared.settings import STAND_IN_MODEL, Settings, SettingsError

LONGEST_S = 20.0
ANSWER_TOKENS = 16
HELLO = ChatMessage(role="user", content="Say hello in one word.")
ADVICE = {
    "model_refused": "check its key, and its name",
    "key_refused": "enter its key anew",
    "model_rate_limited": "its quota is used up, or it is asked too often",
}
OTHER_ADVICE = "check its address and its server"


def check_embedder(site: Site) -> Finding:
    """Load the model and embed a word. A form that is not made yet is left to the first start."""
    settings = site.settings
    try:
        if is_packed(settings) and not exported_folder(settings).is_dir():
            return skipped("its form is made at the first start")
        vector = encode_queries(["hello"], settings)[0].vector
    except (SettingsError, OSError, ImportError) as exc:
        return problem(
            f"the embedding model cannot be loaded: {type(exc).__name__}",
            "check EMBEDDING_MODEL; remove DATA_DIR/embeddings, which is made anew",
        )
    if len(vector) != dimension(settings):
        return problem("the embedding model gives other vectors than it says", "bin/install")
    return ok("the embedding model loads and answers")


def check_models(site: Site) -> Finding:
    """Each model is asked one tiny question. They are told by where they are set up."""
    settings = site.services.models.settings() if site.services else site.settings
    faults = {**_ask_environment(settings), **_ask_site_models(settings)}
    broken = {where: fault for where, fault in faults.items() if fault}
    if broken:
        says = ", ".join(f"{where}: {fault}" for where, fault in broken.items())
        first = next(iter(broken.values()))
        return problem(f"no answer of {says}", ADVICE.get(first, OTHER_ADVICE))
    return ok(f"{len(faults)} models answer" if faults else "the stand-in answers by itself")


def _ask_environment(settings: Settings) -> dict[str, str]:
    """Faults by variable; "": it answers."""
    model_names = {"LLM_MODEL": settings.llm_model, "MEMORY_MODEL": settings.memory_model}
    model_names |= {
        f"LLM_FALLBACKS, number {number}": name
        for number, name in enumerate(settings.llm_fallbacks, start=1)
    }
    limited = settings.model_copy(
        update={
            "llm_timeout_s": LONGEST_S, "llm_deadline_s": LONGEST_S, "llm_tries": 1,
            "llm_fallbacks": (),
        }
    )  # fmt: skip
    return {
        variable: _ask(name, limited)
        for variable, name in model_names.items()
        if name and name != STAND_IN_MODEL and settings.find_site_model(name) is None
    }


def _ask(name: str, settings: Settings) -> str:
    request = ModelRequest(model=name, messages=(HELLO,), purpose="reply", max_tokens=ANSWER_TOKENS)
    try:
        complete(request, settings)
    except ThroughlineError as exc:
        return "" if exc.code == "out_of_tokens" else exc.code
    return ""


def _ask_site_models(settings: Settings) -> dict[str, str]:
    faults = {}
    for number, model in enumerate(settings.site_models, start=1):
        try:
            outcome: str = probe(model, settings).outcome
        except InvalidRequestError:
            outcome = "unreachable"
        faults[f"the page's model {number}"] = "" if outcome == "works" else outcome
    return faults
