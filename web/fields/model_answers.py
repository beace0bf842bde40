"""What the API tells of models."""

from __future__ import annotations

from pydantic import Field

from shared.derivations.examination import list_notes
from shared.llm.targets import place_of_config
from shared.llm.trust import find_examination, is_trusted
from shared.models.request_limits import RequestLimits
from shared.models.site_models import Protocol, StoredModel, Trust
from shared.settings import Settings
from web.api.answers import Answer, Instant
from web.process.context import web_context


class ExaminationAnswer(Answer):
    """How the model did with short notes, put to it as memory asks for facts."""

    asked_count: int
    notes: int
    done: bool = Field(description="False: more notes are to come, in pauses between replies.")
    traps: int = Field(description="Notes of which nothing was to be believed, of those asked.")
    believed: int
    plain: int = Field(description="Plain statements, of the notes that were asked.")
    lost: int
    passed: bool


class LimitsAnswer(Answer):
    """What a model's server has refused in requests, and is asked without since."""

    left_out: list[str] = Field(
        description=(
            "Fields, and `a+b` for a beside b; `json_schema` and `json_object`, forms of answers; "
            "in messages `system`, `developer`, `roles` out of turn, and texts in `parts`."
        ),
        examples=[["max_tokens", "temperature"]],
    )
    answer_tokens: int | None = Field(description="The longest answer that may be asked for.")
    context_tokens: int | None = Field(description="Of prompt and answer, as the server counts.")


class ModelAnswer(Answer):
    model_id: int
    name: str
    protocol: Protocol
    address: str | None
    served_name: str
    has_key: bool = Field(description="A key is stored. It is in no answer.")
    offered: bool
    chat_default: bool
    memory_default: bool
    context_tokens: int | None
    max_tokens: int | None
    created_at: Instant
    changed_at: Instant
    limits: LimitsAnswer = Field(description="Forgotten when the model moves or is tested.")
    trust: Trust | None
    notes_facts: bool = Field(description="False: what it finds waits as suggestions.")
    examination: ExaminationAnswer | None = Field(description="Null: it was not begun.")


class EnvironmentModelAnswer(Answer):
    """The model that the environment names for memory: MEMORY_MODEL, else LLM_MODEL."""

    name: str
    memory_default: bool = Field(description="False: an operator has chosen another one.")
    notes_facts: bool
    examination: ExaminationAnswer | None


def answer_model(stored: StoredModel) -> ModelAnswer:
    config, settings = stored.config, web_context().services.models.settings()
    return ModelAnswer(
        model_id=stored.model_id,
        name=config.name,
        protocol=config.protocol,
        address=config.address,
        served_name=config.served_name,
        has_key=stored.sealed_key is not None,
        offered=config.is_offered,
        chat_default=config.is_chat_default,
        memory_default=config.is_memory_default,
        context_tokens=config.context_tokens,
        max_tokens=config.max_tokens,
        created_at=stored.created_at,
        changed_at=stored.changed_at,
        limits=tell_limits(settings.learned_limits.at(place_of_config(config))),
        trust=config.trust,
        notes_facts=is_trusted(config.name, settings),
        examination=_tell_examination(config.name, settings),
    )


def answer_environment_model(model: str, settings: Settings) -> EnvironmentModelAnswer:
    return EnvironmentModelAnswer(
        name=model,
        memory_default=settings.effective_memory_model == model,
        notes_facts=is_trusted(model, settings),
        examination=_tell_examination(model, settings),
    )


def _tell_examination(model: str, settings: Settings) -> ExaminationAnswer | None:
    examination = find_examination(model, settings)
    if examination is None:
        return None
    return ExaminationAnswer(
        asked_count=examination.asked_count,
        notes=len(list_notes()),
        done=examination.is_done,
        traps=examination.traps,
        believed=examination.believed,
        plain=examination.plain,
        lost=examination.lost,
        passed=examination.has_passed,
    )


def tell_limits(limits: RequestLimits) -> LimitsAnswer:
    return LimitsAnswer(
        left_out=sorted(limits.refused),
        answer_tokens=limits.answer_tokens,
        context_tokens=limits.context_tokens or limits.prompt_tokens,
    )
