"""The task of episodes."""

from __future__ import annotations

from shared.broker import WRITE_EPISODE
from shared.derivations.episode import write_episode
from shared.services import current_services
from workers.app import app


@app.task(name=WRITE_EPISODE)
def write_episode_of(episode_id: int) -> None:
    write_episode(current_services(), episode_id)
