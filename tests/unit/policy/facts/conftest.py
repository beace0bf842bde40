"""Properties are about what is decided, not about how long a busy machine takes."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
