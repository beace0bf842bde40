"""Finds what the user asks not to remember: "don't save this", "forget that I live in Ulm".

The words stand in each language's file: verbs that forget what is the user's own, verbs that remove
what stands in memory, and verbs of remembering, which a negation makes a wish.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from shared.languages import LANGUAGES
from shared.languages.form import Language, split_list
from shared.policy.facts.grounding.vocabulary import FILLERS, VERBS
from shared.policy.facts.own_text import own_text
from shared.policy.facts.phrases import LETTER, any_of, compile_words, plain, recognise
from shared.policy.facts.slots import normalize_slot
from shared.policy.facts.small_talk import is_small_talk
from shared.policy.folding import fold

MAX_NAME_WORDS = 3
SHORT_VALUE_CHARS = 4  # "type", "2", "the"
SHORT_CHARS = 2  # words that name nothing
MAX_BARE_WORDS = 7  # "Please don't save this to your memory." tells nothing else
NEAR_CHARS = 24  # between a negation and its verb: "don't you ever save"
SUBJECT_CHARS = 12  # between who does it and the verb: "you always forget"
UNSPACED_SUBJECT_CHARS = 3  # the same without spaces

_ABBREVIATED = r"(?<=\bdr)\.|(?<=\bmr)\.|(?<=\bms)\.|(?<=\bmrs)\.|(?<=\bst)\.|(?<=\bprof)\."
_SENTENCE = re.compile(rf"(?:[^.!?。！？؟\n]|\.(?=\d)|{_ABBREVIATED})+[.!?。！？؟\n]*")
_WORD = re.compile(rf"{LETTER}+(?:'{LETTER}+)?")
_PAUSE = re.compile(r"[,;:，、：；]")
_CLAUSE_END = re.compile(rf"[,;:!?。！？，；：]|(?!{_ABBREVIATED})\.")
#: The wish is about what follows it: "off the record: …", "don't note this, but …".
_GOES_ON = re.compile(r"[:：,，、–—]| - ")
_TAG_WORDS = 2  # ", ok?", ", s'il te plaît"
_PLAIN_WORDS = FILLERS | VERBS
#: "Ivo's", "d'Ivo".
_ELISION = re.compile(r"'s?$|^\w{1,2}'(?=\w)")


@dataclass(frozen=True, kw_only=True)
class _Wish:
    """A verb or phrase of a sentence that asks to forget something, or not to remember it."""

    sentence: str
    language: Language
    start: int
    end: int
    #: It asks to forget what was said before.
    forgets: bool


def unwanted_parts(text: str) -> list[str]:
    """The parts of a message, in lower case, that the user asks not to remember.

    A sentence with a wish and something else is its own part, and so is what follows after a
    colon. A bare wish ("Please don't save this.") is about the whole message.
    """
    low = plain(own_text(text))
    sentences = _SENTENCE.findall(low)
    parts: list[str] = []
    for number, sentence in enumerate(sentences):
        wish = next(_find_wishes(sentence, recognise(low)), None)
        if wish is None:
            continue
        if _is_bare(wish):
            return [low]
        parts.append(sentence)
        if sentence.rstrip().endswith((":", "：")):
            parts += sentences[number + 1 :]
    return parts


def forget_requests(text: str) -> list[str]:
    """What the user asks to forget of themself, in lower case: "that my cat is called Gigi"."""
    low = plain(own_text(text))
    requests = (
        _request(wish)
        for sentence in _SENTENCE.findall(low)
        for wish in _find_wishes(sentence, recognise(low))
        if wish.forgets
    )
    return list(dict.fromkeys(filter(None, requests)))


def _find_wishes(sentence: str, languages: tuple[Language, ...]) -> Iterator[_Wish]:
    for language in languages:
        removal = _find_removal(sentence, language)
        if removal:
            yield removal
            continue
        for verb in any_of(language, "forgets").finditer(sentence):
            wish = _make(sentence, language, verb, forgets=True)
            if _is_wish(sentence, verb, language, is_denied=False) and _is_of_memory(wish):
                yield wish
                break
        else:
            yield from _find_unwanted(sentence, language)


def _find_unwanted(sentence: str, language: Language) -> Iterator[_Wish]:
    """ "Off the record", or a verb of remembering that is denied."""
    if phrase := any_of(language, "unwanted").search(sentence):
        yield _make(sentence, language, phrase, forgets=False)
    for verb in any_of(language, "remembers").finditer(sentence):
        if _is_wish(sentence, verb, language, is_denied=True):
            yield _make(sentence, language, verb, forgets=False)


def _find_removal(sentence: str, language: Language) -> _Wish | None:
    """A verb that removes, in a sentence that names the memory: "take Ivo out of your notes"."""
    if not any_of(language, "memory").search(sentence):
        return None
    for verb in any_of(language, "removes").finditer(sentence):
        if _is_wish(sentence, verb, language, is_denied=False):
            return _make(sentence, language, verb, forgets=True)
    return None


def _make(sentence: str, language: Language, match: re.Match[str], *, forgets: bool) -> _Wish:
    return _Wish(
        sentence=sentence, language=language, start=match.start(), end=match.end(), forgets=forgets
    )


def _is_of_memory(wish: _Wish) -> bool:
    """ "Forget my address", "forget what I said", "forget everything about Leopold"."""
    language, rest = wish.language, wish.sentence[wish.end :]
    everything = any_of(language, "everything").match(rest.lstrip())
    after = rest.lstrip()[everything.end() :] if everything else ""
    is_of_talk = {fold(word) for word in _WORD.findall(after)[:1]} & FILLERS  # "the first recipe"
    return bool(
        any_of(language, "memory").search(wish.sentence)
        or (everything and not is_of_talk)
        or any_of(language, "first_person").search(_request(wish))
        or _points(rest, language)
    )


def _request(wish: _Wish) -> str:
    """What is to be forgotten: the clauses after the verb, or what is before a verb at the end.

    A clause that only asks is passed over: "vergiss bitte, dass …". One that only names it belongs
    to it: "forget where I live, Ulm that is". What names the memory is left out.
    """
    language = wish.language
    behind, before = (
        _without_asking(_without_memory(text, language), language)
        for text in (wish.sentence[wish.end :], wish.sentence[: wish.start])
    )
    if not _telling(behind, language):
        return _PAUSE.split(before)[-1].strip() if _telling(before, language) else behind.strip()
    clauses = [each for each in _CLAUSE_END.split(behind) if each.strip()]
    names = itertools.takewhile(lambda each: _only_names(each, language), clauses[1:])
    return " ".join([*(each.strip(" 、，") for each in clauses[:1]), *names]).strip()


def _without_asking(text: str, language: Language) -> str:
    for column in ("polite", "removes"):
        text = any_of(language, column).sub(" ", text)
    return text


def _without_memory(text: str, language: Language) -> str:
    for column in ("memory", "everything"):
        text = any_of(language, column).sub(" ", text)
    return text


def _telling(text: str, language: Language) -> list[str]:
    """The words of a text that name something."""
    if not language.spaced:
        for column in ("common", "first_person", "memory", "removes", "forgets"):
            text = any_of(language, column).sub(" ", text)
    return [
        bare
        for word in _WORD.findall(text)
        if (bare := _ELISION.sub("", word)) and fold(bare) not in _PLAIN_WORDS
    ]


def _only_names(clause: str, language: Language) -> bool:
    """Whether a clause says no more than a name."""
    columns = (any_of(language, name) for name in ("first_person", "verbs", "negations"))
    is_long = len(clause.split()) > MAX_NAME_WORDS
    begins = any_of(language, "common").match(clause.strip())
    return not is_long and not begins and not any(column.search(clause) for column in columns)


def _is_wish(sentence: str, verb: re.Match[str], language: Language, *, is_denied: bool) -> bool:
    """Whether it asks for something, unlike "I don't remember names" and "you always forget"."""
    after = NEAR_CHARS if language.denies_after else 0
    before = _PAUSE.split(sentence[max(0, verb.start() - NEAR_CHARS) : verb.start()])[-1]
    behind = _PAUSE.split(sentence[verb.end() : verb.end() + after])[0]
    phrase = any_of(language, "no_negations").sub(" ", f"{before}{verb[0]}{behind}")
    is_reminder = phrase != f"{before}{verb[0]}{behind}" and not is_denied
    has_denial = bool(any_of(language, "negations").search(phrase))
    polite = any_of(language, "polite")
    reach = SUBJECT_CHARS if language.spaced else UNSPACED_SUBJECT_CHARS
    subject = " ".join([polite.sub(" ", before)[-reach:], *behind.split()[:1]])
    has_subject = any_of(language, "subjects").search(subject)
    return has_denial == is_denied and not has_subject and not is_reminder


def _is_bare(wish: _Wish) -> bool:
    """Whether the sentence says nothing that is to be kept or not, but points at the rest."""
    behind = wish.sentence[wish.end :].rstrip(" .!?。！")
    *_, tag = _GOES_ON.split(behind)
    is_tag = len(tag.split()) <= _TAG_WORDS and (
        is_small_talk(tag) or not _telling(tag, wish.language)
    )
    if _GOES_ON.search(behind) and not (is_tag and len(_GOES_ON.findall(behind)) == 1):
        return False
    rest = _without_memory(f"{wish.sentence[: wish.start]} {behind}", wish.language)
    rest = _without_asking(rest, wish.language)
    says_own = any_of(wish.language, "first_person").search(rest)
    is_short = len(_WORD.findall(rest)) <= MAX_BARE_WORDS
    return is_short and (_points(rest, wish.language) or not says_own)


def _points(text: str, language: Language) -> bool:
    """Whether it only points at what was said: "that", "what I told you"."""
    words = _WORD.findall(_without_memory(text, language))
    return {fold(word) for word in words} <= _PLAIN_WORDS


def names_key(key: str, request: str) -> bool:
    """Whether a request names a key and nothing else: "my birthday", "what my cat is called"."""
    _, known = normalize_slot("identity", key, "")
    words = frozenset(f"{key}_{known}".split("_"))
    for language in recognise(request):
        rest = _without_memory(request, language)
        slot = _slot_words(known, language)
        people = [
            compile_words(split_list(listed), language)
            for relation, listed in language.people.items()
            if words & _relation_keys(relation)
        ]
        has_person = any(pattern.search(rest) for pattern in people)
        has_slot = bool(slot.search(rest))
        for pattern in (*people, slot, any_of(language, "name_nouns")):
            rest = pattern.sub(" ", rest)
        left = {fold(word) for word in _telling(rest, language)} - {fold(word) for word in words}
        of_key = {fold(word) for word in _telling(request, language)} & {*map(fold, words)}
        if left or not (has_person or has_slot or of_key - {"name"} or known == "name"):
            continue
        if has_person and not has_slot and known not in _relation_keys_of(words):
            return known.endswith("name")
        return has_person or has_slot or bool(of_key)
    return False


def _slot_words(key: str, language: Language) -> re.Pattern[str]:
    return compile_words(split_list(language.slots.get(key, "")), language)


def _relation_keys(relation: str) -> frozenset[str]:
    """The words of keys for a relation: "partner", "wife", "husband"."""
    return _relations().get(relation, frozenset()) | {relation}


def _relation_keys_of(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if any(word in keys for keys in _relations().values()))


def _relations() -> Mapping[str, frozenset[str]]:
    english = LANGUAGES[0]
    return {
        relation: frozenset("_".join(each.split()) for each in split_list(listed))
        for relation, listed in english.people.items()
    }


def names_part_of(value: str, request: str) -> bool:
    """Whether a request names a value, but for what is short: "diabetes" is "diabetes, type 2".

    "Forget my car" does not name a car mechanic.
    """
    words = {fold(word) for word in name_forgotten(request).split()}
    of_value = {fold(word) for word in _WORD.findall(value.casefold())}
    rest = of_value - words
    return (
        bool(words) and words <= of_value and all(len(word) <= SHORT_VALUE_CHARS for word in rest)
    )


def name_forgotten(request: str) -> str:
    """The words of such a request that name something: "cat Gigi". Not "live", "called", "that"."""
    language = recognise(request)[0]
    bare = any_of(language, "name_nouns").sub(" ", _without_memory(request, language))
    words = _telling(bare, language)
    return " ".join(word for word in words if len(word) > SHORT_CHARS) or " ".join(words)
