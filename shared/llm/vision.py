"""Whether the model that answers is shown images."""

from __future__ import annotations

from shared.llm.model_list import seeing_models
from shared.settings import Settings
from shared.settings.models import STAND_IN_MODEL


def sees_images(model: str, settings: Settings) -> bool:
    """Whether a model sees images: by the setting, else by litellm's bundled list.

    A model that is not on the list sees none, and neither does the stand-in.
    """
    if model == STAND_IN_MODEL or settings.llm_vision == "no":
        return False
    if settings.llm_vision == "yes":
        return True
    chosen = settings.find_site_model(model)
    model = chosen.config.served_name if chosen else model
    return not seeing_models().isdisjoint({model, model.partition("/")[2]})
