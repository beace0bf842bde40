"""The forms in which people tell that something is not as it was.

`thing` names what changed, `old` the value that it had, `value` what it has now. None of them
makes a fact alone: what `thing` or `old` names must be on record.
"""

from __future__ import annotations

import re

from shared.llm.offline.fact_patterns import VALUE


def _forms(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


BEGIN = r"(?:^|[,:;] |\b(?:and|so|but|that|now) )"
PHRASE = r"[\w'’][\w'’ -]{0,40}?"
THING = rf"(?P<thing>(?:\b(?:my|our|the) |(?:^|[,:;] ))(?!i\b|we\b|it\b){PHRASE})"
OLD = r"(?P<old>(?!(?:at|by|for|from|in|of|off|on|to|with) )[\w'’](?:[\w'’ :-]|\.(?=\w)){0,60}?)"
PROPER = r"(?-i:[A-Z])[\w'’-]*(?: (?-i:[A-Z])[\w'’-]*){0,3}"
NAMED = rf"(?P<value>{PROPER})"
ME = r"\b(?:i|we)(?:'ve|’ve| have|'d|’d| had)?(?: just| finally| recently| now| also| all)*"
END = (
    r"(?=\s*(?:[,.;!]|$)| (?:and|because|since|so|but|when|after|last|this|in|on|at|for|to)\b)"
    r"(?! (?:at|to) (?!the end\b))"
)

CHANGED = (
    "changed|postponed|delayed|rescheduled|extended|raised|increased|lowered|reduced|cut|switched"
    "|upgraded|updated|shortened|corrected"
)
CHANGE = (
    "change|postpone|delay|reschedule|extend|raise|increase|lower|reduce|cut|switch|move|push|shift"
)
MOVED = "moved|pushed|put|shifted|brought|transferred|relocated"
PARTICLE = r"(?: back| forward| up| down| off| out| over)?"
BEEN = r"(?:(?:has|have|had)(?: just| now)?(?: been)? |(?:was|were|got|is|are) (?:now )?)?"
TO = r"(?: from [^,.;]+?)? (?:to|until|till) "

# "They raised my rent to 850", "the wedding has been postponed to August".
CHANGES = _forms(
    rf"\b(?:{CHANGED}|had to (?:{CHANGE})) {THING}{PARTICLE}{TO}{VALUE}",
    rf"{THING} {BEEN}(?:{CHANGED}){PARTICLE}{TO}{VALUE}",
    rf"{THING} {BEEN}(?:(?:went|goes|gone) (?:up|down)|rose|risen|fell|dropped){TO}{VALUE}",
    rf"\b(?:renamed|rebranded) {THING} (?:to |as )?{NAMED}",
    rf"{THING} {BEEN}(?:renamed|rebranded) (?:to |as )?{NAMED}",
    rf"{THING} has an? (?:\w+ )?(?:name|title)\b[^:,]*[:,] {NAMED}",
    rf"{THING} {BEEN}replaced (?:by|with) {VALUE}",
)
# The same of what has a time or a place: a car that was moved to the garage is still a Skoda.
MOVES = _forms(
    rf"\b(?:{MOVED}) {THING}{PARTICLE}{TO}{VALUE}",
    rf"\bput {THING} (?=on |in |at ){VALUE}",
    rf"{THING} {BEEN}(?:{MOVED}){PARTICLE}{TO}{VALUE}",
)

IS = r"(?:is|are|has become|have become|became|goes by|takes place|starts|begins|leaves|meets)"
NOW = re.compile(
    r"\b(?:now|new|these days|nowadays|from now on|from today|instead|at last|as of"
    r"|from (?:this|next) \w+ on|since)\b",
    re.IGNORECASE,
)
# With a word for "now": "the cat is called Duke now", "my new boss is Otto".
STATES = _forms(
    rf"{THING} (?:now |currently )?{IS}(?: now| currently)? (?:called |named )?{VALUE}",
    rf"{BEGIN}{NAMED} (?:is|has become) (?:now )?(?P<thing>my {PHRASE})(?= now|[,.;!]|$)",
)
# "They moved my exam, it's on Friday": what changed is named first, and then meant by a pronoun.
TOLD_FIRST = re.compile(
    rf"\b(?:{CHANGED}|{MOVED}|renamed|replaced|no longer|any ?more)\b", re.IGNORECASE
)
AFTER_IT = _forms(
    r"[,:;] ?(?:and |so |but )?(?:now )?(?:it|he|she)(?: is|'s|’s)(?: now)?(?: called| named)? "
    rf"{VALUE}",
    rf"[,:;] ?(?:and |so |but )?(?:now )?(?:it|he|she) (?:starts|begins|leaves|meets) {VALUE}",
    rf"[,:;] ?(?:and )?(?:its|her|his|the) (?:new )?name(?: is|'s|’s) {VALUE}",
)
DETERMINER = re.compile(r"\b(?:my|our|the|an?) ", re.IGNORECASE)
NEW_ONE = re.compile(r"\b(?:my|our|the|an?) (?=new )", re.IGNORECASE)

DOES = (
    "take|go to|use|drink|eat|drive|play|wear|read|see|ride|work at|work for|live in|shop at|have"
)
# "I switched from A to B", "I take the 17 instead of the 42".
SWITCHES = _forms(
    rf"{ME} (?:switched|changed|moved|converted|gone|went|migrated|relocated)(?: over)? from {OLD}"
    rf" to {VALUE}",
    rf"{ME} (?:switched|changed|gone|went) to {VALUE} from {OLD}{END}",
    rf"{ME} (?:swapped|traded(?: in)?|exchanged|replaced|ditched) {OLD} (?:for|with|by) {VALUE}",
    rf"{ME} (?:renamed|rebranded|turned) {OLD} (?:to|as|into) {VALUE}",
    rf"{ME} (?:{DOES}) {VALUE}(?: now)? instead of {OLD}(?: now)?{END}",
    rf"\b(?:no longer|not) (?:\w+ ){{0,2}}{OLD}(?: any ?more)?,? but {VALUE}",
    rf"{BEGIN}{NAMED} has (?:taken over from|succeeded|replaced) {OLD}(?: as\b|{END})",
)

ENDED = (
    "quit|gave up|given up|ended|cancelled|canceled|sold|got rid of|gone off|went off"
    "|dropped out of|unsubscribed from|broke up with|broken up with|split up with|gave away"
    "|given away|stopped(?= \\w+ing\\b)"
)
DOING = (
    "seeing|playing|taking|eating|drinking|using|smoking|learning|studying|practising|being"
    "|going to|having"
)
WAS = (
    "live in|work at|work for|work as|be allergic to|be|like|love|enjoy|hate|prefer|play|have|own"
    "|drive|eat|drink"
)
# "I sold the car", "Rex died", "I don't ski any more", "I used to love jazz".
ENDS = _forms(
    rf"{ME} (?:{ENDED}) (?:(?:{DOING}) )?{OLD}{END}",
    rf"{BEGIN}{OLD} (?:died|has died|passed away|has passed away|was stolen|has been stolen)\b",
    rf"{BEGIN}(?P<old>{PROPER}) and i (?:have |'ve |’ve |are )?(?:broke up|broken up|split up"
    rf"|separated|divorced|no longer together){END}",
    rf"\bi used to (?:{WAS}) {OLD}{END}",
    rf"\b(?:i|we) (?:don't|don’t|do not) (?:have |own |keep )?{OLD} (?:any ?more|any longer)\b",
    rf"\b(?:i'm|i’m|i am) not (?:an? )?{OLD} (?:any ?more|any longer)\b",
    rf"\b(?:i|we)(?:'m|’m| am| are)? no longer (?:an? |have |own |keep )?{OLD}{END}",
)
# "Lena isn't my coach any more": who it was must be who is on record.
DISMISSALS = _forms(
    rf"{BEGIN}(?P<old>{PROPER}) (?:is no longer|used to be) (?P<thing>my {PHRASE}){END}",
    rf"{BEGIN}(?P<old>{PROPER}) (?:isn't|isn’t|is not) (?P<thing>my {PHRASE}) any ?(?:more|longer)",
)
# Leaving a city for the day is not moving, so these end nothing but work.
WORK_ENDS = _forms(
    rf"{ME} (?:quit|left|lost|resigned from) (?:my job (?:at|as|with) |my work at )?{OLD}{END}",
    rf"{BEGIN}{OLD} (?:let me go|fired me|laid me off|made me redundant|sacked me)\b",
)
WORK = ("employer", "occupation")

# Said of what did not come about, or has not yet.
NOT_DONE = re.compile(
    r"\b(?:nearly|almost|about to|going to|gonna|will|won't|won’t|could|couldn't|couldn’t|should"
    r"|might|wants? to|wanted to|plan\w*|intend\w*|think(?:ing)? (?:of|about)"
    r"|thought (?:of|about)|consider\w*|hop(?:e|ed|ing)|tried|trying|offer(?:ed|s)? to|decided"
    r"|refused|threaten\w*|supposed|fell through|called off|changed (?:my|our|their) minds?"
    r"|never|haven't|haven’t|hasn't|hasn’t|didn't|didn’t|not yet|next (?:year|month)|one day)\b",
    re.IGNORECASE,
)
