"""The process that answers for a model file, and what the site needs to ask it."""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from shared.settings import Settings
from shared.settings.process_variables import choose_variables
from supervisor.embedded.errors import EmbeddedServiceError
from supervisor.embedded.owner import Owner
from supervisor.errors import StartError
from supervisor.local_model import KEY_VARIABLE
from supervisor.local_model.fit import choose_threads
from supervisor.local_model.model_file import PREFIX, ModelFile, open_model_file
from supervisor.page import Probe
from supervisor.ports import choose_port

PACKAGE = "xllamacpp"
ADDRESS = "127.0.0.1"
#: A prompt takes minutes on a small machine, in which the server sends nothing. The longest.
SILENCE_S = 600
#: In DATA_DIR: how commands ask the model while the site runs.
VARIABLES_FILE = "local-model"


class LocalModel:
    """A server of the model in `file`, at a port of this machine alone."""

    name = "model"
    stop_signal = signal.SIGTERM
    folder = None

    def __init__(self, file: ModelFile, account: Owner) -> None:
        self.identity = account.identity
        self._file = file
        self._port = choose_port("LLM_MODEL", ADDRESS, 0)
        self._key = secrets.token_urlsafe(32)
        self._probe = Probe(self.address)
        variables = choose_variables(self.name, os.environ)
        self.environment: Mapping[str, str] = variables | {KEY_VARIABLE: self._key}

    @property
    def address(self) -> str:
        return f"http://{ADDRESS}:{self._port}"

    def prepare(self) -> None:
        if not self._file.path.is_file():
            raise EmbeddedServiceError(f"there is no file {self._file.path}")

    def command(self) -> list[str]:
        threads = choose_threads(_count_cores())
        numbers = map(str, (self._port, self._file.window, threads))
        serve = [sys.executable, "-m", "supervisor.local_model.serve"]
        return [*serve, str(self._file.path), self._file.name, *numbers]

    def is_ready(self) -> bool:
        """Whether the model is in memory."""
        return self._probe.is_well("/health")

    def site_variables(self, settings: Settings) -> dict[str, str]:
        """The settings by which the site's processes ask the model."""
        window = self._file.window
        variables = {
            "LLM_MODEL": self._file.name,
            "LLM_API_BASE": f"{self.address}/v1",
            "LLM_API_KEY": self._key,
            "CTX_TOKENS": str(min(settings.ctx_tokens, window // 2)),
        }
        if "llm_timeout_s" not in settings.model_fields_set:
            variables["LLM_TIMEOUT_S"] = str(SILENCE_S)
        return variables


def make_local_models(settings: Settings, account: Owner) -> list[LocalModel]:
    """The model, if LLM_MODEL names a file. Raises StartError where it cannot be asked."""
    for variable, names in (
        ("MEMORY_MODEL", (settings.memory_model,)), ("LLM_FALLBACKS", settings.llm_fallbacks)
    ):  # fmt: skip
        if any(name.startswith(PREFIX) for name in names):
            raise StartError(f"{variable}: only LLM_MODEL may name a file.")
    if not settings.llm_model.startswith(PREFIX):
        return []
    if settings.llm_api_base:
        raise StartError("LLM_API_BASE names a server and LLM_MODEL a file: set one of them.")
    if importlib.util.find_spec(PACKAGE) is None:
        raise StartError("LLM_MODEL names a file, which llama.cpp reads: bin/install local-model")
    return [LocalModel(open_model_file(settings.llm_model, account), account)]


def write_variables(data_dir: Path, variables: Mapping[str, str]) -> None:
    """For the commands of whoever started the site."""
    path = data_dir / VARIABLES_FILE
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(variables, file)


def read_variables(data_dir: Path) -> dict[str, str]:
    variables: dict[str, str] = json.loads((data_dir / VARIABLES_FILE).read_text())
    return variables


def _count_cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
