"""What users have allowed to programs that sign in by OAuth."""

from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    # `secret_hash`: of the code, and after its exchange of the refresh token. `spent_hashes`: of
    # those that were used. `token_id`: the access token of now.
    op.execute("""
        CREATE TABLE oauth_grants (
            grant_id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id        text NOT NULL REFERENCES users ON DELETE CASCADE,
            client_hash    bytea NOT NULL CHECK (octet_length(client_hash) = 32),
            client_name    text NOT NULL,
            scopes         text[] NOT NULL,
            redirect_uri   text NOT NULL,
            names_redirect boolean NOT NULL,
            code_challenge text NOT NULL,
            is_code        boolean NOT NULL DEFAULT true,
            secret_hash    bytea NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
            spent_hashes   bytea[] NOT NULL DEFAULT '{}',
            token_id       bigint REFERENCES api_tokens ON DELETE SET NULL,
            created_at     timestamptz NOT NULL DEFAULT now(),
            expires_at     timestamptz NOT NULL
        )
    """)
    op.execute("CREATE INDEX oauth_grants_by_user ON oauth_grants (user_id)")
    op.execute("CREATE INDEX oauth_grants_by_token ON oauth_grants (token_id)")


def downgrade() -> None:
    op.execute("DROP TABLE oauth_grants")
