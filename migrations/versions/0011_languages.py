"""Stemming in several languages, and pairs of letters for scripts without spaces."""

from alembic import op

revision = "0011"
down_revision = "0010"

# Thai, Lao, Burmese, Khmer, kana, Chinese, Korean.
UNSPACED = (
    r"[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u3007\u3041-\u312F"
    r"\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]+"
)
# The same letters with the punctuation of these scripts. Dictionaries get none of these characters.
NOT_SPELLED = UNSPACED.replace("[", r"[\u3000-\u3040\uFF00-\uFF0F\uFF1A-\uFF20", 1)
ENGLISH_MESSAGES = (
    "array_to_tsvector(ARRAY[owner_word(user_id)]) || to_tsvector('english', left(content, 100000))"
)
ENGLISH_EPISODES = (
    "to_tsvector('english', coalesce(summary, '') || ' ' || join_words(key_concepts))"
)


def upgrade() -> None:
    _create_functions()
    _set_words(
        messages="array_to_tsvector(ARRAY[owner_word(user_id)])"
        " || said_words(left(content, 100000))",
        episodes="said_words(coalesce(summary, '') || ' ' || join_words(key_concepts))",
    )


def downgrade() -> None:
    _set_words(messages=ENGLISH_MESSAGES, episodes=ENGLISH_EPISODES)
    op.execute("DROP FUNCTION asked_words, said_words, letter_pairs, recall_languages")
    op.execute("DROP AGGREGATE all_words (tsvector)")
    op.execute("DROP AGGREGATE any_words (tsquery)")


def _create_functions() -> None:
    # The function is replaced when RECALL_LANGUAGES changes, and all words are indexed again.
    op.execute("""
        CREATE FUNCTION recall_languages() RETURNS regconfig[]
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN ARRAY['english'::regconfig]
    """)
    op.execute("""
        CREATE AGGREGATE all_words (tsvector) (
            SFUNC = tsvector_concat, STYPE = tsvector, PARALLEL = SAFE)
    """)
    op.execute("""
        CREATE AGGREGATE any_words (tsquery) (
            SFUNC = tsquery_or, STYPE = tsquery, PARALLEL = SAFE)
    """)
    # Postgres takes a Chinese sentence for one word. Pairs of neighbouring letters find what a
    # dictionary would find, and some more. A letter between two spaces is a word.
    op.execute(f"""
        CREATE FUNCTION letter_pairs(said text) RETURNS text[]
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        BEGIN ATOMIC
            SELECT coalesce(array_agg(DISTINCT coalesce(pair, letter)), '{{}}')
            FROM regexp_matches(said, '{UNSPACED}', 'g') AS runs (run),
                 LATERAL (
                    SELECT letter, letter || lead(letter) OVER (ORDER BY place) AS pair,
                           count(*) OVER () AS letters
                    FROM string_to_table(run[1], NULL) WITH ORDINALITY AS one (letter, place)
                 ) AS pairs
            WHERE pair IS NOT NULL OR letters = 1;
        END
    """)  # noqa: S608 - a constant
    op.execute(f"""
        CREATE FUNCTION said_words(said text) RETURNS tsvector
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN (
            SELECT all_words(to_tsvector(language, regexp_replace(said, '{NOT_SPELLED}', ' ', 'g')))
            FROM unnest(recall_languages()) AS language
        ) || array_to_tsvector(letter_pairs(said))
    """)  # noqa: S608 - a constant
    op.execute(f"""
        CREATE FUNCTION asked_words(asked text) RETURNS tsquery
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN (
            SELECT any_words(
                websearch_to_tsquery(language, regexp_replace(asked, '{NOT_SPELLED}', ' ', 'g')))
            FROM unnest(recall_languages()) AS language
        ) && (
            SELECT coalesce(string_agg(quote_literal(pair), ' & '), '')::tsquery
            FROM unnest(letter_pairs(asked)) AS pair
        )
    """)  # noqa: S608 - a constant


def _set_words(*, messages: str, episodes: str) -> None:
    for table, words in (("messages", messages), ("episodic_memory", episodes)):
        op.execute(f"""
            ALTER TABLE {table} DROP COLUMN words,
            ADD COLUMN words tsvector GENERATED ALWAYS AS ({words}) STORED
        """)
        op.execute(f"CREATE INDEX {table}_words ON {table} USING gin (words)")
