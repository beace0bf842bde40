"""Vectors, in the process that holds the embedding model."""

from __future__ import annotations

import logging
import threading

from shared.broker import EMBED, send_embedding
from shared.derivations.embedding import embed_portion
from shared.embeddings.bulk_encoder import load_sentence_model
from shared.services import Services, current_services
from workers.app import app

logger = logging.getLogger(__name__)

_loading = threading.Lock()
_loaded = threading.Event()


@app.task(name=EMBED)
def embed_what_is_pending() -> None:
    """The first one loads the model, beside the tasks: so that sweeps need not wait for it."""
    if _loaded.is_set():
        embed_portion(current_services())
    elif _loading.acquire(blocking=False):
        threading.Thread(target=_load, args=(current_services(),), daemon=True).start()


def _load(services: Services) -> None:
    """One that fails is tried again by the next task, which the sweep sends."""
    try:
        load_sentence_model(services.settings)
        _loaded.set()
        send_embedding(services.broker)
    except Exception as exc:  # no message has been read yet, so what it says is nobody's words
        logger.exception("embedding_model.not_loaded", extra={"why": str(exc)})
    finally:
        _loading.release()
