"""API tokens, stored as hashes, and the function that looks one up before its user is known."""

from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    # `prefix`: the first characters, by which a user recognises a token.
    op.execute("""
        CREATE TABLE api_tokens (
            token_id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id       text NOT NULL REFERENCES users ON DELETE CASCADE,
            name          text NOT NULL,
            prefix        text NOT NULL,
            token_hash    bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
            scopes        text[] NOT NULL,
            created_at    timestamptz NOT NULL DEFAULT now(),
            expires_at    timestamptz,
            last_used_at  timestamptz,
            revoked_at    timestamptz
        )
    """)
    op.execute("CREATE INDEX api_tokens_by_user ON api_tokens (user_id, token_id)")
    # It runs with its owner's rights, since the user is not known before the look-up.
    # `last_used_at` is written at most once a minute, and not while another has locked the row.
    op.execute("""
        CREATE FUNCTION use_api_token(hash bytea)
        RETURNS TABLE (token_id bigint, user_id text, scopes text[], is_revoked boolean,
                       is_expired boolean)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
        AS $$
        BEGIN
            UPDATE api_tokens AS used SET last_used_at = now()
            WHERE used.token_id = (
                SELECT due.token_id FROM api_tokens AS due
                WHERE due.token_hash = hash AND due.revoked_at IS NULL
                  AND (due.expires_at IS NULL OR due.expires_at > now())
                  AND (due.last_used_at IS NULL OR due.last_used_at < now() - interval '1 minute')
                FOR NO KEY UPDATE SKIP LOCKED);
            RETURN QUERY
            SELECT found.token_id, found.user_id, found.scopes, found.revoked_at IS NOT NULL,
                   coalesce(found.expires_at <= now(), false)
            FROM api_tokens AS found WHERE found.token_hash = hash;
        END $$
    """)


def downgrade() -> None:
    op.execute("DROP FUNCTION use_api_token")
    op.execute("DROP TABLE api_tokens")
