"""The task that makes vectors, in the process that has the embedding model loaded."""

from __future__ import annotations

import logging
import threading

from shared.broker.sending import send_embedding
from shared.broker.tasks import EMBED
from shared.derivations.embedding import embed_portion
from shared.embeddings.bulk_encoder import load_model
from shared.services import Services, current_services
from workers.app import app

logger = logging.getLogger(__name__)

_loading = threading.Lock()
_loaded = threading.Event()


@app.task(name=EMBED)
def embed_pending_texts() -> None:
    """The first call loads the model in a thread, so that other tasks need not wait for it."""
    if _loaded.is_set():
        embed_portion(current_services())
    elif _loading.acquire(blocking=False):
        threading.Thread(target=_load, args=(current_services(),), daemon=True).start()


def _load(services: Services) -> None:
    """Load the model. After a failure the next `embed_pending_texts` tries again."""
    try:
        load_model(services.settings)
        _loaded.set()
        send_embedding(services.broker)
    except Exception as exc:  # no message was read yet, so the error quotes none
        logger.exception("embedding_model.not_loaded", extra={"why": str(exc)})
    finally:
        _loading.release()
