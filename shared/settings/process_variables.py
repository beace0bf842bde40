"""Chooses the variables of each process of the Procfile: those that it needs, no other secret."""

from __future__ import annotations

from collections.abc import Mapping

from shared.settings.processes import ALL, ASK_MODELS, OWNERS, WEB, WORKERS, ForProcesses
from shared.settings.reading import Settings, variables_of
from shared.settings.value_files import SUFFIX

FETCH_MODELS = frozenset({"web", "worker-embed", "export"})
#: `export` writes the embedding model's form, for `web` and `worker-embed`; `model` answers for a
#: model file.
KINDS = ALL | {"export", "model"}
#: Variables that are no settings, and secrets, or may contain one: the processes that need them.
_OF_LIBRARIES = {
    "OTEL_EXPORTER_OTLP_HEADERS": WORKERS | WEB,
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS": WORKERS | WEB,
    "HF_TOKEN": FETCH_MODELS,
    "HTTP_PROXY": ASK_MODELS | FETCH_MODELS,
    "HTTPS_PROXY": ASK_MODELS | FETCH_MODELS,
    "ALL_PROXY": ASK_MODELS | FETCH_MODELS,
}
NEEDED_BY = _OF_LIBRARIES | {
    variable: mark.names
    for name, setting in Settings.model_fields.items()
    for mark in setting.metadata
    if isinstance(mark, ForProcesses)
    for variable in variables_of(name)
}
#: How the names of other variables begin that every process is given.
OF_SYSTEM = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_", "TZ", "TMPDIR", "LD_", "PYTHON",
    "COVERAGE_", "MALLOC_", "OMP_", "OPENBLAS_", "MKL_", "TOKENIZERS_", "REMAP_SIGTERM",
    "SSL_CERT_", "CUDA_", "ORT_", "HF_HUB_", "HF_HOME", "DO_NOT_TRACK", "LITELLM_LOCAL_", "OTEL_",
    "WORKER_", "PROMETHEUS_",
)  # fmt: skip
#: Also beginnings of names: libpq's, with its password, and Flower's own options.
OF_SOME = {"PG": NEEDED_BY["DATABASE_URL"], "FLOWER_": frozenset({"flower"})}


def choose_variables(kind: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The variables of `environment` for a process of this kind.

    A process that the project does not have is given what several are given, but not the owner.
    """
    chosen = {name: text for name, text in environment.items() if _is_for(kind, name.upper())}
    if kind in {"beat", "flower"} and chosen.get("BROKER_URL"):
        chosen.pop("REDIS_URL", None)
    return chosen


def _is_for(kind: str, variable: str) -> bool:
    name = variable.removesuffix(SUFFIX)
    if name in NEEDED_BY:
        return kind in NEEDED_BY[name] or (kind not in KINDS and len(NEEDED_BY[name] - OWNERS) > 1)
    if kind not in KINDS or kind in ASK_MODELS or name.lower() in Settings.model_fields:
        return True
    kinds = next((kinds for start, kinds in OF_SOME.items() if name.startswith(start)), None)
    return kind in kinds if kinds is not None else name.startswith(OF_SYSTEM)
