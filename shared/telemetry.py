"""Nothing phones home: the switches of the libraries that would.

They are set when `shared` is first imported, which is before any of these libraries; the
supervisor and the image set them, too, for programs that import nothing of ours.
"""

from __future__ import annotations

import os

NO_TELEMETRY = {
    # onnxruntime looks up a host with its first session and leaves a device id in the home folder.
    # Its own `disable_telemetry_events()` comes too late for both.
    "ORT_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    # else litellm asks the network for a price list while it is imported
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}


def switch_off_telemetry() -> None:
    os.environ.update(NO_TELEMETRY)
