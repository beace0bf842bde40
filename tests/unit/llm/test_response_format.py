from __future__ import annotations

import json
from typing import Any

import pytest

from shared.llm.response_format import choose_format, strict_schema
from shared.llm.schemas import EpisodeAnswer, FactsAnswer, SummaryAnswer
from shared.llm.targets import Target
from shared.models.request_limits import RequestLimits

AT_AN_ADDRESS = Target(model="m", name="m", provider="openai", way="direct", api_base="http://no")
FORMS = [SummaryAnswer, EpisodeAnswer, FactsAnswer]


def objects_in(schema: Any) -> Any:
    """Every schema of an object, at any depth."""
    if isinstance(schema, list):
        return [object_schema for part in schema for object_schema in objects_in(part)]
    if not isinstance(schema, dict):
        return []
    inner = [object_schema for part in schema.values() for object_schema in objects_in(part)]
    return inner + ([schema] if schema.get("type") == "object" else [])


@pytest.mark.parametrize("form", FORMS)
def test_every_field_is_required_and_no_other_is_allowed(form: Any) -> None:
    objects = objects_in(strict_schema(form))

    assert objects
    for schema in objects:
        assert schema["required"] == list(schema["properties"])
        assert schema["additionalProperties"] is False


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_said_that_a_provider_may_not_know(form: Any) -> None:
    text = json.dumps(strict_schema(form))

    for word in ("$ref", "$defs", "default", "minLength", "maximum", "description"):
        assert f'"{word}"' not in text


def test_a_fact_is_asked_for_with_all_that_it_may_leave_out() -> None:
    (fact, _) = objects_in(strict_schema(FactsAnswer))

    assert {"value", "retracts"} <= set(fact["required"])
    assert "identity" in fact["properties"]["category"]["enum"]


def test_the_form_of_an_answer_goes_from_strict_to_none() -> None:
    limits = RequestLimits()
    strict = choose_format(SummaryAnswer, AT_AN_ADDRESS, limits)
    assert strict is not None
    assert strict["json_schema"]["strict"] is True
    assert strict["json_schema"]["schema"] == strict_schema(SummaryAnswer)
    limits = limits.without("json_schema")
    assert choose_format(SummaryAnswer, AT_AN_ADDRESS, limits) == {"type": "json_object"}
    limits = limits.without("json_object")
    assert choose_format(SummaryAnswer, AT_AN_ADDRESS, limits) is None


def test_a_provider_that_is_known_to_lack_schemas_is_not_asked_for_one() -> None:
    known, old = (Target(model=name, name=name, provider="any") for name in ("gpt-4o", "gpt-4"))
    assert choose_format(SummaryAnswer, old, RequestLimits()) == {"type": "json_object"}
    form = choose_format(SummaryAnswer, known, RequestLimits())
    assert form is not None
    assert form["type"] == "json_schema"


def test_who_changes_a_schema_changes_no_other_request() -> None:
    expected = strict_schema(FactsAnswer)
    changed = strict_schema(FactsAnswer)
    changed["properties"].clear()
    assert strict_schema(FactsAnswer) == expected
    assert expected["properties"]
