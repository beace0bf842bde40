"""Recognises secrets: passwords, keys, card numbers, and what the operator calls so.

By their form, and by the word for what they are, in the fact's key or beside the value. They are
never facts, and are hidden where a text leaves its chat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from stdnum import iban, luhn

from shared.policy.facts.grounding.vocabulary import FILLERS
from shared.policy.facts.phrases import plain
from shared.policy.facts.secret_labels import (
    CODES,
    LABELS,
    NAMES_VALUE,
    NUMBER_LABELS,
    PLACES,
    STANDS_BEFORE,
)
from shared.policy.facts.secret_patterns import SecretPattern
from shared.policy.visible_text import as_seen, read_visible

CARD_DIGITS = range(13, 20)
NEAR_PLACE_CHARS = 30  # between "code" and "safe"
NEAR_CHARS = 40  # a value this far behind the word for a secret belongs to it
MIN_RANDOM_CHARS = 20  # of a token without spaces that has letters and digits
MIN_RANDOM_DIGITS = 3  # of one that is hidden: names in code have fewer
HIDDEN = "•••"
SEED_WORDS = (12, 15, 18, 21, 24)  # of a recovery phrase

# Published beginnings of keys: OpenAI, Anthropic, GitHub, GitLab, Slack, AWS, Google, Stripe,
# Hugging Face, npm, PyPI, JSON web tokens, private keys.
_KEY = re.compile(
    r"\b(?:sk-[\w-]{12,}|gh[pousr]_\w{16,}|github_pat_\w+|glpat-[\w-]{10,}|xox[abprs]-[\w-]{8,}|"
    r"(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[\w-]{20,}|[srp]k_(?:live|test)_\w{8,}|hf_\w{16,}|"
    r"npm_\w{20,}|pypi-[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{4,})|-----BEGIN [A-Z ]*PRIVATE KEY"
)
_LAST_LINE = re.compile(r"-----END[^\n]*")
_TOKEN = re.compile(rf"[\w+/=-]{{{MIN_RANDOM_CHARS},}}")
_TOKEN_HAS = (re.compile(r"\d"), re.compile("[a-z]"), re.compile("[A-Z]"))
_DIGITS = re.compile(r"\d(?:[ .-]?\d)+")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b", re.IGNORECASE)

_SEED_WORD = re.compile(r"[a-z]{3,8}")
_KEY_WORDS = re.compile(
    r"(?:^|_)(?:passwords?|passwd|pwd|passcode|passphrase|pins?|cvv|cvc|secrets?|token|puk|otp|"
    r"2fa\w*|credentials?|login_code|private_key|ssh_key|seed_phrase|recovery|iban|ssn|tax_id|"
    r"account_number|social_security\w*|passport_number|steuer_id|insurance_number|"
    r"(?:api|wi_?fi|wlan|network|access|licen[cs]e|product)_?(?:key|code)|"
    r"security_(?:answer|question)|(?:credit|debit|bank|payment)_card(?:_number)?|^card_number$|"
    r"(?:door|gate|alarm|security|entry|safe|unlock|locker|backup|verification|lock|vault)_"
    r"(?:codes?|combination|pin|key)|combination|mnemonic|seed|master_key)(?:_|$)"
)
#: Any other code of digits, such as `card_code`, but for those that everybody may know.
_CODE_KEY = re.compile(r"(?:^|_)codes?$")
_PUBLIC_CODE = re.compile(
    r"post|zip|country|area|dial|phone|dress|colou?r|airport|city|language|currency|error|source|"
    r"discount|promo|qr|bar_|status|region|tax|icd|plus"
)
_CODE = re.compile(r"[#*]?\d{3,10}[#*]?")
#: Fewer digits alone are no secret: "passwords of 12 characters".
_NUMBER = re.compile(r"(?=[^\s.,;:!?]{3})[^\s\d]*\d\S*")
_PROGRAM = re.compile(r"_(?:managers?|apps?|tools?|programs?|software|services?|vault)$")
#: A value of digits, or with some: "my PIN is [4711] and I have two cats".
_WITH_DIGITS = re.compile(
    r"[^\s\d。，；、！？]{0,40}\d[^\s。，；、！？]*(?:\s+[^\s\d。，；、！？]{0,40}\d[^\s。，；、！？]*)*"
)
_SIGNS_BEHIND = ".,;:!?)。，；、"
_SENTENCE_END = re.compile(r"[!?。！？\n]|\.\s|[\"“”„«»'](?=\s|$)")
_DIGIT_OR_MIX = re.compile(r"\d|[^\w\s]")


def is_secret(key: str, value: str, text: str, patterns: SecretPattern = None) -> bool:
    """Whether the value is a secret, or is said to be one in `text`, the user's message."""
    value, text = as_seen(value), as_seen(text)
    if is_own_secret(key, value, patterns) or (patterns and _is_part(value, text, patterns)):
        return True
    if _is_phrase(value) or _KEY.search(value) or _has_token(value) or _is_account(value):
        return True
    if _PROGRAM.search(key) and value.isalpha():
        return False  # "I keep my passwords in KeePass"
    if _KEY_WORDS.search(key) and _looks_like_code(value):
        return True
    if _CODE_KEY.search(key) and not _PUBLIC_CODE.search(key) and _CODE.fullmatch(value):
        return True
    return _is_told(plain(value), plain(text))


def is_own_secret(key: str, value: str, patterns: SecretPattern) -> bool:
    """Whether a fact has what the operator calls a secret, in whatever form it is written."""
    texts = (value, key.replace("_", "-"), key.replace("_", " "))
    return patterns is not None and any(patterns.search(as_seen(text)) for text in texts)


def tells_secret(text: str, patterns: SecretPattern = None) -> bool:
    """Whether a sentence contains a secret. No fact was made of the sentence yet."""
    text = as_seen(text)
    if is_secret("", text, text, patterns):
        return True
    sentence = plain(text)
    return any(_tells_value(sentence[match.end() :]) for match, _ in _list_labels(sentence))


def hide_secrets(text: str, patterns: SecretPattern = None) -> str:
    """The text with `HIDDEN` in place of each secret in it."""
    pieces: list[str] = []
    shown_to = 0
    visible = read_visible(text)
    spans = [*_list_forms(visible.text, patterns), *_list_told(visible.text)]
    for start, end in sorted(visible.find_original(*span) for span in spans):
        if start >= shown_to:
            pieces += [text[shown_to:start], HIDDEN]
        shown_to = max(shown_to, end)
    return "".join([*pieces, text[shown_to:]]) if pieces else text


def _list_forms(text: str, patterns: SecretPattern) -> Iterator[tuple[int, int]]:
    """The spans of what is a secret by its form."""
    yield from (match.span() for match in patterns.finditer(text)) if patterns else ()
    yield from _list_keys(text)
    yield from (match.span() for match in _list_accounts(text))
    for match in _TOKEN.finditer(text):
        is_random = "/" not in match[0] and sum(map(str.isdigit, match[0])) >= MIN_RANDOM_DIGITS
        if is_random and all(each.search(match[0]) for each in _TOKEN_HAS):
            yield match.span()


def _list_keys(text: str) -> Iterator[tuple[int, int]]:
    """A private key goes on to its last line, or to the end of the text."""
    place = 0
    while match := _KEY.search(text, place):
        place = match.end()
        if match[0].startswith("-----"):
            last = _LAST_LINE.search(text, place)
            place = last.end() if last else len(text)
        yield match.start(), place


def _list_told(text: str) -> Iterator[tuple[int, int]]:
    """The spans behind the words for a secret: all that such a word names, or numbers near it."""
    for match, is_weak in _list_labels(text):
        place = match.end()
        before = STANDS_BEFORE.search(text, max(0, match.start() - NEAR_CHARS), match.start())
        if before and (not is_weak or re.search(r"\d", before["value"])):
            yield before.span("value")
        near = _SENTENCE_END.split(text[place : place + NEAR_CHARS], maxsplit=1)[0]
        value = NAMES_VALUE.match(text, place)
        if value and (not is_weak or _WITH_DIGITS.match(text, value.end() - 1)):
            yield value.end() - 1, _end_of_value(text, value.end() - 1)
        else:
            yield from (
                (place + number.start(), place + number.end()) for number in _NUMBER.finditer(near)
            )


def _list_labels(text: str) -> Iterator[tuple[re.Match[str], bool]]:
    """The labels of secrets, each with whether it is weak: a code beside the place it opens."""
    yield from ((match, False) for match in LABELS.finditer(text))
    yield from ((match, True) for match in NUMBER_LABELS.finditer(text))
    for code in CODES.finditer(text):
        start = max(0, code.start() - NEAR_PLACE_CHARS)
        before = _SENTENCE_END.split(text[start : code.start()])[-1]
        behind = _SENTENCE_END.split(text[code.end() : code.end() + NEAR_PLACE_CHARS], maxsplit=1)[
            0
        ]
        if place := PLACES.search(text, code.end(), code.end() + len(behind)):
            yield place, True
            yield code, True
        elif PLACES.search(before):
            yield code, True


def _end_of_value(text: str, start: int) -> int:
    """Where a named value ends: behind its digits, or without any with its sentence."""
    if match := _WITH_DIGITS.match(text, start):
        return start + len(match[0].rstrip(_SIGNS_BEHIND))
    end = _SENTENCE_END.search(text, start)
    return end.start() if end else len(text)


def _is_part(value: str, text: str, patterns: re.Pattern[str]) -> bool:
    """Whether the value stands in the message as a part of the operator's secrets alone."""
    part = plain(value)
    return bool(part) and part in plain(text) and part not in plain(patterns.sub(" ", text))


def _tells_value(behind: str) -> bool:
    """Whether the words after the word for a secret tell it, or a number is near."""
    if NAMES_VALUE.match(behind):
        return True
    return bool(re.search(r"\d", _SENTENCE_END.split(behind[:NEAR_CHARS], maxsplit=1)[0]))


def _has_token(value: str) -> bool:
    """A long word of letters of both cases and digits, as programs make them."""
    return any(
        all(each.search(token[0]) for each in _TOKEN_HAS) for token in _TOKEN.finditer(value)
    )


def _is_phrase(value: str) -> bool:
    """A wallet's recovery phrase: so many plain words, and no sentence."""
    words = value.split()
    return len(words) in SEED_WORDS and all(
        _SEED_WORD.fullmatch(word) and word not in FILLERS for word in words
    )


def _is_account(value: str) -> bool:
    """A card's number or an IBAN, by its check digits."""
    return any(_list_accounts(value))


def _list_accounts(text: str) -> Iterator[re.Match[str]]:
    yield from (match for match in _IBAN.finditer(text) if iban.is_valid(match[0]))
    for match in _DIGITS.finditer(text):
        number = re.sub(r"\D", "", match[0])
        if len(number) in CARD_DIGITS and luhn.is_valid(number):
            yield match


def _looks_like_code(value: str) -> bool:
    """A number, a single odd word, or many words of a recovery phrase."""
    words = value.split()
    return bool(_DIGIT_OR_MIX.search(value)) or len(words) == 1 or len(words) in SEED_WORDS


def _is_told(value: str, text: str) -> bool:
    """Whether a label of `text` names the value: all of what it hides, or a number there."""
    if not value:
        return False
    has_digits = bool(re.search(r"\d", value))
    return any(
        text.startswith(value, start) or (has_digits and value in text[start:end])
        for start, end in _list_told(text)
    )
