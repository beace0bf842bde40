"""Finds what others say of the user, and what was so until something else came.

"They say that I'm vegan", "dicen que soy vegano": a subject that is nobody in particular, its verb,
and a clause after "that".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: At the beginning of a clause. Spanish, Portuguese and Italian have no subject, but an ending.
_REPORTED = re.compile(
    r"(?:they|people|(?:some|most|many) people|everyone|everybody|someone|somebody) (?:\w+ ){1,3}?"
    r"(?:me )?(?:that |(?=i |i'm ))|according to |rumou?r has it "
    r"|(?:on|ils|elles|certains|les gens|tout le monde) (?:\w+ ){1,3}(?:que |qu')"
    r"|il paraît (?:que |qu')"
    r"|(?:todos |la gente |algunos )?(?:se (?:dice|diz) |\w{3,}[nm] )que "
    r"|(?:tutti )?(?:si dice |\w{3,}no )che "
    r"|(?:men|ze|iedereen|mensen) (?:\w+ ){1,4}dat "
    r"|(?:लोग|सब) (?:\S+ ){1,4}कि "
    r"|据说|听说|(?:有人|大家|人们|人家|他们)[都常总]?(?:说|以为|认为|觉得)"
    r"|(?:يقولون|يقال|يزعمون)(?!\w)"
    r"|(?:podobno|prý|говорят|кажуть)(?!\w)"
)
#: "Man sagt, dass ich …", where a comma parts both.
_REPORTERS = re.compile(
    r"(?:man|alle|viele|manche|jeder|jemand|(?:die )?leute) \w+(?: \w+){0,3}|es heißt"
    r"|(?:все|многие|люди) \S+|(?:wszyscy|ludzie) \S+|mówią|říkají"
)
#: Who says so jokes, or only believes it: "my wife jokes that …".
_UNRELIABLE = re.compile(
    r"(?<!\w)(?:jok(?:es|ed|ing)|teas(?:es|ed)|pretends|imagines|insists|swears|reckons|bets|"
    r"thinks|believes|assumes|suspects|jokingly (?:says?|calls?)|"
    r"scherzt|witzelt|behauptet|glaubt|denkt|wettet|vermutet|schwört|"
    r"plaisante|prétend|croit|pense|s'imagine|"
    r"bromea|cree|piensa|jura|scherza|crede|pensa|giura|brinca|acha|acredita|"
    r"grapt|denkt|gelooft|beweert|шутит|думает|считает|уверяет|жартує|думає|вважає|"
    r"żartuje|myśli|twierdzi|uważa|žertuje|vtipkuje|myslí|tvrdí)(?!\w)"
    r"(?: (?:me|that|que|qu'|che|dat|dass|что|що|że|že|ich|i|i'm|my|mein\w*|mon|ma|mi|mijn)(?!\w)"
    r"|,|$)"
)
_COMPLEMENT = re.compile(r"(?:dass|daß|что|że|že|ich) ")
#: "Doktor olduğumu sanıyor", but not "söyledim", whose subject is the user; "と言われます".
_TURKISH = re.compile(r"\w[dt][ıiuü]ğ[ıiuü]m[ıiuü] \w+[^mk\W]$")
_JAPANESE = re.compile(r"と(?:言われ|思われ|噂)")


def is_reported(pieces: Sequence[str], number: int) -> bool:
    """Whether piece `number` of a sentence is what people say. All are in lower case."""
    piece = pieces[number]
    before = pieces[number - 1] if number else ""
    return bool(
        _REPORTED.match(piece)
        or _UNRELIABLE.search(piece)
        or (_COMPLEMENT.match(piece) and _UNRELIABLE.search(before))
        or (_COMPLEMENT.match(piece) and _REPORTERS.fullmatch(before))
        or _TURKISH.search(piece)
        or _JAPANESE.search(piece)
    )


#: "Ever since" and "since then", in the languages of the tables, Polish, Czech and Ukrainian.
_SINCE_THEN = re.compile(
    r"(?<!\w)(?:(?:ever|and) since|since then|seitdem|seither|depuis(?: lors)?"
    r"|desde (?:entonces|então)"
    r"|da allora|sindsdien|с тех пор|з того часу|відтоді|od (?:tamtej pory|tego czasu|té doby)"
    r"|o zamandan beri|منذ ذلك)(?!\w)|此后|从那以后|それ以来"
)
#: A place, which a form of "there" is not.
_PLACE = re.compile(
    r"(?<!\w)(?:in|at|bei|à|en|em|a|bij|w|we|v|ve|в|у|на|na|no) (?!love |touch )\w{3,}|في "
)


def list_overtaken(pieces: Sequence[str]) -> list[bool]:
    """For each piece of a sentence whether a later one says where the user has been since.

    "I moved to Graz in 2015, and have been in Linz ever since".
    """
    last = max(
        (n for n, piece in enumerate(pieces) if _SINCE_THEN.search(piece) and _PLACE.search(piece)),
        default=0,
    )
    return [number < last for number in range(len(pieces))]


#: "Did I mention that …?", "Wusstest du, dass ich …?": a question that states what follows.
_MENTIONED = re.compile(
    r"(?:did i (?:ever |already )?(?:mention|tell you|say)|have i (?:ever |already )?(?:told you|"
    r"mentioned|said))"
    r"|(?:hab|habe|hab'|hatte) ich (?:\w+ ){0,4}(?:erzählt|gesagt|erwähnt)"
    r"|(?:est-ce que )?(?:je (?:t'ai|vous ai)|t'ai-je|vous ai-je) (?:\w+ )?(?:dit|raconté|parlé)"
    r"|(?:ya )?(?:te|le) (?:he )?(?:dije|dicho|conté|contado|mencioné)"
    r"|ti ho (?:già )?(?:detto|raccontato)"
    r"|(?:eu )?(?:já )?(?:te|lhe) (?:disse|contei|falei)"
    r"|heb ik (?:\w+ ){0,3}(?:verteld|gezegd)"
    r"|(?:а )?я (?:уже )?(?:тебе |вам )?(?:уже )?(?:говорила?|рассказывала?|упоминала?)"
    r"|(?:mówił[ae]m|wspominał[ae]m) (?:ci |już )|(?:říkal|zmínil)a? jsem"
)


def states_by_question(pieces: Sequence[str], number: int) -> bool:
    """Whether piece `number` of a question is what the user states by asking."""
    return any(
        _MENTIONED.match(each.lstrip("¿¡ ")) for each in pieces[max(0, number - 1) : number + 1]
    )
