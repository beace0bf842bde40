"""Switches off the telemetry of libraries.

The switches are set when `shared` is first imported, before any of these libraries. The supervisor
and the image set them, too, for programs that do not import `shared`.
"""

from __future__ import annotations

import os

NO_TELEMETRY = {
    # With its first session onnxruntime looks up a host and writes a device id into the home
    # folder. `disable_telemetry_events()` comes too late for both.
    "ORT_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    # Otherwise litellm downloads a price list while it is imported.
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}


def switch_off_telemetry() -> None:
    os.environ.update(NO_TELEMETRY)
