"""Import and configure litellm at its first use: the import takes seconds and 170 MB."""

from __future__ import annotations

import functools
import logging
import sys
import warnings
from typing import Any

from shared.settings import publish_files


@functools.cache
def load_litellm() -> Any:
    """litellm, without its logs and downloads. It reads keys from the environment alone."""
    publish_files()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # litellm's own code makes pydantic warn
        import litellm

        # pydantic builds these classes at their first use, which would delay the first answer.
        litellm.ModelResponse()
        litellm.types.utils.Delta(content="")

    from shared.outbound.bounded_answers import watch_answers

    watch_answers()  # before the first connection is made

    _keep_quiet(litellm)
    litellm.disable_hf_tokenizer_download = True
    # An answer may repeat itself. LLM_DEADLINE_S ends an answer that never stops.
    litellm.REPEATED_STREAMING_CHUNK_LIMIT = sys.maxsize
    return litellm


def _keep_quiet(litellm: Any) -> None:
    litellm.suppress_debug_info = True  # it would print to standard output on every error
    litellm.disable_streaming_logging = True  # it would start a thread-pool job for each chunk
    litellm.turn_off_message_logging = True
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "openai"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
