"""A Redis that asks for an account with the least rights, and one that asks for TLS."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from kombu.exceptions import OperationalError

from shared.broker.celery_app import make_celery
from shared.broker.queues import find_waiting
from shared.broker.sending import send_due
from shared.ephemeral import news, tombstones
from shared.ephemeral.admission.leases import Acquisition, Leases
from shared.ephemeral.attempts import Attempts
from shared.ephemeral.redis_client import connect_redis, is_usable
from shared.ephemeral.reply_log import LogPosition, ReplyLog, read_logs
from shared.ephemeral.shared_run import find_outcome, tell_outcome
from shared.ephemeral.short_term import ShortTermMemory
from shared.ephemeral.user_slots import UserSlots
from shared.models import ConversationId, Due, ReplyAttempt, Turn, UserId
from shared.settings import read_settings
from shared.store.tombstones import Tombstone
from tests.fakes.certificates import write_certificates
from tests.fakes.redis_servers import (
    PASSWORD,
    REDIS_SERVER,
    RIGHTS,
    USER,
    Server,
    list_refusals,
    running_server,
)

OWN = ConversationId("11111111-1111-4111-8111-111111111111")
TURN = Turn(role="user", content="Hello", ts=1.0, seq=0, token=1)


@pytest.fixture
def secured() -> Iterator[Server]:
    """Its URL is that of an account that may do everything."""
    with running_server(
        "port PORT",
        "appendonly yes",
        "user default off",
        f"user {USER} on >{PASSWORD} {' '.join(RIGHTS.split())}",
        f"user tester on >{PASSWORD} +@all",
        url=f"redis://tester:{PASSWORD}@127.0.0.1:PORT/0",
    ) as server:
        yield server


def test_the_documented_rights_are_enough_for_all_that_is_kept(secured: Server) -> None:
    client = connect_redis(f"redis://{USER}:{PASSWORD}@127.0.0.1:{secured.port}/0")
    memory = ShortTermMemory(client, read_settings())
    memory.append_turns(OWN, [TURN])
    assert memory.list_turns(OWN) == [TURN]
    memory.flush_turns(OWN, 0)

    attempt = ReplyAttempt(conversation_id=OWN, sequence=1, fencing_token=1)
    log = ReplyLog(client, attempt)
    log.catch_up("Hi")
    log.ask_to_stop()
    assert log.stop_asked()
    assert read_logs(client, [LogPosition(attempt, 0)], 10) == ["Hi"]
    assert log.whole_text() == "Hi"

    gone = Tombstone(conversation_id=OWN, sequence=None, fencing_token=1, replies=(1,))
    assert tombstones.write_tombstones(client, [gone])
    assert tombstones.find_epoch(client)
    assert tombstones.rewrite_file(client)

    news.tell_news(client, UserId("ada"))
    assert news.read_news(client, None, 10) is not None
    Attempts(client).count("sign-in", "ada", 5)
    assert find_outcome(client, 1) is None
    tell_outcome(client, "[]", 1)
    assert find_outcome(client, 1) == "[]"
    slots = UserSlots(client, "followers", 1)
    with slots.slot(UserId("ada")):
        assert slots.count(UserId("ada")) == 1
        slots.renew()
    slots.stop()
    leases = Leases(client, "a model")
    acquisition = Acquisition(token="one", job="facts:1", rank=1, pauses=0)
    assert leases.acquire(acquisition, 1) == "acquired"
    assert leases.renew(leases.keys.memory, 1, ["one"]) == ({"one"}, 0)
    assert leases.count()["memory"] == 1
    leases.release(["one"])
    leases.end_rounds(["two"], 1.0)
    leases.note_several()
    assert leases.serves_several()
    assert not leases.waits_for_rounds()
    assert list_refusals(secured) == []
    client.close()


def test_with_a_wrong_password_redis_counts_as_away(secured: Server) -> None:
    with connect_redis(f"redis://{USER}:wrong@127.0.0.1:{secured.port}/0") as client:
        assert not is_usable(client)


@pytest.mark.skipif(REDIS_SERVER is None, reason="no redis-server with TLS: see bin/debian-tools")
def test_redis_and_its_broker_are_reached_by_tls_with_certificates_on_both_sides(
    tmp_path: Path,
) -> None:
    write_certificates(tmp_path)
    ca_option = f"ssl_ca_certs={tmp_path}/ca.pem"
    tls_options = (
        f"{ca_option}&ssl_certfile={tmp_path}/client.pem&ssl_keyfile={tmp_path}/client.key"
    )
    with running_server(
        "port 0",
        "tls-port PORT",
        f"tls-ca-cert-file {tmp_path}/ca.pem",
        f"tls-cert-file {tmp_path}/server.pem",
        f"tls-key-file {tmp_path}/server.key",
        program=str(REDIS_SERVER),
        url=f"rediss://127.0.0.1:PORT/0?{tls_options}",
    ) as server:
        client = connect_redis(server.url)
        assert is_usable(client)
        client.close()
        app = make_celery(read_settings(redis_url=server.url))
        send_due(
            app,
            [
                Due(
                    kind="facts",
                    job_id=1,
                    conversation_id=ConversationId("5e1f9c1e-0f3b-4c1d-9a52-0f8f6f1f2a77"),
                )
            ],
        )
        assert find_waiting(app, ["facts"]) == {"facts": 1}
        # One side is not known to the other.
        for refused in (ca_option, tls_options.partition("&")[2]):
            url = f"rediss://127.0.0.1:{server.port}/0?{refused}"
            with connect_redis(url) as refused_client:
                assert not is_usable(refused_client)
            connection = make_celery(read_settings(redis_url=url)).connection_for_write()
            with connection, pytest.raises(OperationalError):
                connection.ensure_connection(max_retries=0)
