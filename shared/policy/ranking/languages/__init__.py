"""The languages in which questions about former talks are read: tables of words, no code.

English months, years and relative times are read by `dates`. A language that is missing here can be
added as one more table.
"""

from shared.policy.ranking.languages.eastern import (
    ARABIC,
    CHINESE,
    HINDI,
    JAPANESE,
    KOREAN,
    RUSSIAN,
)
from shared.policy.ranking.languages.form import Wording
from shared.policy.ranking.languages.western import (
    DUTCH,
    ENGLISH,
    FRENCH,
    GERMAN,
    ITALIAN,
    POLISH,
    PORTUGUESE,
    SPANISH,
    TURKISH,
)

LANGUAGES: tuple[Wording, ...] = (
    ENGLISH, GERMAN, SPANISH, FRENCH, ITALIAN, PORTUGUESE, DUTCH, TURKISH, POLISH,
    RUSSIAN, ARABIC, HINDI, CHINESE, JAPANESE, KOREAN,
)  # fmt: skip

__all__ = ["LANGUAGES", "Wording"]
