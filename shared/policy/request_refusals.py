"""What a server's refusal of a request teaches about the fields and messages that it takes.

Servers say it in many wordings and languages. So nobody's sentence is recognized, but the names of
the fields that were sent: where the error points (`param`, `loc`), else in its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from shared.models.request_limits import RequestLimits
from shared.policy.context_refusals import read_numbers
from shared.policy.message_shapes import DEVELOPER, PARTS, ROLES, SYSTEM
from shared.policy.provider_messages import find_message
from shared.policy.request_fields import ANSWER_LIMITS, DROPPABLE, FORMAT

MAX_CHARS = 20_000  # of the server's words
BLIND = frozenset({400, 422})  # a refusal that names nothing is searched for its cause
LEAST_ANSWER_LIMIT = 16

#: `'param': 'a.b'` and `"loc": ["body", "a"]`, in JSON and as Python writes it.
POINTERS = re.compile(
    r"""["']param["']\s*:\s*["']([^"']{1,100})["']|["']loc["']\s*:\s*[\[(]([^\])]{1,200})[\])]"""
)
WHOLE_BODY = frozenset({"body", "json"})
#: What no field of the request can be the cause of.
OTHER_CAUSES = re.compile(
    r"\bmodel\b.{0,80}\b(?:not (?:found|exist|available)|unknown|does not exist|invalid|unloaded)|"
    r"api[ _-]?key|quota|credit|billing|balance",
    re.IGNORECASE,
)
#: Words that may mean any field. Others can only mean the form of the answer.
VAGUE = re.compile(
    r"extra|bad request|permitted|invalid|unsupported|not support|unknown|unrecogni|unexpected|"
    r"argument|parameter|field|propert|validation|malformed|schema|pars(?:e|ing)|deserializ|"
    r"ungültig|anfrage|参数|请求|リクエスト|parám|paramètre|requ[êe]te|^\W*$",
    re.IGNORECASE,
)
#: Names of fields that are also words of sentences.
COMMON_WORDS = frozenset({"user", "store", "metadata", "reasoning", "verbosity"})
FIELD_WORDS = (
    r"(?:param(?:eter)?s?|fields?|arguments?|options?|keys?|propert(?:y|ies)|inputs?|"
    r"(?:un)?supported|permitted|supplied|unknown|feld|参数|字段)"
)
#: A value out of its range, which is the client's own mistake. "Must be 1" is no range.
RANGE = re.compile(
    r"between|range|at (?:least|most)|(?:less|greater|more|smaller|larger|lower|higher) than|"
    r"[<>≤≥]|minimum|maximum|valid (?:integer|number|string|boolean)|positive|zwischen|范围",
    re.IGNORECASE,
)
LARGEST = re.compile(
    RANGE.pattern + r"|too (?:large|big|high|long)|exceed|limit|up to|supports?\b.{0,20}\d|"
    r"cannot be|must be|höchst|größer|最大|超",
    re.IGNORECASE,
)
TOGETHER = re.compile(
    r"\bboth\b|together|simultaneous|mutually|exclusive|same time|only one|either|"
    r"\bnot .{0,40}\bwith\b",
    re.IGNORECASE,
)
ORDER = re.compile(
    r"alternat|interleav|consecutive|successive|same role|"
    r"(?:first|last) (?:\w+ )?(?:message|role|turn)|"
    r"\broles?\b.{0,40}\border|order of .{0,20}roles?|(?:unexpected|expected).{0,30}\brole|"
    r"(?:must|should) (?:be |come |start |begin ).{0,16}\b(?:first|begin\w*|start|after|user)\b|"
    r"multiple system|only one system|abwechsel|交替",
    re.IGNORECASE,
)
INSTRUCTIONS = re.compile(
    r"\b(system|developer)\b.{0,30}\b(?:role|message|prompt|instruction)|"
    r"\b(?:role|message|prompt|instruction|variant|value)s?\b.{0,60}?\b(system|developer)\b|"
    r"^\W*(system|developer)\b.{0,20}not one of",
    re.IGNORECASE | re.DOTALL,
)
PLAIN_TEXT = re.compile(
    r"content\b.{0,80}(?:must|should|expected|valid|type).{0,20}\bstr(?:ing)?\b|expected a string",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A server's answer to a request that it did not take."""

    status: int
    text: str

    @property
    def words(self) -> str:
        """Its sentence, without what surrounds it. Empty: an HTML page."""
        return find_message(self.text[:MAX_CHARS])


@dataclass(frozen=True, kw_only=True)
class SentFields:
    """The optional fields of a refused request."""

    fields: Mapping[str, Any]
    #: Those that a client has chosen.
    chosen: frozenset[str] = frozenset()

    @property
    def format(self) -> str | None:
        """The type of our own `response_format`."""
        form = None if FORMAT in self.chosen else self.fields.get(FORMAT)
        return form["type"] if form else None

    def is_droppable(self, name: str) -> bool:
        return name in DROPPABLE or (name == FORMAT and self.format is not None)


def adjust(refusal: Refusal, limits: RequestLimits, sent: SentFields) -> Iterator[RequestLimits]:
    """The limits that the refusal may mean, the likeliest first."""
    words = refusal.words
    yield from (limits.without(shape) for shape in _shapes(words))
    names = _list_names(refusal, sent)
    if TOGETHER.search(words) and len(names) > 1:
        first, second = names[:2]
        if sent.is_droppable(second):
            yield limits.without(f"{second}+{first}")
    for name in names:
        if sent.is_droppable(name) and (adjusted := _adjust_field(name, words, limits, sent)):
            yield adjusted


def names_nothing(refusal: Refusal, sent: SentFields) -> bool:
    """Whether the cause of the refusal must be searched for."""
    is_of_body = refusal.status in BLIND and not OTHER_CAUSES.search(refusal.words)
    return is_of_body and not (_list_pointers(refusal) or _list_names(refusal, sent))


def search_blindly(
    refusal: Refusal, limits: RequestLimits, sent: SentFields
) -> Iterator[tuple[RequestLimits, RequestLimits]]:
    """For a refusal that names nothing: limits to try, one field less each time, and what is
    learned if they are taken. A client's own fields are left out last, and together."""
    tried, is_vague = limits, VAGUE.search(refusal.words)
    suspects = [name for name in DROPPABLE if is_vague and name in sent.fields]
    our_fields = [name for name in suspects if name not in sent.chosen]
    steps = [("json_schema",), ("json_schema", "json_object")] if sent.format else []
    for name in our_fields:
        steps += [(name,), ANSWER_LIMITS] if name in ANSWER_LIMITS else [(name,)]
    for names in steps:
        tried = tried.without(*names)
        yield tried, limits.without(*names)
    if others := [name for name in suspects if name in sent.chosen]:
        yield tried.without(*others), limits.without(*(others if len(others) == 1 else ()))


def _shapes(words: str) -> list[str]:
    roles = [next(filter(None, match)).lower() for match in INSTRUCTIONS.findall(words)]
    shown = sorted(dict.fromkeys(roles), key=roles.index)
    shapes = [DEVELOPER] if DEVELOPER in shown else []
    if ORDER.search(words):
        shapes += [ROLES, SYSTEM]  # an old template takes instructions for a turn
    if PLAIN_TEXT.search(words):
        shapes.append(PARTS)
    if SYSTEM in shown:
        shapes.append(SYSTEM)
    return shapes


def _list_names(refusal: Refusal, sent: SentFields) -> list[str]:
    """The sent fields to which the error points, else those in its words, in their order.

    What else a sentence speaks of, it speaks of later.
    """
    if names := [name for name in _list_pointers(refusal) if name in sent.fields]:
        return names
    words = refusal.words
    places = {name: match.start() for name in sent.fields if (match := _search(name, words))}
    return sorted(places, key=places.__getitem__)


def _list_pointers(refusal: Refusal) -> list[str]:
    """The parts of the paths to which the error points."""
    parts = (
        part
        for param, location in POINTERS.findall(refusal.text[:MAX_CHARS])
        for part in re.findall(r"\w+", param or location)
    )
    return [part for part in dict.fromkeys(parts) if part not in WHOLE_BODY]


def _search(name: str, words: str) -> re.Match[str] | None:
    """The name as it is, with spaces or hyphens, or in camel case."""
    spelling = "[ _-]?".join(map(re.escape, name.split("_")))
    if name in COMMON_WORDS:
        quoted = rf"['\"`“‘«\[]{spelling}['\"`”’»\]]"
        spelling = rf"{quoted}|{FIELD_WORDS}\W{{1,4}}{spelling}"
    return re.search(rf"(?<![A-Za-z0-9_])(?:{spelling})(?![A-Za-z0-9_])", words, re.IGNORECASE)


def _adjust_field(
    name: str, words: str, limits: RequestLimits, sent: SentFields
) -> RequestLimits | None:
    if name == FORMAT:
        return limits.without(str(sent.format))
    if name in ANSWER_LIMITS and (most := _largest_answer(words, sent.fields[name])):
        return replace(limits, answer_tokens=most)
    if name in sent.chosen and RANGE.search(words):
        return None
    return limits.without(name)


def _largest_answer(words: str, requested: object) -> int | None:
    """The most tokens of an answer that the words allow, below what was asked for."""
    if not isinstance(requested, int) or not LARGEST.search(words):
        return None
    numbers = [number for number, _, _ in read_numbers(words)]
    return max((n for n in numbers if LEAST_ANSWER_LIMIT <= n < requested), default=None)
