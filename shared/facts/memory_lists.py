"""What another assistant remembers, pasted as a list: a look at what it would state, and keeping.

Nothing is learned by looking. What is kept is stated as by hand: `corrections.state_facts`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Literal

from shared.db import PgConnection
from shared.errors import FieldError, InvalidRequestError
from shared.facts.corrections import Statement, candidate_of, normalize_statement, state_facts
from shared.facts.sentences import find_statement, in_own_words
from shared.models import Candidate, Fact, UserId
from shared.policy.facts.first_person import in_first_person
from shared.policy.facts.memory_lists import MAX_ENTRIES, MAX_LIST_CHARS, cut_list
from shared.policy.facts.names import CANONICAL
from shared.policy.facts.refusals import is_refused
from shared.policy.facts.secret_patterns import SecretPattern
from shared.policy.facts.secrets import is_secret, tells_secret
from shared.policy.facts.slots import choose_key, normalize_key
from shared.policy.facts.values import MAX_VALUE_CHARS, fingerprint, is_same_value
from shared.store.facts import forgotten
from shared.store.facts import versions as fact_versions

MAX_NAMES = 4  # of the user, in one list
MIN_NAME_CHARS = 2
_LABEL = re.compile(r"([^\W\d][\w '/-]{1,40}?) ?[:：] ?(?=\S)")
_YOU = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)

#: `deleted`: the user has deleted this fact before. The last three are not kept.
State = Literal["new", "replaces", "deleted", "known", "secret", "order", "too_long"]
Refusal = Literal["secret", "order", "too_long"]
Heads = dict[tuple[str, str], Fact]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One entry of a list. Without `statement` it cannot be kept."""

    text: str
    state: State
    statement: Statement | None = None
    #: The value that it would replace.
    replaces: str | None = None


@dataclass(frozen=True, kw_only=True)
class Preview:
    #: `MAX_ENTRIES` at most.
    entries: Sequence[Entry]
    #: How many entries there are beyond them.
    further_count: int
    #: Headings, and the talk around the list.
    left_out: Sequence[str]


def preview_list(
    connection: PgConnection, user_id: UserId, text: str, patterns: SecretPattern
) -> Preview:
    """What each entry would state, and whether that is known. Changes nothing.

    `patterns`: the operator's secrets.
    """
    if len(text) > MAX_LIST_CHARS:
        raise InvalidRequestError(f"text: is longer than {MAX_LIST_CHARS:,} characters.")
    cut = cut_list(text)
    texts = cut.entries[:MAX_ENTRIES]
    heads = fact_versions.list_newest_by_slot(connection, user_id)
    names = [*islice(_list_names(texts, heads), MAX_NAMES)]
    entries = [_judge(entry_text, names, heads, patterns) for entry_text in texts]
    deleted = {
        (mark.category, mark.key, mark.fingerprint)
        for mark in forgotten.list_forgotten(connection, user_id)
    }
    return Preview(
        entries=[
            replace(entry, state="deleted") if _mark_of(entry, user_id) in deleted else entry
            for entry in entries
        ],
        further_count=len(cut.entries) - len(texts),
        left_out=cut.left_out,
    )


def keep_statements(
    connection: PgConnection,
    user_id: UserId,
    statements: Sequence[Statement],
    patterns: SecretPattern,
) -> list[tuple[Fact, bool]]:
    """State the chosen entries. Returns each fact, and whether it is a new version.

    All or nothing: raises `InvalidRequestError` with the entry's place for a secret, an order or a
    bad field.
    """
    for number, statement in enumerate(statements):
        value = statement.value
        # The key that a client sends need not be the one that its value has.
        refusal = _refusal(value, statement, patterns) or _refusal(
            value, read_entry(value, ()), patterns
        )
        if refusal:
            pointer, detail = f"#/facts/{number}/value", _DETAILS[refusal]
            raise InvalidRequestError(
                f"facts.{number}.value: {detail}",
                errors=[FieldError(pointer=pointer, detail=detail)],
            )
    return state_facts(connection, user_id, statements, patterns)


_DETAILS: Mapping[Refusal, str] = {
    "secret": "looks like a secret, which is never kept as a fact.",
    "order": "reads like an order to the assistant's system.",
    "too_long": f"is longer than {MAX_VALUE_CHARS} characters.",
}


def read_entry(text: str, names: Collection[str]) -> Statement:
    """The fact that an entry states, word for word if need be. `names` are the user's."""
    rewritten = in_first_person(text, names)
    read = _read_label(text) or find_statement(rewritten or text)
    if read:
        return read
    # A model would take "you" for itself.
    is_you = rewritten is not None and _YOU.match(text) is not None and not _YOU.search(rewritten)
    return in_own_words(rewritten if rewritten and is_you else text)


def _read_label(text: str) -> Statement | None:
    """`Name: Ada`, where the label is one of the common keys."""
    label = _LABEL.match(text)
    key = CANONICAL.get(normalize_key(label[1])) if label else None
    if label is None or key is None:
        return None
    return Statement(category="identity", key=key, value=text[label.end() :].rstrip(". "))


def _list_names(entries: Sequence[str], heads: Mapping[tuple[str, str], Fact]) -> Iterator[str]:
    """The user's name, as the list and the record have it: whole, and its first word."""
    known = heads.get(("identity", "name"))
    values = [known.value] if known and known.is_active else []
    values += [
        statement.value
        for statement in (read_entry(entry, ()) for entry in entries)
        if statement.key == "name"
    ]
    for value in values:
        for name in dict.fromkeys([value.rstrip("."), value.split()[0].rstrip(".,")]):
            if len(name) >= MIN_NAME_CHARS:
                yield name


def _judge(text: str, names: Collection[str], heads: Heads, patterns: SecretPattern) -> Entry:
    """Puts what the entry would state into `heads`, as keeping it would."""
    if len(text) > MAX_VALUE_CHARS:
        return Entry(text=text, state="too_long")
    statement = normalize_statement(read_entry(text, names))
    refusal = _refusal(text, statement, patterns)
    if refusal:
        return Entry(text=text, state=refusal)
    candidate = candidate_of(statement, 0, datetime.now(UTC))
    candidate = replace(candidate, key=choose_key(candidate, heads))
    slot = candidate.category, candidate.key
    head = heads.get(slot)
    heads[slot] = _expected(candidate)
    statement = replace(statement, key=candidate.key)
    if head is None or not head.is_active:
        return Entry(text=text, state="new", statement=statement)
    if is_same_value(head.value, candidate.value):
        return Entry(text=text, state="known", statement=statement)
    return Entry(text=text, state="replaces", statement=statement, replaces=head.value)


def _mark_of(entry: Entry, user_id: UserId) -> tuple[str, str, str] | None:
    """What a new fact would be marked with, had the user deleted it."""
    statement = entry.statement
    if statement is None or entry.state != "new":
        return None
    return statement.category, statement.key, fingerprint(user_id, statement.value)


def _refusal(text: str, statement: Statement, patterns: SecretPattern) -> Refusal | None:
    if tells_secret(text, patterns) or _has_secret_value(text, statement):
        return "secret"
    if is_refused(statement.category, statement.key, statement.value):
        return "order"
    return "too_long" if len(statement.value) > MAX_VALUE_CHARS else None


def _has_secret_value(text: str, statement: Statement) -> bool:
    """Whether the key, or a label such as `Passport number:`, says that the value is a secret."""
    if is_secret(statement.key, statement.value, text):
        return True
    label = _LABEL.match(text)
    return label is not None and is_secret(normalize_key(label[1]), text[label.end() :], text)


def _expected(candidate: Candidate) -> Fact:
    """The version that keeping `candidate` would make."""
    return Fact(
        fact_id=0,
        category=candidate.category,
        key=candidate.key,
        value=candidate.value,
        confidence=candidate.confidence,
        importance=candidate.importance,
        is_active=True,
        source_conversation_id=None,
        source_sequence=None,
        confirmed_at_turn=candidate.turn,
        valid_from=candidate.said_at,
        valid_to=None,
        superseded_by=None,
    )
