"""Webhooks, what is to be delivered to them, and the look-ups that come before a user is known."""

from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    # The secrets are encrypted. `failures` counts failed requests since the last success, and
    # until `resume_at` no request is made. The lease belongs to the worker that delivers.
    op.execute("""
        CREATE TABLE webhooks (
            webhook_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id           text NOT NULL REFERENCES users ON DELETE CASCADE,
            url               text NOT NULL,
            event_types       text[] NOT NULL,
            with_text         boolean NOT NULL DEFAULT false,
            secret            bytea NOT NULL,
            old_secret        bytea,
            old_secret_until  timestamptz,
            disabled_at       timestamptz,
            failures          integer NOT NULL DEFAULT 0,
            resume_at         timestamptz NOT NULL DEFAULT now(),
            fencing_token     bigint,
            lease_until       timestamptz,
            created_at        timestamptz NOT NULL DEFAULT now(),
            UNIQUE (user_id, webhook_id),
            CHECK ((old_secret IS NULL) = (old_secret_until IS NULL))
        )
    """)
    # `error` is one of our own words, or null; `dead` deliveries are tried no more.
    op.execute("""
        CREATE TABLE webhook_deliveries (
            delivery_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id      text NOT NULL,
            webhook_id   bigint NOT NULL,
            event_id     bigint NOT NULL,
            status       text NOT NULL DEFAULT 'pending'
                         CHECK (status IN ('pending', 'delivered', 'dead')),
            attempts     integer NOT NULL DEFAULT 0,
            due_at       timestamptz NOT NULL DEFAULT now(),
            http_status  integer,
            error        text,
            created_at   timestamptz NOT NULL DEFAULT now(),
            finished_at  timestamptz,
            UNIQUE (webhook_id, event_id),
            FOREIGN KEY (user_id, webhook_id) REFERENCES webhooks (user_id, webhook_id)
                ON DELETE CASCADE,
            FOREIGN KEY (user_id, event_id) REFERENCES events (user_id, event_id)
                ON DELETE CASCADE,
            CHECK ((status = 'pending') = (finished_at IS NULL))
        )
    """)
    op.execute("""
        CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, due_at)
        WHERE status = 'pending'
    """)
    op.execute(
        "CREATE INDEX webhook_deliveries_by_user ON webhook_deliveries (user_id, delivery_id)"
    )
    op.execute("CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (user_id, event_id)")
    # Both run with their owner's rights: a worker does not know the user before the look-up.
    op.execute("""
        CREATE FUNCTION list_due_webhooks(owner text, most integer)
        RETURNS TABLE (webhook_id bigint)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
        AS $$
        BEGIN
            RETURN QUERY
            SELECT due.webhook_id FROM webhooks AS due
            WHERE (owner IS NULL OR due.user_id = owner)
              AND due.disabled_at IS NULL AND due.resume_at <= now()
              AND (due.lease_until IS NULL OR due.lease_until < now())
              AND EXISTS (SELECT FROM webhook_deliveries AS pending
                          WHERE pending.webhook_id = due.webhook_id
                            AND pending.status = 'pending' AND pending.due_at <= now())
            ORDER BY due.resume_at LIMIT most;
        END $$
    """)
    op.execute("""
        CREATE FUNCTION lease_webhook(wanted bigint, lease_s double precision)
        RETURNS TABLE (user_id text, fencing_token bigint)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
        AS $$
        BEGIN
            RETURN QUERY
            UPDATE webhooks AS leased
            SET fencing_token = nextval('fencing_tokens'),
                lease_until = now() + make_interval(secs => lease_s)
            WHERE leased.webhook_id = wanted AND leased.disabled_at IS NULL
              AND leased.resume_at <= now()
              AND (leased.lease_until IS NULL OR leased.lease_until < now())
            RETURNING leased.user_id, leased.fencing_token;
        END $$
    """)


def downgrade() -> None:
    op.execute("DROP FUNCTION lease_webhook")
    op.execute("DROP FUNCTION list_due_webhooks")
    op.execute("DROP TABLE webhook_deliveries")
    op.execute("DROP TABLE webhooks")
