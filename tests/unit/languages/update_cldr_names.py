"""Write CLDR's names anew: `python -m tests.unit.languages.update_cldr_names`.

They are kept as data, because babel takes half a second and 50 MB to read the same.
"""

from __future__ import annotations

import json
from pathlib import Path

from babel import Locale

from shared import languages
from shared.languages import WORDINGS, CalendarNames
from shared.policy.ranking.calendar_names import OTHERS


def read_names() -> dict[str, CalendarNames]:
    """By the code of the language, as babel has them."""
    codes = dict.fromkeys([*(wording.code for wording in WORDINGS), *OTHERS])
    return {code: _names_of(Locale.parse(code)) for code in codes}


def _names_of(locale: Locale) -> CalendarNames:
    months, days = locale.months, locale.days["format"]["wide"]
    return CalendarNames(
        months="|".join(months["format"]["wide"][number] for number in range(1, 13)),
        months_alone="|".join(months["stand-alone"]["wide"][number] for number in range(1, 13)),
        days="|".join(days[number] for number in range(7)),
    )


def main() -> None:
    rows = {code: names._asdict() for code, names in sorted(read_names().items())}
    path = Path(languages.__file__).with_name("cldr.json")
    path.write_text(f"{json.dumps(rows, ensure_ascii=False, indent=1)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
