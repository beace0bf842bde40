-- The whole schema as it is today. It makes a new database; migrations change an existing one.
-- `make schema` writes this file anew after a new migration.
-- Every table stands below those that it refers to, followed by its indexes, triggers and policies.

SET LOCAL check_function_bodies = false; -- functions stand above the tables that they read

-- The policies name this role. It belongs to the server, and may be there for another database.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'throughline_upkeep') THEN
        CREATE ROLE throughline_upkeep NOLOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL; -- another migration was quicker
    WHEN insufficient_privilege THEN
        RAISE insufficient_privilege USING MESSAGE =
            'Create the role first: CREATE ROLE throughline_upkeep NOLOGIN';
END $$;

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;

CREATE FUNCTION letter_pairs(said text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT COALESCE(array_agg(DISTINCT COALESCE(pairs.pair, pairs.letter)), '{}'::text[]) AS "coalesce"
    FROM regexp_matches(letter_pairs.said, '[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u3007\u3041-\u312F\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]+'::text, 'g'::text) runs(run),
     LATERAL ( SELECT one.letter,
             (one.letter || lead(one.letter) OVER (ORDER BY one.place)) AS pair,
             count(*) OVER () AS letters
            FROM string_to_table(runs.run[1], NULL::text) WITH ORDINALITY one(letter, place)) pairs
   WHERE ((pairs.pair IS NOT NULL) OR (pairs.letters = 1));
END;

CREATE FUNCTION recall_languages() RETURNS regconfig[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY['english'::regconfig];

CREATE AGGREGATE any_words(tsquery) (
    SFUNC = tsquery_or,
    STYPE = tsquery,
    PARALLEL = safe
);

CREATE FUNCTION asked_words(asked text) RETURNS tsquery
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((SELECT any_words(websearch_to_tsquery(language.language, regexp_replace(asked_words.asked, '[\u3000-\u3040\uFF00-\uFF0F\uFF1A-\uFF20\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u3007\u3041-\u312F\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]+'::text, ' '::text, 'g'::text))) AS any_words FROM unnest(recall_languages()) language(language)) && (SELECT (COALESCE(string_agg(quote_literal(pair.pair), ' & '::text), ''::text))::tsquery AS "coalesce" FROM unnest(letter_pairs(asked_words.asked)) pair(pair)));

CREATE FUNCTION choose_chat() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            NEW.chat_id := coalesce(
                (SELECT chat_id FROM conversations WHERE conversation_id = NEW.branched_from),
                NEW.conversation_id);
            RETURN NEW;
        END
        $$;

CREATE FUNCTION count_changed_message_bytes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            UPDATE conversations SET message_bytes = message_bytes
                + octet_length(NEW.content) - octet_length(OLD.content)
            WHERE conversation_id = NEW.conversation_id;
            RETURN NULL;
        END $$;

CREATE FUNCTION count_gone_variant_bytes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            UPDATE conversations SET message_bytes = message_bytes - gone.bytes
            FROM (SELECT conversation_id, sum(octet_length(content)) AS bytes
                  FROM gone_variants GROUP BY conversation_id) AS gone
            WHERE conversations.conversation_id = gone.conversation_id;
            RETURN NULL;
        END $$;

CREATE FUNCTION count_new_message_bytes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            UPDATE conversations SET message_bytes = message_bytes + added.bytes
            FROM (SELECT conversation_id, sum(octet_length(content)) AS bytes
                  FROM added_messages GROUP BY conversation_id) AS added
            WHERE conversations.conversation_id = added.conversation_id AND added.bytes > 0;
            RETURN NULL;
        END $$;

CREATE FUNCTION count_own_messages_containing(asked tsquery, most bigint) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
        SELECT count(*) FROM (
            SELECT FROM messages m
            WHERE m.words @@ (quote_literal(owner_word(
                      current_setting('throughline.user_id', true)))::tsquery && asked)
              AND m.user_id = current_setting('throughline.user_id', true)
              AND (m.conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
            LIMIT most) AS few
    $$;

CREATE FUNCTION current_project() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN NULLIF(substr(current_setting('throughline.memory'::text, true), 4), ''::text);

CREATE FUNCTION find_share(hash bytea) RETURNS TABLE(user_id text, conversation_id uuid, until_sequence integer, created_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
            SELECT s.user_id, s.conversation_id, s.until_sequence, s.created_at FROM shares s
            WHERE s.token_hash = hash AND (s.expires_at IS NULL OR s.expires_at > now())
              AND NOT EXISTS (SELECT 1 FROM accounts a
                              WHERE a.account_id = s.user_id AND a.disabled_at IS NOT NULL)
        $$;

CREATE FUNCTION join_words(words text[]) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN array_to_string(words, ' '::text);

CREATE FUNCTION kept_inside() RETURNS SETOF uuid
    LANGUAGE sql STABLE ROWS 50
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
            SELECT c.conversation_id FROM projects p
            JOIN conversations c ON c.user_id = p.user_id AND c.project = p.name
            WHERE p.user_id = current_setting('throughline.user_id', true) AND p.own_memory
              AND (current_project() IS NULL OR p.name = current_project())
        $$;

CREATE FUNCTION lease_webhook(wanted bigint, lease_s double precision) RETURNS TABLE(user_id text, fencing_token bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
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
        END $$;

CREATE FUNCTION list_due_webhooks(owner text, most integer) RETURNS TABLE(webhook_id bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
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
        END $$;

CREATE FUNCTION list_for_cutting() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
            BEGIN
                INSERT INTO uncut_files (attachment_id, user_id)
                SELECT NEW.attachment_id, NEW.user_id FROM messages
                WHERE conversation_id = NEW.conversation_id
                  AND sequence_number = NEW.sequence_number AND NOT is_copy
                ON CONFLICT (attachment_id) DO NOTHING;
                RETURN NULL;
            END $$;

CREATE FUNCTION list_for_embedding() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            INSERT INTO unembedded_messages (conversation_id, sequence_number, user_id)
            SELECT NEW.conversation_id, NEW.sequence_number, NEW.user_id FROM conversations
            WHERE conversation_id = NEW.conversation_id AND mode <> 'off'
            ON CONFLICT (conversation_id, sequence_number) DO UPDATE SET ticket = DEFAULT;
            RETURN NULL;
        END $$;

CREATE FUNCTION list_own_files() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
            BEGIN
                INSERT INTO uncut_files (attachment_id, user_id)
                SELECT attachment_id, user_id FROM attachments
                WHERE conversation_id = NEW.conversation_id
                  AND sequence_number = NEW.sequence_number AND text_byte_count > 0
                ON CONFLICT (attachment_id) DO NOTHING;
                RETURN NULL;
            END $$;

CREATE FUNCTION new_id() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
            SELECT instant * 8 + (number + (
                'x' || left(md5(instant || coalesce((SELECT salt::text FROM id_salt), '')), 6)
            )::bit(24)::integer) % 8
            FROM (
                SELECT number,
                       (extract(epoch FROM clock_timestamp() - '2020-01-01Z') * 1000000)::bigint
                FROM (SELECT nextval('id_numbers')) AS taken (number)
            ) AS now (number, instant)
        $$;

CREATE FUNCTION own_messages_containing(asked tsquery, until timestamp with time zone, most bigint) RETURNS TABLE(conversation_id uuid, sequence_number integer, length integer)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 50
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
        SELECT m.conversation_id, m.sequence_number, pg_catalog.length(m.words)
        FROM messages m
        WHERE m.words @@ (quote_literal(owner_word(
                  current_setting('throughline.user_id', true)))::tsquery && asked)
          AND m.user_id = current_setting('throughline.user_id', true)
          AND (until IS NULL OR m.created_at <= until) AND NOT m.is_copy AND m.withheld_at IS NULL
          AND (m.conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
        LIMIT most
    $$;

CREATE FUNCTION own_passages_containing(asked tsquery, most bigint) RETURNS TABLE(passage_id bigint, length integer)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 50
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
        SELECT p.passage_id, pg_catalog.length(p.words)
        FROM file_passages p
        WHERE p.words @@ (quote_literal(owner_word(
                  current_setting('throughline.user_id', true)))::tsquery && asked)
          AND p.user_id = current_setting('throughline.user_id', true)
          AND ((SELECT a.conversation_id FROM attachments a
                WHERE a.attachment_id = p.attachment_id) IN (SELECT kept_inside()))
              = (current_project() IS NOT NULL)
        LIMIT most
    $$;

CREATE FUNCTION owner_word(user_id text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ('u:'::text || "left"(md5(user_id), 16));

CREATE AGGREGATE all_words(tsvector) (
    SFUNC = tsvector_concat,
    STYPE = tsvector,
    PARALLEL = safe
);

CREATE FUNCTION said_words(said text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((SELECT all_words(to_tsvector(language.language, regexp_replace(said_words.said, '[\u3000-\u3040\uFF00-\uFF0F\uFF1A-\uFF20\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u3007\u3041-\u312F\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]+'::text, ' '::text, 'g'::text))) AS all_words FROM unnest(recall_languages()) language(language)) || array_to_tsvector(letter_pairs(said)));

CREATE FUNCTION set_owner() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            SELECT user_id INTO NEW.user_id
            FROM conversations WHERE conversation_id = NEW.conversation_id;
            RETURN NEW;
        END $$;

CREATE FUNCTION use_api_token(hash bytea) RETURNS TABLE(token_id bigint, user_id text, scopes text[], is_revoked boolean, is_expired boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
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
        END $$;

CREATE SEQUENCE fencing_tokens
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE SEQUENCE id_numbers
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE accounts (
    account_id text NOT NULL,
    name text NOT NULL,
    name_key text,
    password_hash text,
    issuer text,
    subject text,
    is_operator boolean DEFAULT false NOT NULL,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    totp_secret text,
    totp_enabled_at timestamp with time zone,
    totp_last_step bigint DEFAULT 0 NOT NULL,
    CONSTRAINT accounts_check CHECK (((issuer IS NULL) = (subject IS NULL))),
    CONSTRAINT accounts_check1 CHECK (((totp_enabled_at IS NULL) OR (totp_secret IS NOT NULL))),
    CONSTRAINT accounts_issuer_subject_key UNIQUE (issuer, subject),
    CONSTRAINT accounts_name_key_key UNIQUE (name_key),
    CONSTRAINT accounts_pkey PRIMARY KEY (account_id)
);
ALTER TABLE ONLY accounts ALTER COLUMN account_id SET STATISTICS 0;
ALTER TABLE ONLY accounts ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY accounts ALTER COLUMN name_key SET STATISTICS 0;
ALTER TABLE ONLY accounts ALTER COLUMN password_hash SET STATISTICS 0;
ALTER TABLE ONLY accounts ALTER COLUMN issuer SET STATISTICS 0;
ALTER TABLE ONLY accounts ALTER COLUMN subject SET STATISTICS 0;
ALTER TABLE ONLY accounts ALTER COLUMN totp_secret SET STATISTICS 0;

CREATE TABLE account_links (
    token_hash bytea NOT NULL,
    purpose text NOT NULL,
    account_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT account_links_check CHECK (((purpose = 'reset'::text) = (account_id IS NOT NULL))),
    CONSTRAINT account_links_purpose_check CHECK ((purpose = ANY (ARRAY['setup'::text, 'invitation'::text, 'reset'::text]))),
    CONSTRAINT account_links_pkey PRIMARY KEY (token_hash),
    CONSTRAINT account_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);
ALTER TABLE ONLY account_links ALTER COLUMN token_hash SET STATISTICS 0;
ALTER TABLE ONLY account_links ALTER COLUMN purpose SET STATISTICS 0;
ALTER TABLE ONLY account_links ALTER COLUMN account_id SET STATISTICS 0;
CREATE INDEX account_links_account ON account_links (account_id);

CREATE TABLE account_sessions (
    token_hash bytea NOT NULL,
    account_id text NOT NULL,
    needs_code boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT account_sessions_pkey PRIMARY KEY (token_hash),
    CONSTRAINT account_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);
ALTER TABLE ONLY account_sessions ALTER COLUMN token_hash SET STATISTICS 0;
ALTER TABLE ONLY account_sessions ALTER COLUMN account_id SET STATISTICS 0;
CREATE INDEX account_sessions_account ON account_sessions (account_id);

CREATE TABLE users (
    user_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    turn_count bigint DEFAULT 0 NOT NULL,
    time_zone text,
    memory_instructions text DEFAULT ''::text NOT NULL,
    facts_grouped_at timestamp with time zone,
    CONSTRAINT users_pkey PRIMARY KEY (user_id)
);
ALTER TABLE ONLY users ALTER COLUMN time_zone SET STATISTICS 0;
ALTER TABLE ONLY users ALTER COLUMN memory_instructions SET STATISTICS 0;
ALTER TABLE ONLY users FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON users USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON users TO throughline_upkeep USING (true);
ALTER TABLE users ENABLE ROW LEVEL SECURITY;

CREATE TABLE api_tokens (
    token_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    token_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT api_tokens_token_hash_check CHECK ((octet_length(token_hash) = 32)),
    CONSTRAINT api_tokens_owned UNIQUE (token_id, user_id),
    CONSTRAINT api_tokens_pkey PRIMARY KEY (token_id),
    CONSTRAINT api_tokens_token_hash_key UNIQUE (token_hash),
    CONSTRAINT api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY api_tokens ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY api_tokens ALTER COLUMN prefix SET STATISTICS 0;
ALTER TABLE ONLY api_tokens ALTER COLUMN token_hash SET STATISTICS 0;
ALTER TABLE ONLY api_tokens ALTER COLUMN scopes SET STATISTICS 0;
ALTER TABLE ONLY api_tokens FORCE ROW LEVEL SECURITY;
CREATE INDEX api_tokens_by_user ON api_tokens (user_id, token_id);
ALTER TABLE api_tokens ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON api_tokens USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON api_tokens TO throughline_upkeep USING (true);

CREATE TABLE imports (
    import_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id text NOT NULL,
    status text DEFAULT 'running'::text NOT NULL,
    imported integer DEFAULT 0 NOT NULL,
    skipped integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    messages integer DEFAULT 0 NOT NULL,
    left_out jsonb DEFAULT '{}'::jsonb NOT NULL,
    notes jsonb DEFAULT '[]'::jsonb NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    touched_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT imports_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text]))),
    CONSTRAINT imports_owned UNIQUE (import_id, user_id),
    CONSTRAINT imports_pkey PRIMARY KEY (import_id),
    CONSTRAINT imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY imports ALTER COLUMN left_out SET STATISTICS 0;
ALTER TABLE ONLY imports ALTER COLUMN notes SET STATISTICS 0;
ALTER TABLE ONLY imports ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY imports FORCE ROW LEVEL SECURITY;
CREATE INDEX imports_by_user ON imports (user_id, created_at DESC);
ALTER TABLE imports ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON imports USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON imports TO throughline_upkeep USING (true);

CREATE TABLE personas (
    persona_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    instructions text NOT NULL,
    model text,
    mode text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT personas_mode_check CHECK ((mode = ANY (ARRAY['active'::text, 'passive'::text, 'off'::text]))),
    CONSTRAINT personas_persona_id_user_id_key UNIQUE (persona_id, user_id),
    CONSTRAINT personas_pkey PRIMARY KEY (persona_id),
    CONSTRAINT personas_user_id_name_key UNIQUE (user_id, name),
    CONSTRAINT personas_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY personas ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY personas ALTER COLUMN instructions SET STATISTICS 0;
ALTER TABLE ONLY personas ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY personas ALTER COLUMN mode SET STATISTICS 0;
ALTER TABLE ONLY personas FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON personas USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE personas ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON personas TO throughline_upkeep USING (true);

CREATE TABLE projects (
    user_id text NOT NULL,
    name text NOT NULL,
    instructions text DEFAULT ''::text NOT NULL,
    persona_id bigint,
    model text,
    own_memory boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT projects_pkey PRIMARY KEY (user_id, name),
    CONSTRAINT projects_persona_id_owned FOREIGN KEY (persona_id, user_id) REFERENCES personas(persona_id, user_id) ON DELETE SET NULL (persona_id),
    CONSTRAINT projects_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY projects ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY projects ALTER COLUMN instructions SET STATISTICS 0;
ALTER TABLE ONLY projects ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY projects FORCE ROW LEVEL SECURITY;
CREATE INDEX projects_by_persona ON projects (persona_id);
CREATE POLICY own_rows
    ON projects USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE projects ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON projects TO throughline_upkeep USING (true);

CREATE TABLE conversations (
    conversation_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id text NOT NULL,
    title text,
    agent text NOT NULL,
    mode text NOT NULL,
    last_sequence integer DEFAULT '-1'::integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    import_id uuid,
    source_key text,
    imported_until integer,
    is_notes boolean DEFAULT false NOT NULL,
    message_bytes bigint DEFAULT 0 NOT NULL,
    branched_from uuid,
    branched_at integer,
    is_pinned boolean DEFAULT false NOT NULL,
    is_archived boolean DEFAULT false NOT NULL,
    model text,
    persona_id bigint,
    project text,
    chat_id uuid NOT NULL,
    CONSTRAINT conversations_branch_is_whole CHECK (((branched_from IS NULL) OR (branched_at IS NOT NULL))),
    CONSTRAINT conversations_branched_at_check CHECK (((branched_at >= 0) AND ((branched_at % 2) = 0))),
    CONSTRAINT conversations_mode_check CHECK ((mode = ANY (ARRAY['active'::text, 'passive'::text, 'off'::text]))),
    CONSTRAINT conversations_owned UNIQUE (conversation_id, user_id),
    CONSTRAINT conversations_pkey PRIMARY KEY (conversation_id),
    CONSTRAINT conversations_branched_from_owned FOREIGN KEY (branched_from, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE SET NULL (branched_from),
    CONSTRAINT conversations_chat_id_owned FOREIGN KEY (chat_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT conversations_import_id_owned FOREIGN KEY (import_id, user_id) REFERENCES imports(import_id, user_id) ON DELETE SET NULL (import_id),
    CONSTRAINT conversations_persona_id_owned FOREIGN KEY (persona_id, user_id) REFERENCES personas(persona_id, user_id) ON DELETE SET NULL (persona_id),
    CONSTRAINT conversations_project_owned FOREIGN KEY (user_id, project) REFERENCES projects(user_id, name) ON UPDATE CASCADE,
    CONSTRAINT conversations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY conversations ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE ONLY conversations ALTER COLUMN agent SET STATISTICS 0;
ALTER TABLE ONLY conversations ALTER COLUMN mode SET STATISTICS 0;
ALTER TABLE ONLY conversations ALTER COLUMN source_key SET STATISTICS 0;
ALTER TABLE ONLY conversations ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY conversations ALTER COLUMN project SET STATISTICS 0;
ALTER TABLE ONLY conversations FORCE ROW LEVEL SECURITY;
CREATE INDEX conversations_archived
    ON conversations (user_id, updated_at DESC, conversation_id DESC)
    WHERE is_archived;
CREATE INDEX conversations_branches
    ON conversations (branched_from)
    WHERE (branched_from IS NOT NULL);
CREATE INDEX conversations_by_activity ON conversations (updated_at);
CREATE INDEX conversations_by_import ON conversations (import_id) WHERE (import_id IS NOT NULL);
CREATE INDEX conversations_by_persona ON conversations (persona_id) WHERE (persona_id IS NOT NULL);
CREATE INDEX conversations_by_project
    ON conversations (user_id, project, updated_at DESC, conversation_id DESC)
    WHERE (project IS NOT NULL);
CREATE INDEX conversations_by_user
    ON conversations (user_id, updated_at DESC, conversation_id DESC);
CREATE UNIQUE INDEX conversations_imported_once
    ON conversations (user_id, source_key)
    WHERE (source_key IS NOT NULL);
CREATE INDEX conversations_of_chat
    ON conversations (chat_id, updated_at DESC, conversation_id DESC);
CREATE UNIQUE INDEX conversations_of_notes
    ON conversations (user_id, project) NULLS NOT DISTINCT
    WHERE is_notes;
CREATE INDEX conversations_pinned
    ON conversations (user_id, updated_at DESC, conversation_id DESC)
    WHERE is_pinned;
CREATE TRIGGER conversations_choose_chat BEFORE INSERT
    ON conversations
    FOR EACH ROW WHEN ((new.chat_id IS NULL))
    EXECUTE FUNCTION choose_chat();
ALTER TABLE conversations ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON conversations USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON conversations TO throughline_upkeep USING (true);

CREATE TABLE messages (
    conversation_id uuid NOT NULL,
    sequence_number integer NOT NULL,
    role text NOT NULL,
    content text NOT NULL,
    status text NOT NULL,
    model text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    error text,
    trace jsonb,
    fencing_token bigint,
    lease_until timestamp with time zone,
    user_turn bigint,
    idempotency_user text,
    idempotency_key text,
    user_id text NOT NULL,
    name text,
    words tsvector GENERATED ALWAYS AS ((array_to_tsvector(ARRAY[owner_word(user_id)]) || said_words("left"(content, 100000)))) STORED,
    finish_reason text,
    deleted_at timestamp with time zone,
    variant integer DEFAULT 1 NOT NULL,
    rating smallint,
    is_copy boolean DEFAULT false NOT NULL,
    withheld_at timestamp with time zone,
    unread_by text,
    CONSTRAINT messages_check CHECK (((role = 'user'::text) = ((sequence_number % 2) = 0))),
    CONSTRAINT messages_check1 CHECK (((role = 'assistant'::text) OR (status = 'complete'::text))),
    CONSTRAINT messages_deleted_are_empty CHECK (((deleted_at IS NULL) OR ((content = ''::text) AND (trace IS NULL) AND (error IS NULL) AND (name IS NULL) AND (idempotency_key IS NULL)))),
    CONSTRAINT messages_finish_reason_check CHECK ((finish_reason = ANY (ARRAY['stop'::text, 'length'::text, 'content_filter'::text, 'cancelled'::text, 'error'::text]))),
    CONSTRAINT messages_keyed_by_user CHECK (((idempotency_user IS NULL) = (idempotency_key IS NULL))),
    CONSTRAINT messages_rating_check CHECK (((rating IS NULL) OR ((role = 'assistant'::text) AND (rating = ANY (ARRAY['-1'::integer, 1]))))),
    CONSTRAINT messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text]))),
    CONSTRAINT messages_sequence_number_check CHECK ((sequence_number >= 0)),
    CONSTRAINT messages_status_check CHECK ((status = ANY (ARRAY['streaming'::text, 'complete'::text, 'partial'::text, 'failed'::text]))),
    CONSTRAINT messages_pkey PRIMARY KEY (conversation_id, sequence_number),
    CONSTRAINT messages_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY messages ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN trace SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN idempotency_user SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN idempotency_key SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN words SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN finish_reason SET STATISTICS 0;
ALTER TABLE ONLY messages ALTER COLUMN unread_by SET STATISTICS 0;
ALTER TABLE ONLY messages FORCE ROW LEVEL SECURITY;
CREATE INDEX messages_keyed ON messages (created_at) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX messages_names ON messages (user_id, name, role) WHERE (name IS NOT NULL);
CREATE UNIQUE INDEX messages_one_open_round
    ON messages (conversation_id)
    WHERE (status = 'streaming'::text);
CREATE INDEX messages_open_leases ON messages (lease_until) WHERE (status = 'streaming'::text);
CREATE INDEX messages_rated ON messages (model) WHERE (rating IS NOT NULL);
CREATE UNIQUE INDEX messages_sent_once
    ON messages (idempotency_user, idempotency_key)
    WHERE (idempotency_key IS NOT NULL);
CREATE INDEX messages_unread
    ON messages (conversation_id, sequence_number)
    WHERE (unread_by IS NOT NULL);
CREATE INDEX messages_withheld ON messages (user_id, withheld_at) WHERE (withheld_at IS NOT NULL);
CREATE INDEX messages_words ON messages USING gin (words) WITH (fastupdate=off);
CREATE TRIGGER messages_count_changed_bytes AFTER UPDATE OF content
    ON messages
    FOR EACH ROW WHEN ((octet_length(old.content) <> octet_length(new.content)))
    EXECUTE FUNCTION count_changed_message_bytes();
CREATE TRIGGER messages_count_new_bytes AFTER INSERT
    ON messages REFERENCING NEW TABLE AS added_messages FOR EACH STATEMENT
    EXECUTE FUNCTION count_new_message_bytes();
CREATE TRIGGER messages_insert_unembedded AFTER INSERT
    ON messages
    FOR EACH ROW WHEN (((new.status <> 'streaming'::text) AND (new.content <> ''::text) AND (NOT new.is_copy) AND (new.withheld_at IS NULL)))
    EXECUTE FUNCTION list_for_embedding();
CREATE TRIGGER messages_own_files AFTER UPDATE OF is_copy
    ON messages
    FOR EACH ROW WHEN ((old.is_copy AND (NOT new.is_copy)))
    EXECUTE FUNCTION list_own_files();
CREATE TRIGGER messages_owner BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION set_owner();
CREATE TRIGGER messages_update_unembedded AFTER UPDATE OF content, status, is_copy, withheld_at
    ON messages
    FOR EACH ROW WHEN (((new.status <> 'streaming'::text) AND (new.content <> ''::text) AND (NOT new.is_copy) AND (new.withheld_at IS NULL)))
    EXECUTE FUNCTION list_for_embedding();
ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON messages USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON messages TO throughline_upkeep USING (true);

CREATE TABLE attachments (
    attachment_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id text NOT NULL,
    conversation_id uuid,
    sequence_number integer,
    "position" smallint DEFAULT 0 NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    media_type text NOT NULL,
    byte_count integer NOT NULL,
    text_byte_count integer DEFAULT 0 NOT NULL,
    width integer,
    height integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT attachments_byte_count_check CHECK ((byte_count > 0)),
    CONSTRAINT attachments_check CHECK (((conversation_id IS NULL) = (sequence_number IS NULL))),
    CONSTRAINT attachments_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'pdf'::text, 'image'::text]))),
    CONSTRAINT attachments_name_check CHECK ((name <> ''::text)),
    CONSTRAINT attachments_owned UNIQUE (attachment_id, user_id),
    CONSTRAINT attachments_pkey PRIMARY KEY (attachment_id),
    CONSTRAINT attachments_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT attachments_conversation_id_sequence_number_fkey FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages(conversation_id, sequence_number) ON DELETE CASCADE,
    CONSTRAINT attachments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY attachments ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY attachments ALTER COLUMN kind SET STATISTICS 0;
ALTER TABLE ONLY attachments ALTER COLUMN media_type SET STATISTICS 0;
ALTER TABLE ONLY attachments FORCE ROW LEVEL SECURITY;
CREATE INDEX attachments_by_message
    ON attachments (conversation_id, sequence_number)
    WHERE (conversation_id IS NOT NULL);
CREATE INDEX attachments_by_user ON attachments (user_id);
CREATE INDEX attachments_unsent ON attachments (created_at) WHERE (conversation_id IS NULL);
CREATE TRIGGER attachments_uncut AFTER INSERT OR UPDATE OF conversation_id
    ON attachments
    FOR EACH ROW WHEN (((new.conversation_id IS NOT NULL) AND (new.text_byte_count > 0)))
    EXECUTE FUNCTION list_for_cutting();
ALTER TABLE attachments ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON attachments USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON attachments TO throughline_upkeep USING (true);

CREATE TABLE attachment_contents (
    attachment_id uuid NOT NULL,
    user_id text NOT NULL,
    content bytea NOT NULL,
    text text,
    CONSTRAINT attachment_contents_pkey PRIMARY KEY (attachment_id),
    CONSTRAINT attachment_contents_attachment_id_owned FOREIGN KEY (attachment_id, user_id) REFERENCES attachments(attachment_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY attachment_contents ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY attachment_contents ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE ONLY attachment_contents ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE ONLY attachment_contents FORCE ROW LEVEL SECURITY;
CREATE INDEX attachment_contents_by_user ON attachment_contents (user_id);
ALTER TABLE attachment_contents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON attachment_contents USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON attachment_contents TO throughline_upkeep USING (true);

CREATE TABLE audit_events (
    event_id bigint DEFAULT new_id() NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    user_id text NOT NULL,
    actor_id text,
    action text NOT NULL,
    object_kind text,
    object_id text,
    token_id bigint,
    request_id text,
    address text,
    CONSTRAINT audit_events_pkey PRIMARY KEY (event_id)
);
ALTER TABLE ONLY audit_events ALTER COLUMN actor_id SET STATISTICS 0;
ALTER TABLE ONLY audit_events ALTER COLUMN action SET STATISTICS 0;
ALTER TABLE ONLY audit_events ALTER COLUMN object_kind SET STATISTICS 0;
ALTER TABLE ONLY audit_events ALTER COLUMN object_id SET STATISTICS 0;
ALTER TABLE ONLY audit_events ALTER COLUMN request_id SET STATISTICS 0;
ALTER TABLE ONLY audit_events ALTER COLUMN address SET STATISTICS 0;
ALTER TABLE ONLY audit_events FORCE ROW LEVEL SECURITY;
CREATE INDEX audit_events_by_actor ON audit_events (actor_id, event_id);
CREATE INDEX audit_events_by_age ON audit_events (at);
CREATE INDEX audit_events_by_user ON audit_events (user_id, event_id);
CREATE POLICY additions ON audit_events FOR INSERT WITH CHECK (true);
ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON audit_events USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON audit_events TO throughline_upkeep USING (true);

CREATE TABLE backups (
    outcome text NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone DEFAULT now() NOT NULL,
    byte_count bigint,
    has_secrets boolean,
    reason text,
    CONSTRAINT backups_byte_count_check CHECK ((byte_count > 0)),
    CONSTRAINT backups_check CHECK (((outcome = 'made'::text) = ((byte_count IS NOT NULL) AND (has_secrets IS NOT NULL)))),
    CONSTRAINT backups_check1 CHECK (((outcome = 'failed'::text) = (reason IS NOT NULL))),
    CONSTRAINT backups_outcome_check CHECK ((outcome = ANY (ARRAY['made'::text, 'failed'::text]))),
    CONSTRAINT backups_pkey PRIMARY KEY (outcome)
);
ALTER TABLE ONLY backups ALTER COLUMN outcome SET STATISTICS 0;
ALTER TABLE ONLY backups ALTER COLUMN reason SET STATISTICS 0;
ALTER TABLE ONLY backups FORCE ROW LEVEL SECURITY;
ALTER TABLE backups ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON backups TO throughline_upkeep USING (true);

CREATE TABLE client_turns (
    conversation_id uuid NOT NULL,
    sequence_number integer NOT NULL,
    user_id text NOT NULL,
    digest text NOT NULL,
    chain text,
    payload jsonb,
    CONSTRAINT client_turns_pkey PRIMARY KEY (conversation_id, sequence_number),
    CONSTRAINT client_turns_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT client_turns_conversation_id_sequence_number_fkey FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages(conversation_id, sequence_number) ON DELETE CASCADE
);
ALTER TABLE ONLY client_turns ALTER COLUMN digest SET STATISTICS 0;
ALTER TABLE ONLY client_turns ALTER COLUMN chain SET STATISTICS 0;
ALTER TABLE ONLY client_turns ALTER COLUMN payload SET STATISTICS 0;
ALTER TABLE ONLY client_turns FORCE ROW LEVEL SECURITY;
CREATE INDEX client_turns_by_chain ON client_turns (user_id, chain) WHERE (chain IS NOT NULL);
CREATE INDEX client_turns_by_digest ON client_turns (user_id, digest);
ALTER TABLE client_turns ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON client_turns USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON client_turns TO throughline_upkeep USING (true);

CREATE TABLE episodic_memory (
    id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    conversation_id uuid NOT NULL,
    turn_start integer NOT NULL,
    turn_end integer NOT NULL,
    turn_range text GENERATED ALWAYS AS ((((turn_start)::text || '-'::text) || (turn_end)::text)) STORED NOT NULL,
    summary text,
    key_concepts text[] DEFAULT '{}'::text[] NOT NULL,
    embedding vector(384),
    embedding_model text,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    model text,
    prompt_version text,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    dispatch_count integer DEFAULT 1 NOT NULL,
    fencing_token bigint,
    lease_until timestamp with time zone NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    begun_at timestamp with time zone,
    in_backlog boolean DEFAULT false NOT NULL,
    words tsvector GENERATED ALWAYS AS (said_words(((COALESCE(summary, ''::text) || ' '::text) || join_words(key_concepts)))) STORED,
    parts jsonb,
    CONSTRAINT episodic_memory_check CHECK (((0 <= turn_start) AND (turn_start <= turn_end))),
    CONSTRAINT episodic_memory_check1 CHECK (((status <> 'completed'::text) OR (summary IS NOT NULL))),
    CONSTRAINT episodic_memory_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text, 'deleted'::text]))),
    CONSTRAINT episodic_memory_pkey PRIMARY KEY (id),
    CONSTRAINT episodic_memory_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT episodic_memory_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
)
WITH (toast_tuple_target='4080');
ALTER TABLE ONLY episodic_memory ALTER COLUMN turn_range SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN summary SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN key_concepts SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN embedding SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN prompt_version SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN words SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory ALTER COLUMN parts SET STATISTICS 0;
ALTER TABLE ONLY episodic_memory FORCE ROW LEVEL SECURITY;
CREATE INDEX episodic_memory_by_user ON episodic_memory (user_id);
CREATE INDEX episodic_memory_finished ON episodic_memory (finished_at);
CREATE INDEX episodic_memory_leases
    ON episodic_memory (lease_until)
    WHERE (status = 'processing'::text);
CREATE INDEX episodic_memory_nearest ON episodic_memory USING hnsw (embedding vector_cosine_ops);
CREATE INDEX episodic_memory_newest ON episodic_memory (conversation_id, status, turn_end DESC);
CREATE UNIQUE INDEX episodic_memory_no_overlap
    ON episodic_memory (conversation_id, turn_start)
    WHERE (status = 'completed'::text);
CREATE UNIQUE INDEX episodic_memory_one_processing
    ON episodic_memory (conversation_id)
    WHERE (status = 'processing'::text);
CREATE INDEX episodic_memory_unembedded
    ON episodic_memory (id)
    WHERE ((status = 'completed'::text) AND (embedding IS NULL));
CREATE INDEX episodic_memory_words ON episodic_memory USING gin (words);
ALTER TABLE episodic_memory ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON episodic_memory USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON episodic_memory TO throughline_upkeep USING (true);

CREATE TABLE events (
    event_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    type text NOT NULL,
    data jsonb NOT NULL,
    occurred_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT events_pkey PRIMARY KEY (event_id),
    CONSTRAINT events_user_id_event_id_key UNIQUE (user_id, event_id),
    CONSTRAINT events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY events ALTER COLUMN type SET STATISTICS 0;
ALTER TABLE ONLY events ALTER COLUMN data SET STATISTICS 0;
ALTER TABLE ONLY events FORCE ROW LEVEL SECURITY;
CREATE INDEX events_by_age ON events (occurred_at);
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON events USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON events TO throughline_upkeep USING (true);

CREATE TABLE examinations (
    model text NOT NULL,
    server text NOT NULL,
    prompt_version text NOT NULL,
    begun_at timestamp with time zone DEFAULT now() NOT NULL,
    asked_count smallint DEFAULT 0 NOT NULL,
    traps smallint DEFAULT 0 NOT NULL,
    believed smallint DEFAULT 0 NOT NULL,
    plain smallint DEFAULT 0 NOT NULL,
    lost smallint DEFAULT 0 NOT NULL,
    is_done boolean DEFAULT false NOT NULL,
    CONSTRAINT examinations_pkey PRIMARY KEY (model, server)
);
ALTER TABLE ONLY examinations ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY examinations ALTER COLUMN server SET STATISTICS 0;
ALTER TABLE ONLY examinations ALTER COLUMN prompt_version SET STATISTICS 0;

CREATE TABLE fact_extractions (
    id bigint DEFAULT new_id() NOT NULL,
    conversation_id uuid NOT NULL,
    user_id text NOT NULL,
    start_sequence integer NOT NULL,
    end_sequence integer NOT NULL,
    model text,
    prompt_version text,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    dispatch_count integer DEFAULT 1 NOT NULL,
    fencing_token bigint,
    lease_until timestamp with time zone NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    begun_at timestamp with time zone,
    in_backlog boolean DEFAULT false NOT NULL,
    CONSTRAINT fact_extractions_check CHECK (((0 <= start_sequence) AND (start_sequence <= end_sequence))),
    CONSTRAINT fact_extractions_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text]))),
    CONSTRAINT fact_extractions_pkey PRIMARY KEY (id),
    CONSTRAINT fact_extractions_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT fact_extractions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY fact_extractions ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY fact_extractions ALTER COLUMN prompt_version SET STATISTICS 0;
ALTER TABLE ONLY fact_extractions ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY fact_extractions FORCE ROW LEVEL SECURITY;
CREATE INDEX fact_extractions_by_user ON fact_extractions (user_id);
CREATE INDEX fact_extractions_finished ON fact_extractions (finished_at);
CREATE INDEX fact_extractions_leases
    ON fact_extractions (lease_until)
    WHERE (status = 'processing'::text);
CREATE INDEX fact_extractions_newest
    ON fact_extractions (conversation_id, status, end_sequence DESC);
CREATE UNIQUE INDEX fact_extractions_one_processing
    ON fact_extractions (conversation_id)
    WHERE (status = 'processing'::text);
ALTER TABLE fact_extractions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON fact_extractions USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON fact_extractions TO throughline_upkeep USING (true);

CREATE TABLE fact_suggestions (
    id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    category text NOT NULL,
    key text NOT NULL,
    value text,
    fingerprint text NOT NULL,
    confidence real NOT NULL,
    importance real NOT NULL,
    source_conversation_id uuid,
    source_sequence integer,
    said_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    valid_until date,
    project text DEFAULT current_project(),
    CONSTRAINT fact_suggestions_category_check CHECK ((category = ANY (ARRAY['identity'::text, 'preference'::text, 'constraint'::text, 'instruction'::text]))),
    CONSTRAINT fact_suggestions_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT fact_suggestions_importance_check CHECK (((importance >= (0)::double precision) AND (importance <= (1)::double precision))),
    CONSTRAINT fact_suggestions_once UNIQUE NULLS NOT DISTINCT (user_id, category, key, fingerprint, project),
    CONSTRAINT fact_suggestions_pkey PRIMARY KEY (id),
    CONSTRAINT fact_suggestions_project_owned FOREIGN KEY (user_id, project) REFERENCES projects(user_id, name) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT fact_suggestions_source_conversation_id_owned FOREIGN KEY (source_conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT fact_suggestions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY fact_suggestions ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE ONLY fact_suggestions ALTER COLUMN value SET STATISTICS 0;
ALTER TABLE ONLY fact_suggestions ALTER COLUMN fingerprint SET STATISTICS 0;
ALTER TABLE ONLY fact_suggestions ALTER COLUMN project SET STATISTICS 0;
ALTER TABLE ONLY fact_suggestions FORCE ROW LEVEL SECURITY;
CREATE INDEX fact_suggestions_by_project
    ON fact_suggestions (user_id, project)
    WHERE (project IS NOT NULL);
CREATE UNIQUE INDEX fact_suggestions_one_open
    ON fact_suggestions (user_id, category, key, project) NULLS NOT DISTINCT
    WHERE (value IS NOT NULL);
CREATE INDEX fact_suggestions_sources
    ON fact_suggestions (source_conversation_id)
    WHERE (source_conversation_id IS NOT NULL);
ALTER TABLE fact_suggestions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON fact_suggestions USING (((user_id = current_setting('throughline.user_id'::text, true)) AND ((NOT (project IS DISTINCT FROM current_project())) OR (current_setting('throughline.memory'::text, true) = 'all'::text))));
CREATE POLICY upkeep ON fact_suggestions TO throughline_upkeep USING (true);

CREATE TABLE file_passages (
    passage_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    attachment_id uuid NOT NULL,
    number integer NOT NULL,
    user_id text NOT NULL,
    text text NOT NULL,
    is_off_record boolean NOT NULL,
    words tsvector GENERATED ALWAYS AS ((array_to_tsvector(ARRAY[owner_word(user_id)]) || said_words(text))) STORED,
    embedding halfvec(384),
    token_signs bytea,
    embedding_model text,
    place text,
    CONSTRAINT file_passages_check CHECK (((embedding IS NULL) = (embedding_model IS NULL))),
    CONSTRAINT file_passages_number_check CHECK ((number >= 0)),
    CONSTRAINT file_passages_place_check CHECK ((place <> ''::text)),
    CONSTRAINT file_passages_text_check CHECK ((text <> ''::text)),
    CONSTRAINT file_passages_numbered UNIQUE (attachment_id, number),
    CONSTRAINT file_passages_pkey PRIMARY KEY (passage_id),
    CONSTRAINT file_passages_attachment_id_owned FOREIGN KEY (attachment_id, user_id) REFERENCES attachments(attachment_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY file_passages ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE ONLY file_passages ALTER COLUMN words SET STATISTICS 0;
ALTER TABLE ONLY file_passages ALTER COLUMN embedding SET STATISTICS 0;
ALTER TABLE ONLY file_passages ALTER COLUMN token_signs SET STATISTICS 0;
ALTER TABLE ONLY file_passages ALTER COLUMN token_signs SET STORAGE EXTERNAL;
ALTER TABLE ONLY file_passages ALTER COLUMN place SET STATISTICS 0;
ALTER TABLE ONLY file_passages FORCE ROW LEVEL SECURITY;
CREATE INDEX file_passages_by_model ON file_passages (embedding_model, passage_id);
CREATE INDEX file_passages_by_user ON file_passages (user_id);
CREATE INDEX file_passages_nearest ON file_passages USING hnsw (embedding halfvec_cosine_ops);
CREATE INDEX file_passages_unembedded
    ON file_passages (passage_id)
    WHERE ((embedding_model IS NULL) AND (NOT is_off_record));
CREATE INDEX file_passages_words ON file_passages USING gin (words) WITH (fastupdate=off);
ALTER TABLE file_passages ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON file_passages USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON file_passages TO throughline_upkeep USING (true);

CREATE TABLE forgotten_facts (
    user_id text NOT NULL,
    category text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    said_until timestamp with time zone NOT NULL,
    forgotten_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT forgotten_facts_pkey PRIMARY KEY (user_id, category, key, fingerprint),
    CONSTRAINT forgotten_facts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY forgotten_facts ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE ONLY forgotten_facts ALTER COLUMN fingerprint SET STATISTICS 0;
ALTER TABLE ONLY forgotten_facts FORCE ROW LEVEL SECURITY;
ALTER TABLE forgotten_facts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON forgotten_facts USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON forgotten_facts TO throughline_upkeep USING (true);

CREATE TABLE id_salt (
    salt uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT id_salt_pkey PRIMARY KEY (salt)
);

CREATE TABLE kept_answers (
    user_id text NOT NULL,
    key_hash bytea NOT NULL,
    request_hash bytea,
    status smallint,
    body bytea,
    held_until timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT kept_answers_key_hash_check CHECK ((octet_length(key_hash) = 32)),
    CONSTRAINT kept_answers_pkey PRIMARY KEY (user_id, key_hash)
);
ALTER TABLE ONLY kept_answers ALTER COLUMN key_hash SET STATISTICS 0;
ALTER TABLE ONLY kept_answers ALTER COLUMN request_hash SET STATISTICS 0;
ALTER TABLE ONLY kept_answers ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE ONLY kept_answers FORCE ROW LEVEL SECURITY;
CREATE INDEX kept_answers_by_age ON kept_answers (created_at);
ALTER TABLE kept_answers ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON kept_answers USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON kept_answers TO throughline_upkeep USING (true);

CREATE TABLE memory (
    memory_id bigint DEFAULT new_id() NOT NULL,
    conversation_id uuid NOT NULL,
    start_sequence integer NOT NULL,
    end_sequence integer NOT NULL,
    base_memory_id bigint,
    memory_text text,
    points jsonb,
    model text,
    prompt_version text,
    generation_time_ms integer,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    dispatch_count integer DEFAULT 1 NOT NULL,
    fencing_token bigint,
    lease_until timestamp with time zone NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    begun_at timestamp with time zone,
    in_backlog boolean DEFAULT false NOT NULL,
    user_id text NOT NULL,
    parts jsonb,
    CONSTRAINT memory_check CHECK (((0 <= start_sequence) AND (start_sequence <= end_sequence))),
    CONSTRAINT memory_check1 CHECK (((status <> 'completed'::text) OR ((memory_text IS NOT NULL) AND (points IS NOT NULL)))),
    CONSTRAINT memory_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text]))),
    CONSTRAINT memory_owned UNIQUE (memory_id, user_id),
    CONSTRAINT memory_pkey PRIMARY KEY (memory_id),
    CONSTRAINT memory_base_memory_id_owned FOREIGN KEY (base_memory_id, user_id) REFERENCES memory(memory_id, user_id) ON DELETE SET NULL (base_memory_id),
    CONSTRAINT memory_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY memory ALTER COLUMN memory_text SET STATISTICS 0;
ALTER TABLE ONLY memory ALTER COLUMN points SET STATISTICS 0;
ALTER TABLE ONLY memory ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY memory ALTER COLUMN prompt_version SET STATISTICS 0;
ALTER TABLE ONLY memory ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY memory ALTER COLUMN parts SET STATISTICS 0;
ALTER TABLE ONLY memory FORCE ROW LEVEL SECURITY;
CREATE INDEX memory_bases ON memory (base_memory_id);
CREATE INDEX memory_finished ON memory (finished_at);
CREATE INDEX memory_leases ON memory (lease_until) WHERE (status = 'processing'::text);
CREATE INDEX memory_newest ON memory (conversation_id, status, end_sequence DESC);
CREATE UNIQUE INDEX memory_one_processing
    ON memory (conversation_id)
    WHERE (status = 'processing'::text);
CREATE TRIGGER memory_owner BEFORE INSERT
    ON memory
    FOR EACH ROW WHEN ((new.user_id IS NULL))
    EXECUTE FUNCTION set_owner();
ALTER TABLE memory ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON memory USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON memory TO throughline_upkeep USING (true);

CREATE TABLE message_embeddings (
    user_id text NOT NULL,
    conversation_id uuid NOT NULL,
    sequence_number integer NOT NULL,
    embedding halfvec(384) NOT NULL,
    embedding_model text NOT NULL,
    token_signs bytea,
    CONSTRAINT message_embeddings_pkey PRIMARY KEY (conversation_id, sequence_number),
    CONSTRAINT message_embeddings_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT message_embeddings_conversation_id_sequence_number_fkey FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages(conversation_id, sequence_number) ON DELETE CASCADE
)
WITH (toast_tuple_target='1024');
ALTER TABLE ONLY message_embeddings ALTER COLUMN embedding SET STATISTICS 0;
ALTER TABLE ONLY message_embeddings ALTER COLUMN token_signs SET STATISTICS 0;
ALTER TABLE ONLY message_embeddings ALTER COLUMN token_signs SET STORAGE EXTERNAL;
ALTER TABLE ONLY message_embeddings FORCE ROW LEVEL SECURITY;
CREATE INDEX message_embeddings_by_model
    ON message_embeddings (embedding_model, conversation_id, sequence_number);
CREATE INDEX message_embeddings_by_user ON message_embeddings (user_id);
CREATE INDEX message_embeddings_nearest
    ON message_embeddings USING hnsw (embedding halfvec_cosine_ops);
ALTER TABLE message_embeddings ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON message_embeddings USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON message_embeddings TO throughline_upkeep USING (true);

CREATE TABLE oauth_grants (
    grant_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    client_hash bytea NOT NULL,
    client_name text NOT NULL,
    scopes text[] NOT NULL,
    redirect_uri text NOT NULL,
    names_redirect boolean NOT NULL,
    code_challenge text NOT NULL,
    is_code boolean DEFAULT true NOT NULL,
    secret_hash bytea NOT NULL,
    spent_hashes bytea[] DEFAULT '{}'::bytea[] NOT NULL,
    token_id bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT oauth_grants_client_hash_check CHECK ((octet_length(client_hash) = 32)),
    CONSTRAINT oauth_grants_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
    CONSTRAINT oauth_grants_pkey PRIMARY KEY (grant_id),
    CONSTRAINT oauth_grants_secret_hash_key UNIQUE (secret_hash),
    CONSTRAINT oauth_grants_token_id_owned FOREIGN KEY (token_id, user_id) REFERENCES api_tokens(token_id, user_id) ON DELETE SET NULL (token_id),
    CONSTRAINT oauth_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY oauth_grants ALTER COLUMN client_hash SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants ALTER COLUMN client_name SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants ALTER COLUMN scopes SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants ALTER COLUMN redirect_uri SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants ALTER COLUMN code_challenge SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants ALTER COLUMN secret_hash SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants ALTER COLUMN spent_hashes SET STATISTICS 0;
ALTER TABLE ONLY oauth_grants FORCE ROW LEVEL SECURITY;
CREATE INDEX oauth_grants_by_token ON oauth_grants (token_id);
CREATE INDEX oauth_grants_by_user ON oauth_grants (user_id);
ALTER TABLE oauth_grants ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON oauth_grants USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON oauth_grants TO throughline_upkeep USING (true);

CREATE TABLE prompts (
    prompt_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT prompts_pkey PRIMARY KEY (prompt_id),
    CONSTRAINT prompts_user_id_name_key UNIQUE (user_id, name),
    CONSTRAINT prompts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY prompts ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY prompts ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE ONLY prompts FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON prompts USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE prompts ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON prompts TO throughline_upkeep USING (true);

CREATE TABLE recovery_codes (
    account_id text NOT NULL,
    code_hash bytea NOT NULL,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, code_hash),
    CONSTRAINT recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);
ALTER TABLE ONLY recovery_codes ALTER COLUMN account_id SET STATISTICS 0;
ALTER TABLE ONLY recovery_codes ALTER COLUMN code_hash SET STATISTICS 0;

CREATE TABLE reply_variants (
    user_id text NOT NULL,
    conversation_id uuid NOT NULL,
    sequence_number integer NOT NULL,
    variant integer NOT NULL,
    content text NOT NULL,
    status text NOT NULL,
    finish_reason text,
    model text,
    error text,
    trace jsonb,
    rating smallint,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT reply_variants_content_check CHECK ((content <> ''::text)),
    CONSTRAINT reply_variants_finish_reason_check CHECK ((finish_reason = ANY (ARRAY['stop'::text, 'length'::text, 'content_filter'::text, 'cancelled'::text, 'error'::text]))),
    CONSTRAINT reply_variants_rating_check CHECK ((rating = ANY (ARRAY['-1'::integer, 1]))),
    CONSTRAINT reply_variants_status_check CHECK ((status = ANY (ARRAY['complete'::text, 'partial'::text, 'failed'::text]))),
    CONSTRAINT reply_variants_variant_check CHECK ((variant > 0)),
    CONSTRAINT reply_variants_pkey PRIMARY KEY (conversation_id, sequence_number, variant),
    CONSTRAINT reply_variants_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT reply_variants_conversation_id_sequence_number_fkey FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages(conversation_id, sequence_number) ON DELETE CASCADE
);
ALTER TABLE ONLY reply_variants ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY reply_variants ALTER COLUMN finish_reason SET STATISTICS 0;
ALTER TABLE ONLY reply_variants ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY reply_variants ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY reply_variants ALTER COLUMN trace SET STATISTICS 0;
ALTER TABLE ONLY reply_variants FORCE ROW LEVEL SECURITY;
CREATE INDEX reply_variants_by_user ON reply_variants (user_id);
CREATE TRIGGER reply_variants_count_gone_bytes AFTER DELETE
    ON reply_variants REFERENCING OLD TABLE AS gone_variants FOR EACH STATEMENT
    EXECUTE FUNCTION count_gone_variant_bytes();
CREATE TRIGGER reply_variants_count_new_bytes AFTER INSERT
    ON reply_variants REFERENCING NEW TABLE AS added_messages FOR EACH STATEMENT
    EXECUTE FUNCTION count_new_message_bytes();
CREATE POLICY own_rows
    ON reply_variants USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE reply_variants ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON reply_variants TO throughline_upkeep USING (true);

CREATE TABLE request_limits (
    name text NOT NULL,
    server text NOT NULL,
    part text NOT NULL,
    tokens integer,
    CONSTRAINT request_limits_pkey PRIMARY KEY (name, server, part)
);
ALTER TABLE ONLY request_limits ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY request_limits ALTER COLUMN server SET STATISTICS 0;
ALTER TABLE ONLY request_limits ALTER COLUMN part SET STATISTICS 0;

CREATE TABLE responses (
    response_id text NOT NULL,
    user_id text NOT NULL,
    conversation_id uuid NOT NULL,
    sequence_number integer NOT NULL,
    request jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT responses_pkey PRIMARY KEY (response_id),
    CONSTRAINT responses_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT responses_conversation_id_sequence_number_fkey FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages(conversation_id, sequence_number) ON DELETE CASCADE,
    CONSTRAINT responses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY responses ALTER COLUMN response_id SET STATISTICS 0;
ALTER TABLE ONLY responses ALTER COLUMN request SET STATISTICS 0;
ALTER TABLE ONLY responses FORCE ROW LEVEL SECURITY;
CREATE INDEX responses_by_message ON responses (conversation_id, sequence_number);
CREATE INDEX responses_by_user ON responses (user_id);
CREATE POLICY own_rows
    ON responses USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE responses ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON responses TO throughline_upkeep USING (true);

CREATE TABLE shares (
    share_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    conversation_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    until_sequence integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    CONSTRAINT shares_token_hash_check CHECK ((octet_length(token_hash) = 32)),
    CONSTRAINT shares_until_sequence_check CHECK ((until_sequence >= 0)),
    CONSTRAINT shares_pkey PRIMARY KEY (share_id),
    CONSTRAINT shares_token_hash_key UNIQUE (token_hash),
    CONSTRAINT shares_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY shares ALTER COLUMN token_hash SET STATISTICS 0;
ALTER TABLE ONLY shares FORCE ROW LEVEL SECURITY;
CREATE INDEX shares_by_conversation ON shares (conversation_id);
CREATE INDEX shares_by_user ON shares (user_id, share_id);
CREATE POLICY own_rows
    ON shares USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE shares ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON shares TO throughline_upkeep USING (true);

CREATE TABLE site (
    is_only boolean DEFAULT true NOT NULL,
    site_id uuid DEFAULT gen_random_uuid() NOT NULL,
    pulse double precision DEFAULT 0 NOT NULL,
    place text DEFAULT ''::text NOT NULL,
    CONSTRAINT site_is_only_check CHECK (is_only),
    CONSTRAINT site_pkey PRIMARY KEY (is_only)
);
ALTER TABLE ONLY site ALTER COLUMN site_id SET STATISTICS 0;
ALTER TABLE ONLY site ALTER COLUMN pulse SET STATISTICS 0;
ALTER TABLE ONLY site ALTER COLUMN place SET STATISTICS 0;

CREATE TABLE site_models (
    model_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    name text NOT NULL,
    protocol text NOT NULL,
    address text,
    served_name text NOT NULL,
    sealed_key bytea,
    is_offered boolean NOT NULL,
    is_chat_default boolean NOT NULL,
    is_memory_default boolean NOT NULL,
    context_tokens integer,
    max_tokens integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    trust text,
    CONSTRAINT site_models_check CHECK (((protocol = 'openai'::text) = (address IS NOT NULL))),
    CONSTRAINT site_models_protocol_check CHECK ((protocol = ANY (ARRAY['openai'::text, 'litellm'::text]))),
    CONSTRAINT site_models_trust_check CHECK ((trust = ANY (ARRAY['examined'::text, 'always'::text, 'never'::text]))),
    CONSTRAINT site_models_name_key UNIQUE (name),
    CONSTRAINT site_models_pkey PRIMARY KEY (model_id)
);
ALTER TABLE ONLY site_models ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE ONLY site_models ALTER COLUMN protocol SET STATISTICS 0;
ALTER TABLE ONLY site_models ALTER COLUMN address SET STATISTICS 0;
ALTER TABLE ONLY site_models ALTER COLUMN served_name SET STATISTICS 0;
ALTER TABLE ONLY site_models ALTER COLUMN sealed_key SET STATISTICS 0;
ALTER TABLE ONLY site_models ALTER COLUMN trust SET STATISTICS 0;
CREATE UNIQUE INDEX site_models_chat_default ON site_models ((true)) WHERE is_chat_default;
CREATE UNIQUE INDEX site_models_memory_default ON site_models ((true)) WHERE is_memory_default;

CREATE TABLE structured_facts (
    id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    category text NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    confidence real NOT NULL,
    importance real NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    source_conversation_id uuid,
    source_sequence integer,
    confirmed_at_turn bigint NOT NULL,
    valid_from timestamp with time zone DEFAULT now() NOT NULL,
    valid_to timestamp with time zone,
    superseded_by bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone,
    tidied text,
    former_key text,
    valid_until date,
    project text DEFAULT current_project(),
    CONSTRAINT structured_facts_category_check CHECK ((category = ANY (ARRAY['identity'::text, 'preference'::text, 'constraint'::text, 'instruction'::text]))),
    CONSTRAINT structured_facts_check CHECK ((is_active = (valid_to IS NULL))),
    CONSTRAINT structured_facts_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT structured_facts_importance_check CHECK (((importance >= (0)::double precision) AND (importance <= (1)::double precision))),
    CONSTRAINT structured_facts_tidied_check CHECK ((tidied = ANY (ARRAY['joined'::text, 'contradicted'::text, 'expired'::text]))),
    CONSTRAINT structured_facts_owned UNIQUE (id, user_id),
    CONSTRAINT structured_facts_pkey PRIMARY KEY (id),
    CONSTRAINT structured_facts_project_owned FOREIGN KEY (user_id, project) REFERENCES projects(user_id, name) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT structured_facts_source_conversation_id_owned FOREIGN KEY (source_conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE SET NULL (source_conversation_id),
    CONSTRAINT structured_facts_superseded_by_owned FOREIGN KEY (superseded_by, user_id) REFERENCES structured_facts(id, user_id) ON DELETE SET NULL (superseded_by),
    CONSTRAINT structured_facts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY structured_facts ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE ONLY structured_facts ALTER COLUMN value SET STATISTICS 0;
ALTER TABLE ONLY structured_facts ALTER COLUMN tidied SET STATISTICS 0;
ALTER TABLE ONLY structured_facts ALTER COLUMN former_key SET STATISTICS 0;
ALTER TABLE ONLY structured_facts ALTER COLUMN project SET STATISTICS 0;
ALTER TABLE ONLY structured_facts FORCE ROW LEVEL SECURITY;
CREATE INDEX structured_facts_by_project
    ON structured_facts (user_id, project)
    WHERE (project IS NOT NULL);
CREATE UNIQUE INDEX structured_facts_one_active
    ON structured_facts (user_id, category, key, project) NULLS NOT DISTINCT
    WHERE is_active;
CREATE INDEX structured_facts_recall ON structured_facts (user_id, importance DESC) WHERE is_active;
CREATE INDEX structured_facts_sources
    ON structured_facts (source_conversation_id)
    WHERE (source_conversation_id IS NOT NULL);
CREATE INDEX structured_facts_successors
    ON structured_facts (superseded_by)
    WHERE (superseded_by IS NOT NULL);
CREATE INDEX structured_facts_versions ON structured_facts (user_id, category, key);
CREATE POLICY own_rows
    ON structured_facts USING (((user_id = current_setting('throughline.user_id'::text, true)) AND ((NOT (project IS DISTINCT FROM current_project())) OR (current_setting('throughline.memory'::text, true) = 'all'::text))));
ALTER TABLE structured_facts ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON structured_facts TO throughline_upkeep USING (true);

CREATE TABLE tidyings (
    id bigint DEFAULT new_id() NOT NULL,
    conversation_id uuid NOT NULL,
    user_id text NOT NULL,
    start_sequence integer NOT NULL,
    end_sequence integer NOT NULL,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    dispatch_count integer DEFAULT 1 NOT NULL,
    in_backlog boolean DEFAULT false NOT NULL,
    fencing_token bigint,
    lease_until timestamp with time zone NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    begun_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT tidyings_check CHECK (((0 <= start_sequence) AND (start_sequence <= end_sequence))),
    CONSTRAINT tidyings_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text]))),
    CONSTRAINT tidyings_pkey PRIMARY KEY (id),
    CONSTRAINT tidyings_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY tidyings ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY tidyings FORCE ROW LEVEL SECURITY;
CREATE INDEX tidyings_by_conversation ON tidyings (conversation_id, status);
CREATE INDEX tidyings_by_user ON tidyings (user_id, created_at);
CREATE INDEX tidyings_finished ON tidyings (finished_at);
CREATE INDEX tidyings_leases ON tidyings (lease_until) WHERE (status = 'processing'::text);
CREATE UNIQUE INDEX tidyings_one_processing
    ON tidyings (user_id)
    WHERE (status = 'processing'::text);
CREATE POLICY own_rows
    ON tidyings USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE tidyings ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON tidyings TO throughline_upkeep USING (true);

CREATE TABLE titles (
    id bigint DEFAULT new_id() NOT NULL,
    conversation_id uuid NOT NULL,
    start_sequence integer NOT NULL,
    end_sequence integer NOT NULL,
    title text,
    model text,
    prompt_version text,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    dispatch_count integer DEFAULT 1 NOT NULL,
    fencing_token bigint,
    lease_until timestamp with time zone NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    begun_at timestamp with time zone,
    in_backlog boolean DEFAULT false NOT NULL,
    user_id text NOT NULL,
    CONSTRAINT titles_check CHECK (((0 <= start_sequence) AND (start_sequence <= end_sequence))),
    CONSTRAINT titles_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text]))),
    CONSTRAINT titles_pkey PRIMARY KEY (id),
    CONSTRAINT titles_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY titles ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE ONLY titles ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY titles ALTER COLUMN prompt_version SET STATISTICS 0;
ALTER TABLE ONLY titles ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY titles FORCE ROW LEVEL SECURITY;
CREATE INDEX titles_by_conversation ON titles (conversation_id, status);
CREATE INDEX titles_finished ON titles (finished_at);
CREATE INDEX titles_leases ON titles (lease_until) WHERE (status = 'processing'::text);
CREATE UNIQUE INDEX titles_one_processing
    ON titles (conversation_id)
    WHERE (status = 'processing'::text);
CREATE TRIGGER titles_owner BEFORE INSERT
    ON titles
    FOR EACH ROW WHEN ((new.user_id IS NULL))
    EXECUTE FUNCTION set_owner();
CREATE POLICY own_rows
    ON titles USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE titles ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON titles TO throughline_upkeep USING (true);

CREATE TABLE token_usage (
    conversation_id uuid NOT NULL,
    purpose text NOT NULL,
    model text NOT NULL,
    calls bigint NOT NULL,
    tokens_in bigint NOT NULL,
    tokens_out bigint NOT NULL,
    user_id text NOT NULL,
    CONSTRAINT token_usage_pkey PRIMARY KEY (conversation_id, purpose, model),
    CONSTRAINT token_usage_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY token_usage ALTER COLUMN purpose SET STATISTICS 0;
ALTER TABLE ONLY token_usage ALTER COLUMN model SET STATISTICS 0;
ALTER TABLE ONLY token_usage FORCE ROW LEVEL SECURITY;
CREATE TRIGGER token_usage_owner BEFORE INSERT
    ON token_usage
    FOR EACH ROW WHEN ((new.user_id IS NULL))
    EXECUTE FUNCTION set_owner();
CREATE POLICY own_rows
    ON token_usage USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE token_usage ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON token_usage TO throughline_upkeep USING (true);

CREATE TABLE tombstones (
    tombstone_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    conversation_id uuid NOT NULL,
    sequence_number integer,
    fencing_token bigint DEFAULT nextval('fencing_tokens'::regclass) NOT NULL,
    replies integer[] DEFAULT '{}'::integer[] NOT NULL,
    erased_at timestamp with time zone DEFAULT now() NOT NULL,
    told_epoch text,
    rewritten_at timestamp with time zone,
    CONSTRAINT tombstones_pkey PRIMARY KEY (tombstone_id)
);
ALTER TABLE ONLY tombstones ALTER COLUMN replies SET STATISTICS 0;
ALTER TABLE ONLY tombstones ALTER COLUMN told_epoch SET STATISTICS 0;
ALTER TABLE ONLY tombstones FORCE ROW LEVEL SECURITY;
CREATE INDEX tombstones_by_age ON tombstones (erased_at);
CREATE POLICY additions ON tombstones FOR INSERT WITH CHECK (true);
ALTER TABLE tombstones ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON tombstones TO throughline_upkeep USING (true);

CREATE TABLE uncut_files (
    attachment_id uuid NOT NULL,
    user_id text NOT NULL,
    ticket bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    CONSTRAINT uncut_files_pkey PRIMARY KEY (attachment_id),
    CONSTRAINT uncut_files_ticket_key UNIQUE (ticket),
    CONSTRAINT uncut_files_attachment_id_owned FOREIGN KEY (attachment_id, user_id) REFERENCES attachments(attachment_id, user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY uncut_files FORCE ROW LEVEL SECURITY;
CREATE INDEX uncut_files_by_user ON uncut_files (user_id);
CREATE POLICY own_rows
    ON uncut_files USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE uncut_files ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON uncut_files TO throughline_upkeep USING (true);

CREATE TABLE unembedded_messages (
    ticket bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    conversation_id uuid NOT NULL,
    sequence_number integer NOT NULL,
    user_id text NOT NULL,
    CONSTRAINT unembedded_messages_pkey PRIMARY KEY (conversation_id, sequence_number),
    CONSTRAINT unembedded_messages_ticket_key UNIQUE (ticket),
    CONSTRAINT unembedded_messages_conversation_id_owned FOREIGN KEY (conversation_id, user_id) REFERENCES conversations(conversation_id, user_id) ON DELETE CASCADE,
    CONSTRAINT unembedded_messages_conversation_id_sequence_number_fkey FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages(conversation_id, sequence_number) ON DELETE CASCADE
);
ALTER TABLE ONLY unembedded_messages FORCE ROW LEVEL SECURITY;
CREATE TRIGGER unembedded_messages_owner BEFORE INSERT
    ON unembedded_messages
    FOR EACH ROW WHEN ((new.user_id IS NULL))
    EXECUTE FUNCTION set_owner();
CREATE POLICY own_rows
    ON unembedded_messages USING ((user_id = current_setting('throughline.user_id'::text, true)));
ALTER TABLE unembedded_messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON unembedded_messages TO throughline_upkeep USING (true);

CREATE TABLE usage_days (
    user_id text NOT NULL,
    day date DEFAULT CURRENT_DATE NOT NULL,
    rounds integer DEFAULT 0 NOT NULL,
    searches integer DEFAULT 0 NOT NULL,
    tokens bigint DEFAULT 0 NOT NULL,
    CONSTRAINT usage_days_pkey PRIMARY KEY (user_id, day)
);
ALTER TABLE ONLY usage_days FORCE ROW LEVEL SECURITY;
CREATE INDEX usage_days_by_day ON usage_days (day);
CREATE POLICY own_rows
    ON usage_days USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON usage_days TO throughline_upkeep USING (true);
ALTER TABLE usage_days ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhooks (
    webhook_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    url text NOT NULL,
    event_types text[] NOT NULL,
    with_text boolean DEFAULT false NOT NULL,
    secret bytea NOT NULL,
    old_secret bytea,
    old_secret_until timestamp with time zone,
    disabled_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    resume_at timestamp with time zone DEFAULT now() NOT NULL,
    fencing_token bigint,
    lease_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT webhooks_check CHECK (((old_secret IS NULL) = (old_secret_until IS NULL))),
    CONSTRAINT webhooks_pkey PRIMARY KEY (webhook_id),
    CONSTRAINT webhooks_user_id_webhook_id_key UNIQUE (user_id, webhook_id),
    CONSTRAINT webhooks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
ALTER TABLE ONLY webhooks ALTER COLUMN url SET STATISTICS 0;
ALTER TABLE ONLY webhooks ALTER COLUMN event_types SET STATISTICS 0;
ALTER TABLE ONLY webhooks ALTER COLUMN secret SET STATISTICS 0;
ALTER TABLE ONLY webhooks ALTER COLUMN old_secret SET STATISTICS 0;
ALTER TABLE ONLY webhooks FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows
    ON webhooks USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON webhooks TO throughline_upkeep USING (true);
ALTER TABLE webhooks ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_deliveries (
    delivery_id bigint DEFAULT new_id() NOT NULL,
    user_id text NOT NULL,
    webhook_id bigint NOT NULL,
    event_id bigint NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    http_status integer,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT webhook_deliveries_check CHECK (((status = 'pending'::text) = (finished_at IS NULL))),
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text]))),
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (delivery_id),
    CONSTRAINT webhook_deliveries_webhook_id_event_id_key UNIQUE (webhook_id, event_id),
    CONSTRAINT webhook_deliveries_user_id_event_id_fkey FOREIGN KEY (user_id, event_id) REFERENCES events(user_id, event_id) ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_user_id_webhook_id_fkey FOREIGN KEY (user_id, webhook_id) REFERENCES webhooks(user_id, webhook_id) ON DELETE CASCADE
);
ALTER TABLE ONLY webhook_deliveries ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE ONLY webhook_deliveries FORCE ROW LEVEL SECURITY;
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (user_id, event_id);
CREATE INDEX webhook_deliveries_by_user ON webhook_deliveries (user_id, delivery_id);
CREATE INDEX webhook_deliveries_pending
    ON webhook_deliveries (webhook_id, due_at)
    WHERE (status = 'pending'::text);
CREATE POLICY own_rows
    ON webhook_deliveries USING ((user_id = current_setting('throughline.user_id'::text, true)));
CREATE POLICY upkeep ON webhook_deliveries TO throughline_upkeep USING (true);
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;

CREATE VIEW jobs WITH (security_invoker='true') AS
 SELECT 'summary'::text AS kind,
    memory.memory_id AS job_id,
    memory.conversation_id,
    memory.start_sequence,
    memory.end_sequence,
    memory.status,
        CASE
            WHEN (memory.status = 'deleted'::text) THEN 'completed'::text
            WHEN (memory.status <> 'processing'::text) THEN memory.status
            WHEN (memory.fencing_token IS NULL) THEN 'queued'::text
            ELSE 'running'::text
        END AS state,
    memory.attempts,
    memory.error,
    memory.lease_until,
    memory.created_at,
    memory.begun_at,
    memory.finished_at
   FROM memory
UNION ALL
 SELECT 'episode'::text AS kind,
    episodic_memory.id AS job_id,
    episodic_memory.conversation_id,
    episodic_memory.turn_start AS start_sequence,
    episodic_memory.turn_end AS end_sequence,
    episodic_memory.status,
        CASE
            WHEN (episodic_memory.status = 'deleted'::text) THEN 'completed'::text
            WHEN (episodic_memory.status <> 'processing'::text) THEN episodic_memory.status
            WHEN (episodic_memory.fencing_token IS NULL) THEN 'queued'::text
            ELSE 'running'::text
        END AS state,
    episodic_memory.attempts,
    episodic_memory.error,
    episodic_memory.lease_until,
    episodic_memory.created_at,
    episodic_memory.begun_at,
    episodic_memory.finished_at
   FROM episodic_memory
UNION ALL
 SELECT 'facts'::text AS kind,
    fact_extractions.id AS job_id,
    fact_extractions.conversation_id,
    fact_extractions.start_sequence,
    fact_extractions.end_sequence,
    fact_extractions.status,
        CASE
            WHEN (fact_extractions.status = 'deleted'::text) THEN 'completed'::text
            WHEN (fact_extractions.status <> 'processing'::text) THEN fact_extractions.status
            WHEN (fact_extractions.fencing_token IS NULL) THEN 'queued'::text
            ELSE 'running'::text
        END AS state,
    fact_extractions.attempts,
    fact_extractions.error,
    fact_extractions.lease_until,
    fact_extractions.created_at,
    fact_extractions.begun_at,
    fact_extractions.finished_at
   FROM fact_extractions
UNION ALL
 SELECT 'title'::text AS kind,
    titles.id AS job_id,
    titles.conversation_id,
    titles.start_sequence,
    titles.end_sequence,
    titles.status,
        CASE
            WHEN (titles.status = 'deleted'::text) THEN 'completed'::text
            WHEN (titles.status <> 'processing'::text) THEN titles.status
            WHEN (titles.fencing_token IS NULL) THEN 'queued'::text
            ELSE 'running'::text
        END AS state,
    titles.attempts,
    titles.error,
    titles.lease_until,
    titles.created_at,
    titles.begun_at,
    titles.finished_at
   FROM titles
UNION ALL
 SELECT 'tidying'::text AS kind,
    tidyings.id AS job_id,
    tidyings.conversation_id,
    tidyings.start_sequence,
    tidyings.end_sequence,
    tidyings.status,
        CASE
            WHEN (tidyings.status = 'deleted'::text) THEN 'completed'::text
            WHEN (tidyings.status <> 'processing'::text) THEN tidyings.status
            WHEN (tidyings.fencing_token IS NULL) THEN 'queued'::text
            ELSE 'running'::text
        END AS state,
    tidyings.attempts,
    tidyings.error,
    tidyings.lease_until,
    tidyings.created_at,
    tidyings.begun_at,
    tidyings.finished_at
   FROM tidyings;

CREATE VIEW long_term_memories WITH (security_invoker='true') AS
 SELECT id,
    conversation_id,
    summary,
    key_concepts,
    created_at
   FROM episodic_memory
  WHERE (status = 'completed'::text);

INSERT INTO id_salt DEFAULT VALUES; -- by which `new_id` differs from that of other databases

CREATE TABLE alembic_version (
    version_num character varying(32) CONSTRAINT alembic_version_pkc PRIMARY KEY
);
INSERT INTO alembic_version VALUES ('0062');
