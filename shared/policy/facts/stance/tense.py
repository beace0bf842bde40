"""Judges when a clause says that a value holds: now, until a day, or at another time."""

from __future__ import annotations

import re
from typing import Literal

from shared.policy.facts.lasting import ends_in_past, names_end
from shared.policy.facts.proposals import Claimed
from shared.policy.facts.stance.clauses import Clause
from shared.policy.facts.stance.patterns import plain

#: Keys of what was, will be, or is planned.
_TIMED_KEY = re.compile(
    r"birth|born|maiden|hometown|childhood|origin|grew|former|previous|past|ex_|_ex|history|education|"
    r"school|studied|degree|plan|next|upcoming|future|trip|travel|goal|event|date|appointment|"
    r"deadline|exam|schedule|visit|vacation|holiday|moving|project|moved|since|years"
)


def is_timed(key: str) -> bool:
    """Whether a key is about what was, will be, or is planned."""
    return bool(_TIMED_KEY.search(key))


BEGINNING_CHARS = 6
#: "In two years", which no fact of now is.
_IN_YEARS = re.compile(
    r"(?<!\w)(?:in|dans|dentro de|tra|fra|daqui a|over|через|за|om)\s+(?:\w+\s+){1,2}"
    r"(?:years?|months?|weeks?|days?|jahren?|monaten?|wochen?|tagen?|ans?|mois|semaines?|jours?|años?|"
    r"meses|mes|semanas?|días?|anni|anno|mesi|mese|settimane?|giorni|anos?|dias?|jaar|maanden|weken|"
    r"dagen|лет|года?|месяцев|месяца|недели?|недель|років|роки|місяців|tygodni\w*|lat|lata|let|roky|år)"
    r"(?!\w)|\d+[年月]后|\d+年後|\w+ (?:yıl|ay|hafta) sonra"
)
_HOPES = re.compile(
    r"(?<!\w)(?:hopefully|hoffentlich|j'espère|ojalá|espero|spero|tomara|hopelijk|надеюсь|сподіваюся|"
    r"oby|mam nadzieję|doufám|snad|umarım|inşallah)(?!\w)|希望能|但愿"
)


def judge_time(claim: Claimed, clause: Clause) -> Literal["now", "until", "other"]:
    """`other`: "I lived in Rome as a child", "this week", unless the key says so."""
    if is_timed(claim.key):
        return "now"
    if _HOPES.search(clause.text) or _is_to_come(clause):
        return "other"
    if clause.is_after_past or _is_past(claim, clause) or ends_in_past(clause.text):
        return "other"
    value = plain(claim.value)
    passing = [
        match[0]
        for language in clause.languages
        for match in language.passing.finditer(clause.text)
        if not language.passing.search(value)
    ]
    if not passing:
        return "now"
    return "until" if all(map(names_end, passing)) else "other"


#: "I lived", "I had", "I was": the past of verbs that last, in languages with a form of its own for
#: it. What is over at once ("I moved to Graz") may hold.
_LASTING_PAST = re.compile(
    r"(?<!\w)(?:"
    # Spanish, Portuguese, Italian, French
    r"(?:yo )?(?:vivía|tenía|trabajaba|estudiaba|conducía|solía|llevaba)|yo (?:era|estaba)"
    r"|antes era"
    r"|(?:eu )?(?:morava|tinha|trabalhava|estudava|dirigia|costumava)|eu (?:vivia|era|estava)"
    r"|abitavo|vivevo|avevo|lavoravo|studiavo|guidavo|ero|facevo"
    r"|ho (?:abitato|vissuto|lavorato|studiato|insegnato|avuto)"
    r"|j'(?:avais|étais|habitais|enseignais|étudiais)"
    r"|j'ai (?:longtemps )?(?:été|eu|habité|vécu|travaillé)"
    r"|je (?:vivais|travaillais|conduisais|jouais|faisais|fumais|mangeais|logeais)"
    # German, Dutch
    r"|ich (?:war|hatte|wohnte|lebte|arbeitete|studierte|fuhr|rauchte)"
    r"|ik (?:woonde|had|werkte|was|leefde|studeerde|reed)"
    # Russian, Ukrainian
    r"|я (?:\w+ )?(?:жила?|работала?|училс?я?|училась|служила?|водила?|была?|имела?|курила?)"
    r"|у меня (?:раньше )?(?:был|была|было|были)"
    r"|я (?:\w+ )?(?:жив|жила|мешкав|мешкала|працював|працювала|мав|мала|був|була|навчався)"
    r"|(?:мешкав|мешкала|працював|працювала|мав|мала) (?:я|у|в|як)"
    r"|у мене (?:раніше |колись )?(?:був|була|було|були)"
    # Polish, Czech, Slovak
    r"|(?:mieszka|pracowa|mia|by|ży|jeździ|studiowa|uczy|pali)ł[ae]m"
    r"|(?:bydlel|žil|pracoval|měl|byl|jezdil|studoval|učil|kouřil)a? (?:\w+ )?jsem"
    r"|jsem (?:\w+ ){0,2}(?:bydlel|žil|pracoval|měl|byl|jezdil|studoval|učil|kouřil)a?"
    r"|(?:býval|žil|pracoval|mal|bol|študoval)a? (?:\w+ )?som"
    r"|som (?:\w+ ){0,2}(?:býval|žil|pracoval|mal|bol|študoval)a?"
    r")(?!\w)"
    # Hungarian, Swedish, Danish, Norwegian, Finnish
    r"|(?:éltem|laktam|dolgoztam|tanultam|jártam|volt egy)|jag (?:bodde|jobbade|hade|var|arbetade)"
    r"|jeg (?:bodde|boede|jobbet|arbejdede|havde|hadde|var)|(?:asuin|työskentelin|minulla oli)"
    # What the user wanted to be
    r"|quer[ií]a ser|queria ser|voulais (?:être|devenir)|volevo (?:fare|essere|diventare)"
    r"|wanted to (?:be|become)|хот(?:ела?|ів|іла) (?:быть|стать|бути)|chciał[ae]m (?:być|zostać)"
    r"|chtěla? jsem být|wilde \w+ worden|wollte \w+ werden"
    # Turkish: the verb's own ending; Arabic, Chinese, Japanese, Korean
    r"|\w[ıiuü]yordu[mk](?!\w)|(?:ya|otur|çalış|kullan)\w*rdı[mk](?!\w)"
    r"|(?<!\w)(?:كنت|كان (?:لدي|عندي)|كانت (?:لدي|عندي))(?!\w)"
    r"|我?(?:以前|曾经|曾|从前|过去)[^，。]{0,4}(?:住|在|是|有|当|养|做|开)|(?:住|当|做|养|开)过"
    r"|(?:以前は?|昔は?|かつて)|(?:住んで|働いて|勤めて|飼って|乗って)い(?:ました|た)"
    r"|(?:예전에|옛날에|한때)|(?:살았|일했|키웠|다녔)(?:어|었|습|다|고)"
)


def _is_to_come(clause: Clause) -> bool:
    """Whether a span of time until then begins it, as in "in two years I'll live in Rome"."""
    span = _IN_YEARS.search(clause.text)
    return span is not None and span.start() <= BEGINNING_CHARS


def _is_past(claim: Claimed, clause: Clause) -> bool:
    if _has_lasting_past(claim, clause):
        return True
    value = plain(claim.value)
    return any(
        (past := language.past.search(clause.text)) is not None
        and not language.past.search(value)
        and not language.renewals.search(past[0])
        and not language.renewals.search(language.past.sub(" ", clause.text))
        for language in clause.languages
    )


def _has_lasting_past(claim: Claimed, clause: Clause) -> bool:
    """Whether such a form stands there, and no word for now between it and the value."""
    form = _LASTING_PAST.search(clause.text)
    if form is None:
        return False
    start = clause.text.find(plain(claim.value))
    first, last = sorted((form.end(), start if start >= 0 else form.end()))
    return not any(
        language.renewals.search(clause.text[first:last]) for language in clause.languages
    )
