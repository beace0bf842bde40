"""Which models are shown images."""

from __future__ import annotations

from typing import Literal

import pytest

from shared.llm import sees_images
from shared.settings import STAND_IN_MODEL, Settings
from tests.fakes.site_models import HOSTED


@pytest.mark.parametrize(
    ("model", "sees"),
    [
        ("gpt-4o", True),
        ("openai/gpt-4o", True),
        ("a-model-of-mine", False),
        (STAND_IN_MODEL, False),
    ],
)
def test_a_model_sees_images_as_litellms_list_says(model: str, sees: bool) -> None:
    assert sees_images(model, Settings()) is sees


def test_a_model_of_operators_is_looked_up_by_the_name_that_its_server_has() -> None:
    assert not sees_images("Hosted", Settings())
    assert sees_images("Hosted", Settings().with_models((HOSTED,)))


@pytest.mark.parametrize(("vision", "sees"), [("yes", True), ("no", False)])
def test_the_setting_decides_for_every_model_but_the_stand_in(
    vision: Literal["yes", "no"], sees: bool
) -> None:
    settings = Settings(llm_vision=vision)
    assert sees_images("a-model-of-mine", settings) is sees
    assert not sees_images(STAND_IN_MODEL, settings)
