"""`forget`: delete a fact, an episode or a message."""

from __future__ import annotations

from dataclasses import asdict

from flask import g
from pydantic import Field

from shared.user_data.erasure.episodes import erase_episode
from shared.user_data.erasure.facts import erase_fact
from shared.user_data.erasure.messages import Selection, erase_selection
from shared.user_data.erasure.receipts import Receipt
from web.context import transaction, web_context
from web.mcp.items import ReceiptItem
from web.mcp.tool import Arguments, Tool
from web.mcp.uris import Numbered, Spoken, message_uri, read_uri


class ForgetArguments(Arguments):
    uri: str = Field(description="The address of a fact, an episode or a message.")
    everywhere: bool = Field(
        default=False,
        description=(
            "Of a fact: also the messages that taught it and the replies that repeat it. Of a "
            "message: also its reply, or the message that it replies to."
        ),
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
    )


def _forget_fact(fact_id: int, arguments: ForgetArguments) -> Receipt:
    return erase_fact(
        web_context().services,
        g.user_id,
        fact_id,
        everywhere=arguments.everywhere,
        dry_run=arguments.dry_run,
    )


def _forget_episode(episode_id: int, arguments: ForgetArguments) -> Receipt:
    with transaction() as connection:
        return erase_episode(connection, g.user_id, episode_id, dry_run=arguments.dry_run)


def _forget_message(place: Spoken, arguments: ForgetArguments) -> Receipt:
    selection = Selection(
        conversation_id=place.conversation_id,
        sequence=place.sequence,
        whole_round=arguments.everywhere,
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
