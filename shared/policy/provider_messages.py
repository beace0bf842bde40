"""Finds a provider's error message in the exception of its client, and redacts it.

The message may contain keys and may quote the request. It is shown, redacted, to the user who sent
the request, and never logged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection

MAX_CHARS = 300
HIDDEN = "…"
SHORTEST_KEY = 5  # shorter keys, such as "none" and "x", are placeholders

# The names of errors that litellm puts before the message.
CLIENT_NAMES = re.compile(r"^(?:(?:litellm\.)?\w*(?:Error|Exception)(?:: | - ))+")
BYTES = re.compile(r"""^b(['"])(.*)\1$""", re.DOTALL)
STATUS = re.compile(r"^Error code: \d+ - ")

SECRETS = (
    re.compile(r"(?i)\b(bearer|basic)\s+\S+"),
    re.compile(r"(?i)\b(api[-_ ]?key|token|secret|password|authorization)(\s*[=:]\s*)\S+"),
    re.compile(r"\b(?:sk|pk|rk|gsk|xai|key|org|proj|req|user|acct)[-_][\w*.\-]+"),
    re.compile(r"(?<=//)[^/\s@]+@"),
)
MESSAGE_FIELDS = ("error", "message", "detail", "msg", "error_msg", "base_resp", "status_msg")
LONG_WORD = re.compile(r"[\w+/=*\-]{20,}")

TOO_LONG = re.compile(
    "|".join(
        (
            r"context_length_exceeded|exceed_context_size|context_window_exceeded",
            r"(?:maximum|max|total|available) (?:(?:prompt|input|model|tokens?) )?context",
            r"(?:maximum|max) (?:prompt|model|input|sequence) length",
            r"exceed(?:s|ed|ing)? (?:\w+ ){0,4}?(?:context|tokens? limit)",
            r"exceed(?:s|ed|ing)? (?:\w+ ){0,2}?maximum (?:number of )?(?:input )?tokens",
            r"(?:prompt|input|request|context|conversation|messages?) (?:\w+ ){0,2}?too long",
            r"(?:prompt|input|context|messages?) (?:\w+ ){0,2}?too large",
            r"too many (?:input |prompt )?tokens",
            r"reduce (?:the |your )?length of (?:the |your )?(?:messages|prompt|input|context)",
            r"(?:longer|larger|more) than (?:\S+ ){0,4}?(?:context|maximum model length)",
            r"context (?:length|size|window) .{0,60}(?:exceeded|overflow|not enough|too small)",
            r"context (?:the )?overflows?",
            r"tokens?\W* \+ .{0,40}must be <=",
            r"inputs\W* must have less than \d+ tokens",
            r"range of (?:the )?(?:input|prompt) length",
            r"kontext(?:fenster|länge)|tokens?\b.{0,40}(?:erlaubt|zulässig|autorisé|permitid)",
            r"(?:上下文|输入|提示)\S{0,6}(?:长度|过长).{0,20}(?:超|过长|最大)",
        )
    ),
    re.IGNORECASE,
)
# A rate limit that this request exceeds by itself: another try cannot help.
ALONE_TOO_LARGE = re.compile(r"\brequest (?:is )?too large", re.IGNORECASE)
RATE = re.compile(r"\bper (?:minute|hour|day|second)\b|\b[TR]P[MDH]\b|rate limit", re.IGNORECASE)


def find_message(raised: str) -> str:
    """The provider's message in the text of a client's exception; "" where there is none."""
    text = STATUS.sub("", CLIENT_NAMES.sub("", raised.strip()))
    if match := BYTES.match(text):
        text = match[2]
    if text.startswith("<"):
        return ""  # the HTML page of a proxy
    return " ".join(_sentence(text).split())


def means_too_long(message: str) -> bool:
    """Whether the message says, in any provider's wording, that the prompt does not fit."""
    if ALONE_TOO_LARGE.search(message):
        return True
    return bool(TOO_LONG.search(message)) and not RATE.search(message)


def redact(message: str, names: Collection[str], key: str | None = None) -> str:
    """The message without `key` and anything that looks like a secret, cut to `MAX_CHARS`.

    `names` are names of models. They are kept, even if they look like secrets.
    """
    if key and len(key) >= SHORTEST_KEY:
        message = message.replace(key, HIDDEN)
    for secret in SECRETS:
        message = secret.sub(lambda match: _hide(match, names), message)
    message = LONG_WORD.sub(lambda match: _hide_long(match[0], names), message)
    return message if len(message) <= MAX_CHARS else message[: MAX_CHARS - 1] + "…"


def _sentence(text: str) -> str:
    start = text.find("{")
    if start < 0:
        return text
    try:
        body, _ = json.JSONDecoder().raw_decode(text[start:])
        return message_in(body) or text
    except (ValueError, RecursionError):
        return text


def message_in(body: object) -> str | None:
    """OpenAI, Anthropic and Google use `error.message`, vLLM `message`, FastAPI `detail`."""
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        return next((text for part in body if (text := message_in(part))), None)
    if not isinstance(body, dict):
        return None
    parts = (body.get(name) for name in MESSAGE_FIELDS)
    return next((text for part in parts if (text := message_in(part))), None)


def _hide(match: re.Match[str], names: Collection[str]) -> str:
    if match[0].rstrip(".,") in names:
        return match[0]
    return "".join(group for group in match.groups() if group) + HIDDEN


def _hide_long(word: str, names: Collection[str]) -> str:
    """Hides a long run with both letters and digits. Joined words and names stay."""
    is_mixed = any(c.isdigit() for c in word) and any(c.isalpha() for c in word)
    return HIDDEN if is_mixed and word not in names else word
