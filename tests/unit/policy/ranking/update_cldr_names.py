"""Write the table of CLDR's names anew: `python -m tests.unit.policy.ranking.update_cldr_names`."""

from __future__ import annotations

from pathlib import Path

from babel import Locale

from shared.policy.ranking.languages import LANGUAGES, cldr
from shared.policy.ranking.languages.names import OTHERS

HEAD = '''"""CLDR's names of months and days, from January and from Monday on, with bars between.

Written by `tests/unit/policy/ranking/update_cldr_names.py`. A table, because babel takes half a
second and 50 MB to read the same.
"""

from typing import NamedTuple


class Names(NamedTuple):
    months: str
    #: As they are written without a day.
    months_alone: str
    days: str


'''


def read_names() -> dict[str, cldr.Names]:
    """By the code of the language, as babel has them."""
    codes = dict.fromkeys(["en", *(language.code for language in LANGUAGES), *OTHERS])
    return {code: _names_of(Locale.parse(code)) for code in codes}


def _names_of(locale: Locale) -> cldr.Names:
    months, days = locale.months, locale.days["format"]["wide"]
    return cldr.Names(
        months="|".join(months["format"]["wide"][number] for number in range(1, 13)),
        months_alone="|".join(months["stand-alone"]["wide"][number] for number in range(1, 13)),
        days="|".join(days[number] for number in range(7)),
    )


def main() -> None:
    rows = "".join(f'    "{code}": {names!r},\n' for code, names in read_names().items())
    path = Path(cldr.__file__)
    path.write_text(f"{HEAD}NAMES = {{\n{rows}}}\n")


if __name__ == "__main__":
    main()
