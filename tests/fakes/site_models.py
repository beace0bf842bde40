"""Models as operators set them up."""

from __future__ import annotations

from shared.models.site_models import ModelConfig, SiteModel

HOSTED = SiteModel(
    config=ModelConfig(
        name="Hosted",
        protocol="openai",
        address="https://models.example.com/v1",
        served_name="gpt-4o",
        is_offered=True,
        is_chat_default=True,
        is_memory_default=False,
        context_tokens=None,
        max_tokens=None,
    ),
    api_key=None,
)
