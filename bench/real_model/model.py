"""The measured model, as `LLM_API_BASE`, `LLM_MODEL` and `LLM_API_KEY` set it."""

from __future__ import annotations

from pathlib import Path

from shared.settings import STAND_IN_MODEL, Settings, read_settings

NO_MODEL = "skipped: LLM_MODEL (and LLM_API_BASE for a server of your own) name no real model"


def real_model_settings() -> Settings | None:
    """None if only the stand-in is set; then it prints so."""
    settings = read_settings()
    if settings.llm_model == STAND_IN_MODEL:
        print(NO_MODEL)
        return None
    return settings


def locomo_folder() -> Path | None:
    """The folder of LoCoMo's files beside the project. None if there is none; then it prints so."""
    folder = Path(__file__).parents[3] / "shared" / "locomo"
    if folder.is_dir():
        return folder
    print(f"skipped: LoCoMo's conversations are not in {folder.parent.name}/{folder.name}")
    return None
