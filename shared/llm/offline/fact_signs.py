"""Signs that a sentence is no lasting fact, or takes one back."""

from __future__ import annotations

import re

from shared.llm.offline.words import list_words


def _sign(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


NOT_ANY_MORE = _sign(
    r"\bi(?:'m|’m| am)? no longer\b",
    r"\b(?:don't|don’t|do not|not)\b.*\b(?:any ?more|any longer|after all)\b",
)
NEGATION = _sign(r"\b(?:no longer|any ?more|any longer|after all|don't|don’t|do not|not)\b")

# "My sister is ill" is hers to tell; "my sister is called Eva" says who the user's people are.
PEOPLE = frozenset(
    list_words(
        """
        sister brother mother father mom mum dad wife husband partner girlfriend boyfriend friend
        son daughter boss colleague neighbour neighbor cousin aunt uncle grandmother grandfather
        """
    )
)
SAYS = r"(?:said|says|told|tells|wrote|writes|claim(?:s|ed)|thinks?|thought|believes?|insists?)"
# Said, but not meant, or said by somebody else.
NOT_MEANT = _sign(
    r"\b(?:if|imagin(?:e|ing)|pretend|suppos(?:e|ing)|hypothetically|wish|would|wouldn't|i'd|i’d)\b",
    r"\b(?:let's say|say that i|as though|role-?play|my character|dream(?:t|ed))\b",
    r"\bin (?:the|my|a) (?:story|novel|dream|game|book|film|play|song)\b|\bstory in which\b",
    r"^\W*(?:please )?(?:translate|write|rewrite|proofread|paraphrase|compose|draft)\b",
    rf"\b(?:he|she|they|you|who|everyone|everybody|someone|somebody|people|that|which) {SAYS}\b",
    rf"\b(?:{'|'.join(sorted(PEOPLE))}|article|book|guidebook|horoscope|advert) (?:\w+ )?{SAYS}\b",
    r"\b(?:according to|rumou?rs?)\b",
    r"\?\W*$",
)
# Somebody's own words in a quotation, not a name or a title in marks.
QUOTED = _sign(r"[“\"«„][^“”\"«»„]*\b(?:i|i'm|i’m|i've|i’ve|my|we|our)\b[^“”\"«»„]*[”\"»“]")
JOKE = _sign(r"\b(?:kidding|joking|lol|haha+|jk)\b", "[😂🤣😜]")
HEDGE = _sign(
    r"\b(?:maybe|perhaps|probably|possibly|i think|i guess|not sure|kind of|sort of|might)\b"
)
# Not "from today", "since this week": what begins may last.
STARTING = r"(?<!from )(?<!since )(?<!as of )"
FLEETING = _sign(
    rf"{STARTING}\b(?:today|tonight|this (?:week|weekend|month|morning))\b",
    r"\b(?:right now|at the moment|for now|temporarily|for the time being|until)\b",
    r"\bfor (?:a|an|one|the) (?:night|day|afternoon|weekend|week)\b",
)

# Figures of speech, what is at hand, and what nobody should keep.
NO_THINGS = frozenset(
    list_words(
        """
        question point problem guess idea opinion answer concern bad goal plan turn
        code program script error app computer
        password passcode pin secret token card
        """
    )
)
# What a value does not begin with: states, and words that stand for something else.
NO_STARTS = frozenset(
    list_words(
        """
        broken here there late ready dead down gone back ill sick fine ok full empty slow not so
        too very being going getting still really about that this it them him her to how what
        when where failing fear hard asleep awake tired busy closed open done finished stolen lost
        """
    )
)
# What no value holds: it would be about somebody else, or about nobody.
NO_PARTS = frozenset(list_words("you your yours myself home here least night"))
# Where another statement begins within a sentence.
CLAUSE = re.compile(r"[,;]\s+(?=(?:and |but )?(?:i|i'm|i’m|my)\b)", re.IGNORECASE)
