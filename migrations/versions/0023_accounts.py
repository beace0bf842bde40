"""Accounts, their sessions, one-time links and recovery codes.

They are read before it is known who asks, so no user owns them in the sense of the other tables.
"""

from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.execute("""
        CREATE TABLE accounts (
            account_id text PRIMARY KEY,
            name text NOT NULL,
            name_key text UNIQUE,
            password_hash text,
            issuer text,
            subject text,
            is_operator boolean NOT NULL DEFAULT false,
            disabled_at timestamptz,
            created_at timestamptz NOT NULL DEFAULT now(),
            totp_secret text,
            totp_enabled_at timestamptz,
            totp_last_step bigint NOT NULL DEFAULT 0,
            UNIQUE (issuer, subject),
            CHECK ((issuer IS NULL) = (subject IS NULL)),
            CHECK (totp_enabled_at IS NULL OR totp_secret IS NOT NULL)
        )
    """)
    op.execute("""
        CREATE TABLE account_sessions (
            token_hash bytea PRIMARY KEY,
            account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
            needs_code boolean NOT NULL,
            created_at timestamptz NOT NULL DEFAULT now(),
            expires_at timestamptz NOT NULL
        )
    """)
    op.execute("CREATE INDEX account_sessions_account ON account_sessions (account_id)")
    op.execute("""
        CREATE TABLE account_links (
            token_hash bytea PRIMARY KEY,
            purpose text NOT NULL CHECK (purpose IN ('setup', 'invitation', 'reset')),
            account_id text REFERENCES accounts ON DELETE CASCADE,
            created_at timestamptz NOT NULL DEFAULT now(),
            expires_at timestamptz NOT NULL,
            CHECK ((purpose = 'reset') = (account_id IS NOT NULL))
        )
    """)
    op.execute("CREATE INDEX account_links_account ON account_links (account_id)")
    op.execute("""
        CREATE TABLE recovery_codes (
            account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
            code_hash bytea NOT NULL,
            PRIMARY KEY (account_id, code_hash)
        )
    """)


def downgrade() -> None:
    op.execute("DROP TABLE recovery_codes, account_links, account_sessions, accounts")
