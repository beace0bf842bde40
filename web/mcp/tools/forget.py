"""`forget`: delete a fact, an episode or a message."""

from __future__ import annotations

from dataclasses import asdict

from flask import g
from pydantic import Field

from shared.user_data.erasure.episodes import erase_episode
from shared.user_data.erasure.facts import Forgetting, erase_fact
from shared.user_data.erasure.messages import Selection, erase_selection
from shared.user_data.erasure.receipts import Receipt, TaughtFact
from web.mcp.items import ReceiptItem, TaughtFactItem
from web.mcp.tool import Arguments, Tool
from web.mcp.uris import Numbered, Spoken, fact_uri, message_uri, read_fact_uri, read_uri
from web.process.context import transaction, web_context


class ForgetArguments(Arguments):
    uri: str = Field(description="The address of a fact, an episode or a message.")
    everywhere: bool = Field(
        default=False,
        description=(
            "Of a fact: also the messages that taught it and the replies that repeat it. Of a "
            "message: also its reply, or the message that it replies to."
        ),
    )
    with_facts: list[str] | None = Field(
        default=None,
        description=(
            "Of a fact, with everywhere: the addresses of other facts of these messages that go, "
            "too. Without it, those that say the same value; the others stay."
        ),
    )
    with_mentions: bool = Field(
        default=False,
        description="Of a fact, with everywhere: also all other messages that mention the value.",
    )
    with_replies: bool = Field(
        default=False,
        description="Of a message: also the replies elsewhere that repeat what it said.",
    )
    dry_run: bool = Field(
        default=False, description="Only tell what would be removed. Nothing is removed."
    )


def forget(arguments: ForgetArguments) -> ReceiptItem:
    match read_uri(arguments.uri):
        case Spoken() as place:
            receipt = _forget_message(place, arguments)
        case Numbered("facts", fact_id):
            receipt = _forget_fact(fact_id, arguments)
        case Numbered(_, episode_id):
            receipt = _forget_episode(episode_id, arguments)
    return ReceiptItem(
        dry_run=receipt.dry_run,
        counts={kind: count for kind, count in asdict(receipt.counts).items() if count > 0},
        messages=[
            message_uri(message.conversation_id, message.sequence_number)
            for message in receipt.messages
        ],
        mentions_left=receipt.mentions,
        facts=[_taught_fact(taught, receipt) for taught in receipt.facts],
        replies_left=receipt.replies_left,
    )


def _taught_fact(taught: TaughtFact, receipt: Receipt) -> TaughtFactItem:
    fact = taught.fact
    is_told = taught.stays or receipt.dry_run
    text = f"{fact.category}/{fact.key}" + (f": {fact.value}" if is_told else "")
    return TaughtFactItem(uri=fact_uri(fact.fact_id), text=text, stays=taught.stays)


def _forget_fact(fact_id: int, arguments: ForgetArguments) -> Receipt:
    wish = Forgetting(
        fact_id=fact_id,
        everywhere=arguments.everywhere,
        with_facts=(
            None
            if arguments.with_facts is None
            else [read_fact_uri(uri) for uri in arguments.with_facts]
        ),
        with_mentions=arguments.with_mentions,
    )
    return erase_fact(web_context().services, g.user_id, wish, dry_run=arguments.dry_run)


def _forget_episode(episode_id: int, arguments: ForgetArguments) -> Receipt:
    with transaction() as connection:
        return erase_episode(connection, g.user_id, episode_id, dry_run=arguments.dry_run)


def _forget_message(place: Spoken, arguments: ForgetArguments) -> Receipt:
    selection = Selection(
        conversation_id=place.conversation_id,
        sequence=place.sequence,
        whole_round=arguments.everywhere,
        with_replies=arguments.with_replies,
    )
    services = web_context().services
    return erase_selection(services, g.user_id, selection, dry_run=arguments.dry_run)


FORGET = Tool(
    name="forget",
    title="Forget something",
    description=(
        "Delete a fact, an episode or a message for good, because the user asks for it. It is not "
        "learned again from what was said before. Unless the user has named exactly what to "
        "delete, call it with dry_run first and show them the receipt. To replace a value, use "
        "correct."
    ),
    arguments=ForgetArguments,
    result=ReceiptItem,
    run=forget,
    scope="memory:write",
    is_destructive=True,
)
