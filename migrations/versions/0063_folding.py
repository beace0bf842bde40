"""Words are indexed and asked for in one form of their letters, however they are spelled."""

from alembic import op

from shared.policy import folding

revision = "0063"
down_revision = "0062"

_UNSPACED = (
    r"[\u3000-\u3040\uFF00-\uFF0F\uFF1A-\uFF20\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF"
    r"\u3005-\u3007\u3041-\u312F\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF66-\uFF9F"
    r"\U00020000-\U0003FFFF]+"
)
_LISTED = "unfolded_conversations"


def upgrade() -> None:
    _execute(_fold_function())
    # The words that folding changes, as they are spelled: messages with these then rank first.
    _execute(f"""
        CREATE FUNCTION spelled_words(said text) RETURNS tsvector
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE WHEN said ~ '[^\\x01-\\x7f]' THEN (
            SELECT array_to_tsvector(
                coalesce(array_agg(DISTINCT word) FILTER (WHERE word IS NOT NULL), '{{}}')
                || letter_pairs(plain))
            FROM CAST(normalize(said, NFC) AS text) AS plain
            LEFT JOIN LATERAL (
                SELECT word
                FROM unnest(recall_languages()) AS language,
                     LATERAL tsvector_to_array(to_tsvector(
                         language, regexp_replace(plain, '{_UNSPACED}', ' ', 'g'))) AS words,
                     LATERAL unnest(words, string_to_array(
                         fold(array_to_string(words, E'\\n')), E'\\n')) AS forms (word, form)
                WHERE word <> form) AS changed ON true
            GROUP BY plain)
        ELSE '' END
    """)  # noqa: S608
    _execute(_word_functions("fold(text)", "|| spelled_words(text)"))
    # The chats whose words are still in their former forms, each with the last message and passage
    # of a file that has been indexed again. The sweep goes through them.
    _execute(f"""
        CREATE TABLE {_LISTED} (
            conversation_id uuid PRIMARY KEY,
            user_id text NOT NULL,
            message_reached integer NOT NULL DEFAULT -1,
            passage_reached bigint NOT NULL DEFAULT 0,
            FOREIGN KEY (conversation_id, user_id)
                REFERENCES conversations (conversation_id, user_id) ON DELETE CASCADE
        );
        ALTER TABLE {_LISTED} ALTER COLUMN user_id SET STATISTICS 0;
        INSERT INTO {_LISTED} SELECT conversation_id, user_id FROM conversations;
        ALTER TABLE {_LISTED} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {_LISTED} FORCE ROW LEVEL SECURITY;
        CREATE POLICY own_rows ON {_LISTED}
            USING (user_id = current_setting('throughline.user_id', true));
        CREATE POLICY upkeep ON {_LISTED} TO throughline_upkeep USING (true)
    """)  # noqa: S608
    # Words can then be indexed again without making vectors anew.
    _execute(
        _embedding_trigger("""
        AND (new.content IS DISTINCT FROM old.content OR new.status IS DISTINCT FROM old.status
             OR new.is_copy IS DISTINCT FROM old.is_copy
             OR new.withheld_at IS DISTINCT FROM old.withheld_at)
    """)
    )


def downgrade() -> None:
    _execute(_embedding_trigger(""))
    _execute(f"DROP TABLE {_LISTED}")
    _execute(_word_functions("text", ""))
    _execute("DROP FUNCTION spelled_words; DROP FUNCTION fold")


def _fold_function() -> str:
    letters = folding.LETTERS | {
        chr(ord(zero) + digit): str(digit) for zero in folding.ZEROS for digit in range(10)
    }
    doubled = "plain"
    for letter, two in folding.DOUBLED.items():
        doubled = f"replace({doubled}, '{letter}', '{two}')"
    return f"""
        CREATE FUNCTION fold(said text) RETURNS text
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
        DECLARE
            plain text := said;
        BEGIN
            IF said !~ '[^\\x01-\\x7f]' THEN
                RETURN lower(said);
            END IF;
            plain := regexp_replace(normalize(said, NFKD), '{folding.MARKS}', '', 'g');
            plain := translate(lower(normalize(plain, NFC)),
                               {_quoted("".join(letters))}, {_quoted("".join(letters.values()))});
            plain := {doubled};
            IF plain ~ '[{folding.TRADITIONAL}]' THEN
                SELECT string_agg(coalesce(jsonb_object(
                           string_to_array('{folding.TRADITIONAL}', NULL),
                           string_to_array('{folding.SIMPLIFIED}', NULL)) ->> letter, letter),
                       '' ORDER BY place)
                INTO plain
                FROM string_to_table(plain, NULL) WITH ORDINALITY AS one (letter, place);
            END IF;
            RETURN plain;
        END $$
    """  # noqa: S608 - of this file's own words


def _word_functions(form: str, further: str) -> str:
    """The functions of the words that are said and asked. `form` makes one form of a `text`."""
    return f"""
        CREATE OR REPLACE FUNCTION said_words(said text) RETURNS tsvector
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN (
            SELECT (SELECT all_words(to_tsvector(
                               language, regexp_replace(form, '{_UNSPACED}', ' ', 'g')))
                    FROM unnest(recall_languages()) AS language)
                || array_to_tsvector(letter_pairs(form)) {further}
            FROM CAST(said AS text) AS text, CAST({form} AS text) AS form);
        CREATE OR REPLACE FUNCTION asked_words(asked text) RETURNS tsquery
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN (
            SELECT (SELECT any_words(websearch_to_tsquery(
                               language, regexp_replace(form, '{_UNSPACED}', ' ', 'g')))
                    FROM unnest(recall_languages()) AS language)
                && (SELECT coalesce(string_agg(quote_literal(pair), ' & '), '')::tsquery
                    FROM unnest(letter_pairs(form)) AS pair)
            FROM CAST(asked AS text) AS text, CAST({form} AS text) AS form)
    """  # noqa: S608


def _embedding_trigger(condition: str) -> str:
    return f"""
        CREATE OR REPLACE TRIGGER messages_update_unembedded
        AFTER UPDATE OF content, status, is_copy, withheld_at ON messages
        FOR EACH ROW WHEN (
            new.status <> 'streaming' AND new.content <> ''
            AND NOT new.is_copy AND new.withheld_at IS NULL {condition})
        EXECUTE FUNCTION list_for_embedding()
    """


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _execute(sql: str) -> None:
    op.get_bind().exec_driver_sql(sql.replace("%", "%%"))
