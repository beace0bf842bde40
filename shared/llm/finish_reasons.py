"""What servers say of the end of an answer, as one of our finish reasons."""

from __future__ import annotations

from collections.abc import Mapping

from shared.models import FinishReason

_WORDS: Mapping[FinishReason, str] = {
    "stop": """
        stop stopped stop_sequence stop_token stop_word eos eos_token eos_token_id end end_turn
        end_of_turn end_of_text end_of_sequence complete completed finish finished done success
        normal tool_calls tool_call tool_use function_call function_calls
    """,
    "length": """
        length max_length max_tokens max_new_tokens max_output_tokens model_length token_limit
        context_length model_context_window_exceeded error_limit
    """,
    "content_filter": """
        content_filter content_filtered content_filtering guardrail_intervened refusal refused
        safety recitation blocklist prohibited_content spii image_safety moderation error_toxic
    """,
}
_REASONS = {word: reason for reason, words in _WORDS.items() for word in words.split()}
#: Words that an answer has which is still going on.
NOT_YET = frozenset({"", "null", "none"})


def read_finish_reason(word: str) -> FinishReason | None:
    """None: the word is unknown, so the end is no good one.

    The forms of a word are alike: `STOP`, `FinishReason.STOP`, `content_filter: SAFETY`.
    """
    plain = word.partition(":")[0].strip().lower().replace("-", "_").replace(" ", "_")
    return _REASONS.get(plain.rpartition(".")[2].removeprefix("finish_reason_"))
