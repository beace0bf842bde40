"""Recognises secrets: passwords, keys, card numbers, and what the operator calls so.

By their form, and by the word for what they are, in the fact's key or beside the value. They are
never facts, and are hidden where a text leaves its chat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from stdnum import iban, luhn

from shared.policy.facts.grounding.vocabulary import FILLERS
from shared.policy.facts.secret_patterns import SecretPattern
from shared.policy.facts.stance.patterns import plain
from shared.policy.visible_text import as_seen, read_visible

CARD_DIGITS = range(13, 20)
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
    r"(?:door|gate|alarm|security|entry|safe|unlock|locker|backup|verification|lock)_"
    r"(?:codes?|combination))(?:_|$)"
)
#: Any other code of digits, such as `card_code`, but for those that everybody may know.
_CODE_KEY = re.compile(r"(?:^|_)codes?$")
_PUBLIC_CODE = re.compile(
    r"post|zip|country|area|dial|phone|dress|colou?r|airport|city|language|currency|error|source|"
    r"discount|promo|qr|bar_|status|region|tax|icd|plus"
)
_CODE = re.compile(r"[#*]?\d{3,10}[#*]?")
_WORDS = re.compile(
    r"(?<!\w)(?:security question|(?:wifi|wlan|network|access|licen[cs]e) key|the key|passwords?|"
    r"passwd|passcode|passphrase|pin(?:-?code)?|cvv|cvc|api[- ]?keys?|recovery (?:phrase|code)|"
    r"seed phrase|access token|(?:alarm|door|gate|safe|security) code|social security(?: number)?|"
    r"(?:verification|one-time|sms|lock|locker) code|code (?:by|via|per|par|from|für die \w*tür)|"
    r"bestätigungscode|code de vérification|código de verificación|código (?:\w+ ){1,5}sms|"
    r"codice di verifica|код подтверждения|kod weryfikacyjny|ověřovací kód|doğrulama kodu|"
    r"ssn|passwort|kennwort|geheimzahl|zugangscode|türcode|alarmcode|sicherheitscode|"
    r"mot de passe|mdp|code (?:pin|secret)|code de (?:l'alarme|la porte)|code d'entrée|"
    r"contraseña|clave (?:secreta|del|de la)|código (?:de la alarma|de la puerta)|senha|"
    r"palavra-passe|código (?:do alarme|da porta)|parola d'ordine|codice (?:segreto|del)|"
    r"codice dell'allarme|wachtwoord|pincode|deurcode|пароль|пин-?код|код от|hasło|kod do|heslo|"
    r"lösenord|adgangskode|passord|salasana|jelszó|parolă|şifre|şifrem|şifresi|parola|κωδικός|"
    r"סיסמה|הסיסמה|mật khẩu|kata sandi|nenosiri)(?!\w)"
    r"|密码|口令|验证码|認証コード|確認コード|인증번호|رمز التحقق"
    r"|暗証番号|パスワード|비밀번호|암호|पासवर्ड|पिन|รหัสผ่าน"
    r"|كلمة السر|كلمة المرور|الرقم السري"
)
_WORDS_AS_WRITTEN = re.compile(_WORDS.pattern, re.IGNORECASE)
# "The key is to stay calm", "la parola è bella": here only numbers are hidden.
_ALSO_OTHER_THINGS = re.compile(r"the key|clave|c[oó]d|kod|код|κωδικός|parol", re.IGNORECASE)
#: Fewer digits alone are no secret: "passwords of 12 characters".
_NUMBER = re.compile(r"(?=[^\s.,;:!?]{3})[^\s\d]*\d\S*")
_PROGRAM = re.compile(r"_(?:managers?|apps?|tools?|programs?|software|services?|vault)$")
#: A value of digits, or with some: "my PIN is [4711] and I have two cats".
_WITH_DIGITS = re.compile(
    r"[^\s\d。，；、！？]{0,40}\d[^\s。，；、！？]*(?:\s+[^\s\d。，；、！？]{0,40}\d[^\s。，；、！？]*)*"
)
_SIGNS_BEHIND = ".,;:!?)。，；、"
_SENTENCE_END = re.compile(r"[!?。！？\n]|\.\s|[\"“”„«»'](?=\s|$)")
_LINK = re.compile(r"\s*(?:is|ist|es|est|è|é|to|for \w+ is|[:=-])?\s*\W?")
_DIGIT_OR_MIX = re.compile(r"\d|[^\w\s]")
# What stands behind the word for a secret is the secret itself: "the wifi password is hunter".
_NAMES_ITS_VALUE = re.compile(r"\s*(?:(?:is|ist|es|est|è|é|jest|är|er|on)\s|[:=]|は|是|은|는)\s*\S")


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
    return _looks_like_code(value) and _stands_behind_word(plain(value), plain(text))


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
    return any(_tells_value(sentence[match.end() :]) for match in _WORDS.finditer(sentence))


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
    place = 0
    while match := _WORDS_AS_WRITTEN.search(text, place):
        place = match.end()
        near = _SENTENCE_END.split(text[place : place + NEAR_CHARS], maxsplit=1)[0]
        is_plain = not _ALSO_OTHER_THINGS.match(match[0])
        if is_plain and (value := _NAMES_ITS_VALUE.match(text, place)):
            place = _end_of_value(text, value.end() - 1)
            yield value.end() - 1, place
        else:
            yield from (
                (place + number.start(), place + number.end()) for number in _NUMBER.finditer(near)
            )


def _end_of_reach(text: str, start: int, length: int) -> int:
    """How far behind the word for a secret a value may stand. What it names ends it."""
    value = _NAMES_ITS_VALUE.match(text, start)
    if value and _WITH_DIGITS.match(text, value.end() - 1):
        return _end_of_value(text, value.end() - 1)
    return start + NEAR_CHARS + length


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
    if _NAMES_ITS_VALUE.match(behind):
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


def _stands_behind_word(value: str, text: str) -> bool:
    """Whether the value follows a word for a secret, in the same sentence.

    A value without digits must follow at once: "the password is hunter".
    """
    whole = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
    for match in _WORDS.finditer(text):
        behind = text[match.end() : _end_of_reach(text, match.end(), len(value))]
        place = whole.search(_SENTENCE_END.split(behind, maxsplit=1)[0])
        if place and (re.search(r"\d", value) or _LINK.fullmatch(behind[: place.start()])):
            return True
    return False
