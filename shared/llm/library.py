"""litellm, imported where it is first needed: the import takes seconds and 170 MB."""

from __future__ import annotations

import functools
import logging
import sys
import warnings
from typing import Any


@functools.cache
def load_litellm() -> Any:
    """litellm, quiet, offline, with our stand-in provider registered. Slow the first time."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of litellm's own code; pydantic has much to say of it
        import litellm

        # pydantic builds these at their first use; that should not be in the first answer.
        litellm.ModelResponse()
        litellm.types.utils.Delta(content="")

    from shared.llm.watched_streams import watch_streams
    from shared.offline.provider import ExtractiveProvider

    watch_streams()  # before the first connection is made

    _keep_quiet(litellm)
    litellm.drop_params = True  # a parameter that a provider lacks is left out, not an error
    litellm.disable_hf_tokenizer_download = True
    # A long row of one sign is no fault of the server's; what never ends is ended by us.
    litellm.REPEATED_STREAMING_CHUNK_LIMIT = sys.maxsize
    litellm.custom_provider_map = [
        {"provider": "offline", "custom_handler": ExtractiveProvider()},
    ]
    litellm.utils.custom_llm_setup()  # otherwise done by the first call, too late for look-ups
    return litellm


def _keep_quiet(litellm: Any) -> None:
    litellm.suppress_debug_info = True  # else it prints to standard output on every error
    litellm.disable_streaming_logging = True  # a thread-pool job a chunk, for nobody
    litellm.turn_off_message_logging = True
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "openai"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
