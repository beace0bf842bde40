"""Reads in a server's words how long a request may be."""

from __future__ import annotations

import re
from dataclasses import replace

from shared.models.request_limits import RequestLimits

LEAST_TOKENS = 256  # no model for chats has a smaller window: fewer are another number
MOST_TOKENS = 2**31 - 1
MARGIN = 0.9  # the next prompt has other words, which may have more tokens by the server's count
MOST_RATIO = 4.0  # of the server's count to ours
SHRINK = 0.5  # of a refused prompt, where no number says more

# Whole numbers, also with marks between thousands. Not of a date, a version or a model's name.
NUMBER = re.compile(r"(?<![\w.-])(\d{1,3}(?:[,.'_\u202f\xa0 ]\d{3})+|\d+)(k)?(?![\w-]|\.\d)", re.I)
# The limit stands beside one of these.
BEFORE = re.compile(
    r"(?:<=?|>=?|≤|≥|\b(?:limit|maximum|max\w*|n_ctx|available|allowed|at most|up to|only|"
    r"not exceed|exceeds?|less than|(?:longer|larger|more) than|context (?:length|size|window)|"
    r"supports?|höchstens|maximal|máxim\w*|maxim\w*)\b|最大|上限|不超过|超过|最長|最大で)"
    r"[^\d]{0,60}?$",
    re.I,
)
AFTER = re.compile(r"^\W{0,3}(?:tokens? )?(?:maximum|max\b|limit|context)", re.I)
SUM = re.compile(r"\b(\d{1,9}) \+ (\d{1,9})\b")  # of prompt and answer
ANSWER = re.compile(r"completion|max_(?:new_|completion_)?tokens|generat|output", re.I)


def read_numbers(text: str) -> list[tuple[int, int, int]]:
    """Each whole number of the text, with its beginning and end."""
    numbers = [
        (int(re.sub(r"\D", "", match[1])) * (1024 if match[2] else 1), match.start(), match.end())
        for match in NUMBER.finditer(text)
        if len(match[1]) <= 15
    ]
    return [entry for entry in numbers if entry[0] <= MOST_TOKENS]


def learn_context(
    limits: RequestLimits, text: str, *, prompt_tokens: int, answer_tokens: int
) -> RequestLimits:
    """The limits after a refusal of a request as too long.

    `prompt_tokens` are those of the refused prompt, by our count, `answer_tokens` those that it
    asked for. The server counts otherwise: where it tells its own count, the limit is scaled.
    """
    numbers = [number for number, _, _ in read_numbers(text) if number >= LEAST_TOKENS]
    context = _find_limit(text)
    if context is None:
        fitting = prompt_tokens * SHRINK
    else:
        counts_answer = answer_tokens in numbers or bool(ANSWER.search(text))
        own_count = prompt_tokens + (answer_tokens if counts_answer else 0)
        sums = [int(first) + int(second) for first, second in SUM.findall(text)]
        largest = max((number for number in [*numbers, *sums] if number > context), default=0)
        ratio = min(MOST_RATIO, max(1.0, largest / max(1, own_count)))
        fitting = context / ratio * MARGIN
        if not largest and own_count <= context:  # by our count it would fit
            fitting = min(fitting, own_count * MARGIN)
    known = limits.prompt_tokens or MOST_TOKENS
    shorter = int(min(fitting, known))
    if context is None and shorter < LEAST_TOKENS:
        return limits  # so short a prompt was refused for another reason
    return replace(
        limits,
        context_tokens=context if context is not None else limits.context_tokens,
        prompt_tokens=max(shorter, LEAST_TOKENS // 2),
    )


def _find_limit(text: str) -> int | None:
    """The number that the words call the limit; without such words the second largest, which the
    prompt's own exceeds; or the only one."""
    numbers = [entry for entry in read_numbers(text) if entry[0] >= LEAST_TOKENS]
    called = [
        number
        for number, start, end in numbers
        if BEFORE.search(text[max(0, start - 90) : start]) or AFTER.search(text[end : end + 30])
    ]
    compared = [n for n, start, _ in numbers if re.search(r"[<>≤≥]=?\s*$", text[:start][-4:])]
    if candidates := compared or called:
        return min(candidates)
    values = sorted({number for number, _, _ in numbers})
    return values[-2] if len(values) > 1 else next(iter(values), None)
