"""What models' servers refuse in requests, as all processes have learned."""

from alembic import op

revision = "0059"
down_revision = "0058"


def upgrade() -> None:
    # A row for each part of a request that a model refuses or bounds. `server` is a digest, as in
    # environment_models. `tokens` of a bound; NULL: the part is left out.
    op.execute("""
        CREATE TABLE request_limits (
            name   text NOT NULL,
            server text NOT NULL,
            part   text NOT NULL,
            tokens integer,
            PRIMARY KEY (name, server, part)
        )
    """)
    for column in ("name", "server", "part"):
        op.execute(f"ALTER TABLE request_limits ALTER COLUMN {column} SET STATISTICS 0")


def downgrade() -> None:
    op.execute("DROP TABLE request_limits")
