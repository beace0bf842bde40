r"""Types of text for the document: each with the pattern of what is taken.

They describe; the checks themselves are where the text is used, with a sentence for each fault.
All dialects of regular expressions read these patterns alike: they use neither `\s` nor `\w`.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypeAliasType

from shared.agents import list_agents
from shared.policy.facts.values import MAX_VALUE_CHARS
from shared.policy.model_addresses import MAX_NAME_CHARS
from shared.policy.webhooks import MAX_URL_CHARS
from shared.time_zones import list_time_zones

# What `str.strip` takes away.
BLANK = r"\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
# Controls, and format characters that are not seen.
UNSEEN = (
    r"\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e"
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
)
STORABLE = rf"^[^\u0000]*[^\u0000{BLANK}][^\u0000]*$"
PRINTABLE = rf"^[^{UNSEEN}]*[^{UNSEEN}{BLANK}][^{UNSEEN}]*$"
A_LETTER = r"[\p{L}\p{N}]"
A_SIGN = rf"[^{UNSEEN}{BLANK}]"
# A name in the DNS: no address, no single word, no other port.
PUBLIC_URL = (
    r"^https://([a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?\.){1,4}[a-z]{2,20}(/[0-9A-Za-z/_.~-]*)?$"
)


def _described(**schema: Any) -> Any:
    return Field(json_schema_extra=schema)


def _list_zones(schema: dict[str, Any]) -> None:
    schema["enum"] = list_time_zones()


def _list_agents(schema: dict[str, Any]) -> None:
    schema["enum"] = sorted(agent.name for agent in list_agents())


#: Something said. How long it may be is `max_message_chars` of `GET /status`.
MessageText = Annotated[str, _described(pattern=STORABLE)]

NameText = Annotated[str, _described(pattern=PRINTABLE)]
FactKey = Annotated[str, _described(pattern=A_LETTER)]
FactValue = Annotated[str, _described(pattern=A_SIGN, maxLength=MAX_VALUE_CHARS)]
WebhookUrl = Annotated[
    str,
    _described(format="uri", pattern=PUBLIC_URL, maxLength=MAX_URL_CHARS),
]
AgentName = TypeAliasType("AgentName", Annotated[str, Field(json_schema_extra=_list_agents)])
#: One of `GET /models`. The site's operators change them at any time, so the document lists none.
ModelName = Annotated[str, _described(pattern=PRINTABLE, maxLength=MAX_NAME_CHARS)]
ModelKey = Annotated[str, Field(max_length=2_000), _described(pattern=r"^[!-~]*$")]
TimeZone = TypeAliasType(
    "TimeZone",
    Annotated[
        str,
        Field(description="A name of the IANA list.", json_schema_extra=_list_zones),
    ],
)
