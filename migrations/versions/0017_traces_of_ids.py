"""Traces contain ids only: the texts of messages, facts and episodes are removed from them.

Before, a text stayed in a trace when its source was deleted.
"""

from alembic import op

revision = "0017"
down_revision = "0016"

# The fields that each list of a trace keeps of its items.
KEPT = {
    "facts": ("fact_id",),
    "episodes": ("episode_id", "conversation_id", "start", "end"),
    "messages": ("conversation_id", "sequence", "score"),
}


def upgrade() -> None:
    for name, keys in KEPT.items():
        picked = ", ".join(f"'{key}', item->'{key}'" for key in keys)
        op.execute(f"""
            UPDATE messages SET trace = jsonb_set(trace, '{{{name}}}', (
                SELECT coalesce(jsonb_agg(jsonb_build_object({picked}) ORDER BY place), '[]')
                FROM jsonb_array_elements(trace->'{name}') WITH ORDINALITY AS one (item, place)))
            WHERE jsonb_typeof(trace->'{name}') = 'array' AND trace->'{name}' <> '[]'
        """)  # noqa: S608 - constants
    # Keep the words that were corrected, without what they were corrected to.
    op.execute("""
        UPDATE messages SET trace = jsonb_set(trace, '{corrected}', (
            SELECT coalesce(jsonb_agg(word), '[]')
            FROM jsonb_object_keys(trace->'corrected') AS word))
        WHERE jsonb_typeof(trace->'corrected') = 'object'
    """)


def downgrade() -> None:
    """Older versions need the texts, which are gone. They get empty lists."""
    empty = ", ".join(f"'{name}', '[]'::jsonb" for name in KEPT)
    op.execute(f"""
        UPDATE messages
        SET trace = trace || jsonb_build_object({empty}, 'corrected', '{{}}'::jsonb)
        WHERE trace ? 'facts'
    """)  # noqa: S608 - constants
