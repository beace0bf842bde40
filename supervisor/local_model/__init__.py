"""A model file on this machine (`LLM_MODEL=file:…`), answered by llama.cpp in a process of its own.

`bin/install local-model` installs llama.cpp. The site asks it as any server of OpenAI's protocol.
"""

from __future__ import annotations

#: The variable by which the process is told its key, as the site is by LLM_API_KEY.
KEY_VARIABLE = "LOCAL_MODEL_KEY"
