"""What a model's server takes in a request, as its refusals have taught."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, kw_only=True)
class ModelPlace:
    """A model where it is now. Elsewhere it is another one."""

    name: str
    #: A digest of its server's address, which may contain a password, and of its name there.
    server: str


@dataclass(frozen=True, kw_only=True)
class RequestLimits:
    """What is left out of requests to one model, or changed. By default nothing is."""

    #: Names of fields; `json_schema` and `json_object`, which are types of `response_format`;
    #: `top_p+temperature` for a field beside another; and the names in `message_shapes`.
    refused: frozenset[str] = frozenset()
    #: The most that a request may ask for as the longest answer.
    answer_tokens: int | None = None
    #: Of prompt and answer together, by the server's count. None: it has named no number.
    context_tokens: int | None = None
    #: The same by our count, with a margin.
    prompt_tokens: int | None = None

    def without(self, *names: str) -> RequestLimits:
        """The same limits, with `names` left out, too."""
        return replace(self, refused=self.refused.union(names))
