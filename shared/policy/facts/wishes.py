"""Finds what the user asks not to remember: "don't save this", "forget that I live in Ulm"."""

from __future__ import annotations

import itertools
import re

from shared.policy.facts.grounding.folding import fold
from shared.policy.facts.grounding.vocabulary import FILLERS, REPORTS, VERBS, split_list
from shared.policy.facts.languages import LANGUAGES
from shared.policy.facts.slots import normalize_slot
from shared.policy.facts.stance import elsewhere
from shared.policy.facts.stance.foreign import without_foreign
from shared.policy.facts.stance.patterns import Patterns, list_languages, plain, recognise
from shared.policy.facts.stance.places import HOMES, JOBS
from shared.policy.facts.stance.topics import relation_words

MAX_NAME_WORDS = 3
SHORT_VALUE_CHARS = 4  # "type", "2", "the"
SHORT_CHARS = 3  # words that name nothing, in a language without a table
MAX_BARE_WORDS = 7  # "Please don't save this to your memory." tells nothing else
NEAR_CHARS = 24  # between a negation and its verb: "don't you ever save"
SUBJECT_CHARS = 12  # between who does it and the verb: "you always forget"

_ABBREVIATED = r"(?<=\bdr)\.|(?<=\bmr)\.|(?<=\bms)\.|(?<=\bmrs)\.|(?<=\bst)\.|(?<=\bprof)\."
_SENTENCE = re.compile(rf"(?:[^.!?。！？؟\n]|\.(?=\d)|{_ABBREVIATED})+[.!?。！？؟\n]*")
_WORD = re.compile(r"\w+(?:'\w+)?")
_PAUSE = re.compile(r"[,;:，、：；]")
_CLAUSE_END = re.compile(rf"[,;:!?。！？，；：]|(?!{_ABBREVIATED})\.")
#: They name nothing.
_PLAIN_WORDS = FILLERS | REPORTS | VERBS
#: "name", "called".
_NAMES = frozenset(fold(word) for table in LANGUAGES for word in split_list(table.name_nouns)) | {
    "called",
    "names",
}
_INCOMES = ("salary", "income", "wage", "pay", "earnings")
_EARNS = re.compile(
    r"(?<!\w)(?:earn|make|verdien\w*|gagne|gano|cobro|guadagno|ganho|зарабатываю|заробляю|zarabiam|"
    r"vydělávám|kazan\w+)(?!\w)|[挣赚]|稼"
)
#: ", ok?"
_TAG = re.compile(
    r"[,，]\s*¿?(?:ok|okay|please|right|yeah|vale|de acuerdo|d['’]accord|va bene|ja|gell|oké|"
    r"está bem|tamam|хорошо|ладно)\s*[?!.]*\s*$"
)
#: "please", and what may stand with it.
_PLEASES = (
    r"(?:please|pls|bitte|s['’]il (?:te|vous) pla[iî]t|stp|svp|por favor|per favore|alsjeblieft|"
    r"alstublieft|пожалуйста|lütfen|proszę)"
)
_PLEASE = re.compile(rf"\s*(?:\w+ )?{_PLEASES}(?: \w+){{0,2}}\s*")
_PLEASE_FIRST = re.compile(rf"^\s*{_PLEASES}(?!\w)")
#: "Forget [everything about] Leopold": without it, a name may belong to the talk and not to memory.
_EVERYTHING = re.compile(
    r"\s*(?:lo del?|das mit|die sache mit|the (?:bit|part|thing|stuff|business) (?:about|with)"
    r"|l'histoire de|la storia di"
    r"|(?:absolutely )?(?:everything|all|anything|whatever) (?:\w+ ){0,5}(?:about|of|on)"
    r"|(?:you )?(?:know|remember|stored|saved|noted|have) (?:about|of|on)"
    r"|(?:told|said)(?: to)?(?: you)? (?:about|of)"
    r"|alles (?:\w+ ){0,3}(?:über|zu|von)|tout (?:ce que \w+ (?:\w+ )?)?(?:sur|de)"
    r"|todo (?:lo (?:que )?(?:\w+ )?)?(?:sobre|de|acerca de)|tutto (?:quello che \w+ )?(?:su|di)"
    r"|tudo (?:o que \w+ )?(?:sobre|de)|alles (?:\w+ ){0,3}over"
    r"|(?:все|всё)(?:,? что \w+)? (?:о|об|про)|wszystko o|všechno o)(?!\w)"
    r"|.{0,4}(?:关于|有关).{1,12}(?:一切|所有|全部)|.{0,30}(?:のこと|について).{0,9}(?:全部|すべて)"
)
#: "Everything about [the first recipe]" may be of the talk.
_OF_TALK = re.compile(
    r"\s+(?:the|this|that|these|those|der|die|das|dem|den|diese\w*|le|la|les|l'|ce|cette|el|los|las|"
    r"est\w+|il|lo|gli|i|quest\w+|o|a|os|as|de|het|deze|dit)(?!\w)"
)
#: The wish is about what follows it: "off the record: …", "don't note this, but …".
_GOES_ON = re.compile(r"[:：,，、–—]| - ")


def unwanted_parts(text: str) -> list[str]:
    """The parts of a message, in lower case, that the user asks not to remember.

    A sentence with a wish and something else is its own part, and so is what follows after a
    colon. A bare wish ("Please don't save this.") is about the whole message.
    """
    low, languages = _read(text)
    sentences = _SENTENCE.findall(low)
    parts: list[str] = []
    for number, sentence in enumerate(sentences):
        wish = _find_wish(sentence, languages)
        if wish is None:
            continue
        if _is_bare(sentence, wish, languages):
            return [low]
        parts.append(sentence)
        if sentence.rstrip().endswith((":", "：")):
            parts += sentences[number + 1 :]
    return parts


def forget_requests(text: str) -> list[str]:
    """What the user asks to forget of themself, in lower case: "that my cat is called Gigi"."""
    low, languages = _read(text)
    elsewhere_asked = [
        _request(sentence, verb, languages)
        for sentence in _SENTENCE.findall(low)
        if (verb := elsewhere.find_forget(sentence))
    ]
    return elsewhere_asked + [
        _request(sentence, verb, languages)
        for sentence in _SENTENCE.findall(low)
        for language in languages
        for verb in language.forgets.finditer(sentence)
        if _is_wish(sentence, verb, language, is_denied=False)
        and _is_of_memory(sentence, verb, languages)
    ]


def names_key(key: str, request: str) -> bool:
    """Whether a request names a key and nothing else: "my birthday", "what my cat is called"."""
    _, known = normalize_slot("identity", key, "")
    keys = {fold(word) for word in (*key.split("_"), *known.split("_"))} - {"name"}
    relations = relation_words(key, request)
    is_name = key.endswith("name")
    nouns = {fold(word) for word in _WORD.findall(request)} - _PLAIN_WORDS - _NAMES
    if any(relation in noun for noun in nouns for relation in relations - nouns):  # 我女儿的名字
        return is_name and any(name in noun for noun in nouns for name in ("名", "이름"))
    if nouns and nouns <= keys | relations:
        return is_name or not nouns <= relations
    if normalize_slot("identity", "_".join(sorted(nouns)), "")[1] == known and nouns:
        return True  # "my job" is the occupation
    return _asks_for(key, request)


def _asks_for(key: str, request: str) -> bool:
    """Whether a request names nothing, but asks for it: "where I live", "what I earn"."""
    _, name = normalize_slot("identity", key, "")
    if name == "name" and _is_name_alone(request):
        return True
    verbs = [_EARNS] if name in _INCOMES else []
    for language in recognise(request) or list_languages():
        verbs += [language.homes] if name in HOMES else [language.jobs] if name in JOBS else []
    return any(_is_all(request, verb) for verb in verbs)


def _is_name_alone(request: str) -> bool:
    """ "My name", and nobody else's."""
    words = {fold(word) for word in _WORD.findall(request)}
    return bool(words & _NAMES) and not words - _PLAIN_WORDS - _NAMES


def _is_all(request: str, verb: re.Pattern[str]) -> bool:
    """Whether the request has the verb, and else only words that ask or name nothing."""
    if not verb.search(request):
        return False
    rest = verb.sub(" ", request)
    for language in recognise(request):
        rest = language.asks.sub(" ", rest)
    return not {fold(word) for word in _WORD.findall(rest)} - _PLAIN_WORDS


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
    languages = recognise(request)
    for language in languages:
        if language.table.is_unspaced:  # 我女朋友的名字
            for column in (language.common, language.first_person, language.name_nouns):
                request = column.sub(" ", request)
    words = [word for word in _WORD.findall(request) if fold(word) not in _PLAIN_WORDS]
    if languages:
        return " ".join(words)
    return " ".join(word for word in words if len(word) > SHORT_CHARS) or " ".join(words)


def _read(text: str) -> tuple[str, tuple[Patterns, ...]]:
    """The user's own words in lower case, and the languages that they may be in."""
    low = plain(without_foreign(text, keeps_tasks=True))
    return low, recognise(low) or list_languages()


def _find_wish(sentence: str, languages: tuple[Patterns, ...]) -> re.Match[str] | None:
    """A verb of remembering that is denied, or one of forgetting that is not."""
    if wish := elsewhere.find_wish(sentence):
        return wish
    for language in languages:
        if phrase := language.unwanted.search(sentence):
            return phrase
        for verb in language.remembers.finditer(sentence):
            if _is_wish(sentence, verb, language, is_denied=True):
                return verb
        for verb in language.forgets.finditer(sentence):
            is_wish = _is_wish(sentence, verb, language, is_denied=False)
            if is_wish and _is_about_memory(sentence, verb, languages):
                return verb
    return None


def _is_about_memory(sentence: str, verb: re.Match[str], languages: tuple[Patterns, ...]) -> bool:
    """ "Forget my address", and "forget what I said": not "forget the first recipe"."""
    return _points(sentence[verb.end() :]) or _is_of_memory(sentence, verb, languages)


def _is_of_memory(sentence: str, verb: re.Match[str], languages: tuple[Patterns, ...]) -> bool:
    """Whether it is the user's own that is to be forgotten, or everything about something."""
    request = _request(sentence, verb, languages)
    everything = _EVERYTHING.match(sentence, verb.end())
    is_of_talk = everything and _OF_TALK.match(sentence, everything.end())
    return _says_own(request, languages) or bool(everything and not is_of_talk)


def _request(sentence: str, verb: re.Match[str], languages: tuple[Patterns, ...]) -> str:
    """What is to be forgotten: the clause after the verb, or what is before a verb at the end.

    A clause that only asks is passed over: "vergiss bitte, dass …", "oublie, s'il te plaît, que …".
    One that only names it belongs to it: "forget where I live, Ulm that is".
    """
    clauses = [each for each in _CLAUSE_END.split(sentence[verb.end() :]) if each.strip()]
    if len(clauses) > 1 and _PLEASE.fullmatch(clauses[0]):
        clauses = clauses[1:]
    if not clauses:
        return sentence[: verb.start()]
    clauses[0] = _PLEASE_FIRST.sub("", clauses[0])
    names = itertools.takewhile(lambda each: not _states(each, languages), clauses[1:])
    first = _without_everything(clauses[0])
    return " ".join([first.strip(" 、，"), *names])


def _without_everything(clause: str) -> str:
    match = _EVERYTHING.match(clause)
    return clause[match.end() :] if match else clause


def _states(clause: str, languages: tuple[Patterns, ...]) -> bool:
    """Whether a clause says more than a name."""
    if len(clause.split()) > MAX_NAME_WORDS:
        return True
    columns = ((each.first_person, each.verbs, each.asks, each.negations) for each in languages)
    begins = any(each.common.match(clause.strip()) for each in languages)
    return begins or any(column.search(clause) for each in columns for column in each)


def _is_wish(sentence: str, verb: re.Match[str], language: Patterns, *, is_denied: bool) -> bool:
    """Whether it asks for something, unlike "I don't remember names" and "you always forget"."""
    after = NEAR_CHARS if language.table.denies_after_verb or language.table.negates_after else 0
    before = _PAUSE.split(sentence[max(0, verb.start() - NEAR_CHARS) : verb.start()])[-1]
    behind = _PAUSE.split(sentence[verb.end() : verb.end() + after])[0]
    phrase = f"{before}{verb[0]}{behind}"
    if is_denied:  # "merk dir nicht nur das"
        phrase = language.no_negations.sub(" ", phrase)
    has_denial = bool(language.negations.search(phrase))
    subject = " ".join([language.polite.sub(" ", before)[-SUBJECT_CHARS:], *behind.split()[:1]])
    return has_denial == is_denied and not language.subjects.search(subject)


def _is_bare(sentence: str, wish: re.Match[str], languages: tuple[Patterns, ...]) -> bool:
    """Whether the sentence says nothing that is to be kept or not, but points at the rest."""
    rest = f"{sentence[: wish.start()]} {sentence[wish.end() :]}"
    if _GOES_ON.search(_TAG.sub("", sentence[wish.end() :]).rstrip(" .!")):
        return False
    words = _WORD.findall(rest)
    return len(words) <= MAX_BARE_WORDS and (_points(rest) or not _says_own(rest, languages))


def _points(text: str) -> bool:
    """Whether it only points at what was phrase: "that", "what I told you"."""
    return set(_WORD.findall(fold(text))) <= FILLERS | REPORTS


def _says_own(text: str, languages: tuple[Patterns, ...]) -> bool:
    """Whether it says "I" or "my"."""
    return any(language.first_person.search(text) for language in languages)
