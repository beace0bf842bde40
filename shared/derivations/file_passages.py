"""Cuts the texts of files into passages, and gives passages their vectors.

As with messages there are no jobs to claim: what waits is the work to do. The next task or the
sweep finds what was missed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence

from shared.embeddings.bulk_encoder import encode_with_tokens
from shared.embeddings.model_properties import model_name
from shared.llm import count_tokens
from shared.models import UserId
from shared.policy.attachments.passages import cut_file
from shared.services import Services
from shared.store.search import passage_vectors

logger = logging.getLogger(__name__)

FILES = 4  # that are cut at once: each may have hundreds of passages
INSERTED = 50  # passages that are added by one statement
BATCH = 32  # passages that are embedded at once


def cut_files(services: Services) -> int:
    """Cut some of the files that wait. Returns how many were cut.

    One that fails waits behind all others for its next try.
    """
    with services.database.upkeep() as connection:
        listed = passage_vectors.list_uncut(connection, FILES)
    pairs = [
        (user_id, attachment_id) for user_id, files in listed.items() for attachment_id in files
    ]
    return sum(_try_to_cut(services, user_id, attachment_id) for user_id, attachment_id in pairs)


def _try_to_cut(services: Services, user_id: UserId, attachment_id: str) -> bool:
    try:
        _cut_file(services, user_id, attachment_id)
    except Exception:
        with services.database.transaction(user=user_id) as connection:
            passage_vectors.put_last(connection, attachment_id)
        logger.exception("file.not_cut", extra={"attachment_id": attachment_id})
        return False
    return True


def _cut_file(services: Services, user_id: UserId, attachment_id: str) -> None:
    count = count_tokens(services.models.settings().chat_model)
    with services.database.transaction(user=user_id) as connection:
        uncut = passage_vectors.take_uncut(connection, attachment_id)
        if uncut is None:
            return
        cut = cut_file(uncut.text, uncut.media_type, count)
        for first in range(0, len(cut), INSERTED):
            batch = [(passage.text, passage.place) for passage in cut[first : first + INSERTED]]
            passage_vectors.add_passages(connection, attachment_id, first, batch)
    logger.info("file.cut", extra={"attachment_id": attachment_id, "passages": len(cut)})


def embed_passages(services: Services) -> int:
    """Embed some of the passages that wait. Returns how many there were."""
    with services.database.upkeep() as connection:
        listed = passage_vectors.list_unembedded(connection, BATCH)
    return _set_vectors(services, listed) if listed else 0


def reembed_passages(services: Services) -> Iterator[int]:
    """Replace vectors of other models, and make missing ones. Yields how many, batch by batch."""
    name = model_name(services.settings)
    while True:
        with services.database.upkeep() as connection:
            listed = passage_vectors.list_of_other_models(connection, name, BATCH)
        embedded = _set_vectors(services, listed) if listed else embed_passages(services)
        if not embedded:
            return
        yield embedded


def _set_vectors(services: Services, listed: Mapping[UserId, Sequence[int]]) -> int:
    """`listed` has ids of passages by user. All texts are encoded together."""
    name = model_name(services.settings)
    texts: dict[UserId, list[tuple[int, str]]] = {}
    for user_id, ids in listed.items():
        with services.database.transaction(user=user_id) as connection:
            texts[user_id] = passage_vectors.read_texts(connection, ids)
    batch = [text for passages in texts.values() for _, text in passages]
    encoded = iter(encode_with_tokens(batch, services.settings))
    for user_id, passages in texts.items():
        done = {passage_id: next(encoded) for passage_id, _ in passages}
        with services.database.transaction(user=user_id) as connection:
            passage_vectors.set_embeddings(connection, done, name)
    logger.info("passages.embedded", extra={"count": len(batch), "model": name})
    return sum(len(ids) for ids in listed.values())
