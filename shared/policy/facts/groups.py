"""What a memory model's answer adds to a tidying: facts about one thing under different keys.

The model groups facts by their numbers, and the code checks each group. Facts of equal values are
joined; where values differ, the user may be asked. A wrong or hostile answer joins no more than
that, and each join can be undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shared.languages import LANGUAGES
from shared.languages.form import split_list
from shared.models import Fact
from shared.policy.escaping import escape_attribute, escape_text
from shared.policy.facts.names import CANONICAL, CATEGORY_OF, is_timed
from shared.policy.facts.same_thing import key_words
from shared.policy.facts.slots import is_temporary, may_stack
from shared.policy.facts.tidying import Pair, Plan, rank
from shared.policy.facts.values import is_same_value

#: What the model is shown at most.
MOST_FACTS, MOST_CHARS, MOST_VALUE_CHARS = 60, 6_000, 200
MOST_QUESTIONS = 3  # that one tidying asks the user because of the model
#: Shared words of two keys that do not make them two of one kind: favorite_drink, favorite_tea.
_TASTES = frozenset(("favorite", "likes", "like", "loves", "dislikes", "preference"))


#: English words for relatives and pets, as keys have them.
_RELATIONS = frozenset(
    word
    for relation, listed in LANGUAGES[0].people.items()
    for word in (relation, *split_list(listed))
)


@dataclass(frozen=True, kw_only=True)
class Group:
    """Facts that are about one thing, by the model's word."""

    #: As numbered in the input, from 1.
    numbers: Sequence[int]
    #: They say the same. Otherwise they cannot both hold.
    is_same: bool


def list_ungrouped(facts: Sequence[Fact], plan: Plan) -> list[Fact]:
    """The facts that the model is shown, the newest first: those that the rules leave alone."""
    touched = {pair.fact.fact_id for pair in (*plan.joins, *plan.doubts)}
    touched |= {end.fact.fact_id for end in plan.ends}
    shown: list[Fact] = []
    chars = 0
    for fact in sorted(facts, key=lambda fact: (fact.valid_from, fact.fact_id), reverse=True):
        if fact.fact_id in touched or fact.tidied is not None or _is_in_fixed_slot(fact):
            continue
        chars += len(_render(0, fact))
        if chars > MOST_CHARS or len(shown) == MOST_FACTS:
            break
        shown.append(fact)
    return shown


def render_numbered(facts: Sequence[Fact]) -> str:
    """The facts as XML for the prompt, numbered from 1."""
    return "\n".join(_render(number, fact) for number, fact in enumerate(facts, start=1))


def add_groups(
    plan: Plan, groups: Sequence[Group], shown: Sequence[Fact], *, may_ask: bool
) -> Plan:
    """The plan with what the code accepts of the groups. `shown` are the facts of the input.

    `may_ask`: the user may be asked about values that differ. Small models group what has nothing
    in common. A group with a number that is no fact's, or another group's, is left out.
    """
    joins: list[Pair] = []
    doubts: list[Pair] = []
    free = set(range(1, len(shown) + 1))
    for group in groups:
        numbers = set(group.numbers)
        if not numbers <= free:
            continue
        free -= numbers
        other, *rest = sorted((shown[n - 1] for n in numbers), key=rank, reverse=True)
        for pair in (Pair(fact=fact, other=other) for fact in rest):
            if not _may_be_one_thing(pair.fact, other):
                continue
            if is_same_value(pair.fact.value, other.value):
                joins += [pair] if group.is_same else []
            elif may_ask and not may_stack(other.category, other.key):
                doubts.append(pair)
    return replace(
        plan, joins=[*plan.joins, *joins], doubts=[*plan.doubts, *doubts[:MOST_QUESTIONS]]
    )


def _may_be_one_thing(fact: Fact, other: Fact) -> bool:
    """Whether the keys are of one owner and one time, and not of two things of one kind."""
    if fact.category != other.category:
        return False
    is_of_one_time = all(test(fact.key) == test(other.key) for test in (is_timed, is_temporary))
    return is_of_one_time and _owners(fact) == _owners(other) and not _are_two(fact.key, other.key)


def _owners(fact: Fact) -> set[str]:
    """The words for relatives and pets in its key. A cat is not a dog."""
    return {word for word in fact.key.split("_") if word in _RELATIONS}


def _are_two(key: str, other_key: str) -> bool:
    """Whether each has a word beside those that both have: `office_phone`, `home_phone`."""
    words, others = (frozenset(key_words(each)) - _TASTES for each in (key, other_key))
    return bool(words & others and words - others and others - words)


def _is_in_fixed_slot(fact: Fact) -> bool:
    """The rules know all names of such a slot: home, name, employer and so on."""
    return CANONICAL.get(fact.key, fact.key) in CATEGORY_OF


def _render(number: int, fact: Fact) -> str:
    category, key = escape_attribute(fact.category), escape_attribute(fact.key)
    value = escape_text(fact.value[:MOST_VALUE_CHARS])
    return f'<fact n="{number}" category="{category}" key="{key}">{value}</fact>'
