"""Tables of words by language: how people state, deny, ask, doubt and quote.

`form.py` says what each column means. A new language is one more file, and a line here.
"""

from __future__ import annotations

from shared.policy.facts.languages.arabic import ARABIC
from shared.policy.facts.languages.chinese import CHINESE
from shared.policy.facts.languages.dutch import DUTCH
from shared.policy.facts.languages.english import ENGLISH
from shared.policy.facts.languages.form import Language
from shared.policy.facts.languages.french import FRENCH
from shared.policy.facts.languages.german import GERMAN
from shared.policy.facts.languages.hindi import HINDI
from shared.policy.facts.languages.italian import ITALIAN
from shared.policy.facts.languages.japanese import JAPANESE
from shared.policy.facts.languages.portuguese import PORTUGUESE
from shared.policy.facts.languages.russian import RUSSIAN
from shared.policy.facts.languages.spanish import SPANISH
from shared.policy.facts.languages.turkish import TURKISH

LANGUAGES: tuple[Language, ...] = (
    ENGLISH, GERMAN, SPANISH, FRENCH, ITALIAN, PORTUGUESE, DUTCH, RUSSIAN, CHINESE, JAPANESE,
    TURKISH, ARABIC, HINDI,
)  # fmt: skip
