-- Notes that are written here: their past versions, the feed of their changes, what devices sent that were offline, and
-- deletion for good.

ALTER TABLE library.documents ADD COLUMN titled boolean NOT NULL DEFAULT true;  -- false: the title was taken from the text
ALTER TABLE library.documents ADD COLUMN conflict_of text;  -- the external id of the note whose other version this one keeps

-- The notes' list, the newest change first, and the trash.
CREATE INDEX notes_by_change ON library.documents (owner_id, updated_at DESC, id DESC)
    WHERE source = 'notes' AND trashed_at IS NULL;
CREATE INDEX notes_in_trash ON library.documents (owner_id, trashed_at DESC, id DESC)
    WHERE source = 'notes' AND trashed_at IS NOT NULL;
-- Second versions that a conflict left behind, by the note that they belong to.
CREATE INDEX notes_in_conflict ON library.documents (owner_id, conflict_of) WHERE conflict_of IS NOT NULL;

-- A note as it was at the end of a sitting. How it is now stands in documents alone.
CREATE TABLE library.revisions (
    owner_id    bigint NOT NULL,
    document_id bigint NOT NULL,
    version     integer NOT NULL,
    at          timestamptz NOT NULL,               -- when this version was saved
    title       text NOT NULL,
    titled      boolean NOT NULL,
    text        text NOT NULL,
    lang        text NOT NULL,
    kind        text NOT NULL,
    date        date,
    topic       text,
    tags        text[] NOT NULL,
    origin      text NOT NULL,
    size        bigint NOT NULL,
    kept        boolean NOT NULL DEFAULT false,     -- a person wants to keep it: never thinned
    PRIMARY KEY (owner_id, document_id, version),
    FOREIGN KEY (owner_id, document_id) REFERENCES library.documents ON DELETE CASCADE
);
CREATE INDEX revisions_by_age ON library.revisions (owner_id, at) WHERE NOT kept;

-- The last number of each owner's feed. Its row is locked from a transaction's last statement to its end, so numbers
-- commit in their order: a reader never sees a number before all smaller ones.
CREATE TABLE library.feeds (
    owner_id bigint PRIMARY KEY REFERENCES accounts.users ON DELETE CASCADE,
    feed     uuid NOT NULL DEFAULT gen_random_uuid(),  -- another one after a restore: readers begin again
    last     bigint NOT NULL DEFAULT 0
);

CREATE TABLE library.changes (
    owner_id    bigint NOT NULL REFERENCES library.feeds ON DELETE CASCADE,
    seq         bigint NOT NULL,
    document_id bigint NOT NULL,                    -- no reference: the id is what stays of a note that was deleted for good
    external_id text NOT NULL,
    op          text NOT NULL CHECK (op IN ('saved', 'trashed', 'restored', 'deleted')),
    version     integer NOT NULL,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (owner_id, seq)
);
CREATE INDEX changes_by_document ON library.changes (owner_id, document_id, seq);
CREATE INDEX changes_deleted ON library.changes (owner_id, document_id) WHERE op = 'deleted';

-- Changes that came from devices, by the id that the device gave them: one that is sent again gets the same answer. Holds no text.
CREATE TABLE library.received (
    owner_id    bigint NOT NULL REFERENCES accounts.users ON DELETE CASCADE,
    change_id   text NOT NULL,
    at          timestamptz NOT NULL DEFAULT now(),
    outcome     text,                               -- null only inside of the transaction that applies it
    document_id bigint,
    external_id text,
    copy_id     bigint,                             -- the second note, where both versions were kept
    PRIMARY KEY (owner_id, change_id)
);
CREATE INDEX received_by_age ON library.received (owner_id, at);

-- deletion for good ---------------------------------------------------------------------------------------------

-- Held alone while notes are deleted for good, and shared by whoever is about to write what was made of a note's text: what is under
-- way when a note goes is either written before and deleted with it, or finds it gone. Taken before any row is locked.
CREATE FUNCTION ai.lock_of_texts(p_owner bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT hashtextextended('texts', p_owner) $$;

-- Whether an answer's sources name one of the documents, also as a place where the same text stands.
CREATE FUNCTION ai.names_any(p_sources jsonb, p_documents bigint[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS
$$
    SELECT EXISTS (
        SELECT FROM jsonb_array_elements(p_sources) s
        WHERE (s ->> 'document_id')::bigint = ANY (p_documents)
           OR EXISTS (SELECT FROM jsonb_array_elements(coalesce(s -> 'also_in', '[]')) o
                      WHERE (o ->> 'document_id')::bigint = ANY (p_documents)))
$$;

-- An answer's sources without the documents' words; their numbers and ids stay.
CREATE FUNCTION ai.without_words(p_sources jsonb, p_documents bigint[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS
$$
    SELECT coalesce(jsonb_agg(
        CASE WHEN (s ->> 'document_id')::bigint = ANY (p_documents)
             THEN s || '{"title": "", "topic": null, "url": "", "open_url": null, "also_in": [], "deleted": true,
                         "passage": {"text": "", "start": 0, "end": 0}}'
             ELSE s || jsonb_build_object('also_in', (
                  SELECT coalesce(jsonb_agg(o), '[]') FROM jsonb_array_elements(coalesce(s -> 'also_in', '[]')) o
                  WHERE (o ->> 'document_id')::bigint <> ALL (p_documents)))
        END ORDER BY n), '[]')
    FROM jsonb_array_elements(p_sources) WITH ORDINALITY AS e (s, n)
$$;

-- An answer's text without the lines that rest on these sources; their markers stay, since citations are counted by them. A
-- bracket after a backslash is a quote's own and no marker.
CREATE FUNCTION ai.without_lines(p_text text, p_numbers integer[]) RETURNS text LANGUAGE sql IMMUTABLE AS
$$
    SELECT string_agg(
        CASE WHEN EXISTS (SELECT FROM regexp_matches(line, '(?<!\\)\[(\d{1,4})\]', 'g') m WHERE m[1]::integer = ANY (p_numbers))
             THEN coalesce(substring(line FROM '^\s*(?:[-*+] )?'), '') || '… '
                  || (SELECT string_agg(m[1], ' ') FROM regexp_matches(line, '(?<!\\)(\[\d{1,4}\])', 'g') m)
             ELSE line END, E'\n' ORDER BY n)
    FROM string_to_table(p_text, E'\n') WITH ORDINALITY AS l (line, n)
$$;

-- Take the documents' words out of answers: out of all that use them, or out of one.
CREATE FUNCTION ai.blank_quotes(p_documents bigint[], p_answer bigint DEFAULT NULL) RETURNS void LANGUAGE plpgsql
    SET search_path = ai, public, pg_temp AS
$$
DECLARE
    me bigint := public.current_owner();
    a record;
    numbers integer[];
    told text;
BEGIN
    FOR a IN SELECT id, sources FROM ai.answers
             WHERE owner_id = me AND (p_answer IS NULL OR id = p_answer) AND ai.names_any(sources, p_documents) FOR UPDATE
    LOOP
        numbers := ARRAY (SELECT (s ->> 'n')::integer FROM jsonb_array_elements(a.sources) s
                          WHERE (s ->> 'document_id')::bigint = ANY (p_documents));
        UPDATE ai.answers SET sources = ai.without_words(sources, p_documents), text = coalesce(ai.without_lines(text, numbers), '')
        WHERE owner_id = me AND id = a.id;
        UPDATE ai.citations SET quote = '', start_at = 0, end_at = 0
        WHERE owner_id = me AND answer_id = a.id AND document_id = ANY (p_documents);
        UPDATE ai.answer_events SET data = data || jsonb_build_object('sources', ai.without_words(data -> 'sources', p_documents))
        WHERE owner_id = me AND answer_id = a.id AND event = 'sources';
        UPDATE ai.answer_events SET data = data || '{"quote": "", "start": 0, "end": 0}'
        WHERE owner_id = me AND answer_id = a.id AND event = 'citation' AND (data ->> 'n')::integer = ANY (numbers);
        -- A line may have come in pieces: the first one now holds all that is left.
        SELECT ai.without_lines(string_agg(data ->> 'text', '' ORDER BY n), numbers) INTO told
        FROM ai.answer_events WHERE owner_id = me AND answer_id = a.id AND event = 'delta';
        UPDATE ai.answer_events e SET data = jsonb_build_object('text',
            CASE WHEN e.n = (SELECT min(f.n) FROM ai.answer_events f WHERE f.owner_id = me AND f.answer_id = a.id AND f.event = 'delta')
                 THEN told ELSE '' END)
        WHERE e.owner_id = me AND e.answer_id = a.id AND e.event = 'delta';
    END LOOP;
END
$$;

-- For an answer that has just ended: take out what notes said that were deleted for good while it was made. The caller holds the
-- lock of texts.
CREATE FUNCTION ai.blank_deleted(p_answer bigint) RETURNS void LANGUAGE plpgsql SET search_path = ai, public, pg_temp AS
$$
DECLARE gone bigint[];
BEGIN
    SELECT array_agg(c.document_id) INTO gone
    FROM ai.answers a, jsonb_array_elements(a.sources) s,
         LATERAL jsonb_array_elements(jsonb_build_array(s) || coalesce(s -> 'also_in', '[]')) o
         JOIN library.changes c ON c.op = 'deleted' AND c.document_id = (o ->> 'document_id')::bigint
    WHERE a.owner_id = public.current_owner() AND a.id = p_answer AND c.owner_id = a.owner_id;
    IF gone IS NOT NULL THEN
        PERFORM ai.blank_quotes(gone, p_answer);
    END IF;
END
$$;

-- All that the AI's side has of documents that are about to be deleted for good: quotes, passages with their postings, vectors and
-- sentences. Of earlier versions only the vectors are left, as unused ones, and nothing says whose they were: all unused ones go.
-- A definer function: who deletes a note holds no right on passages and vectors.
CREATE FUNCTION ai.forget_documents(p_documents bigint[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = ai, public, pg_temp AS
$$
DECLARE
    me bigint := public.current_owner();
    hashes uuid[];
    t record;
BEGIN
    PERFORM ai.blank_quotes(p_documents);
    hashes := ARRAY (SELECT DISTINCT hash FROM ai.passages WHERE owner_id = me AND document_id = ANY (p_documents));
    DELETE FROM ai.passages WHERE owner_id = me AND document_id = ANY (p_documents);
    FOR t IN SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = 'ai' AND c.relkind = 'r' AND (c.relname LIKE 'vectors\_%' OR c.relname = 'sentences')
    LOOP
        EXECUTE format('DELETE FROM ai.%I v WHERE v.owner_id = $1 AND v.hash = ANY ($2)
            AND NOT EXISTS (SELECT FROM ai.passages p WHERE p.owner_id = $1 AND p.hash = v.hash)', t.relname) USING me, hashes;
        EXECUTE format('DELETE FROM ai.%I v WHERE v.owner_id = $1 AND v.unused_since IS NOT NULL
            AND NOT EXISTS (SELECT FROM ai.passages p WHERE p.owner_id = $1 AND p.hash = v.hash)', t.relname) USING me;
    END LOOP;
END
$$;
REVOKE ALL ON FUNCTION ai.forget_documents FROM public;
GRANT EXECUTE ON FUNCTION ai.forget_documents TO cortex_app;
-- What was indexed in the last minute tells how fast it goes; what failed is shown.
CREATE INDEX indexed_by_time ON ai.indexed (owner_id, indexed_at);
CREATE INDEX indexed_failed ON ai.indexed (owner_id) WHERE failed IS NOT NULL;
CREATE INDEX sentences_unused ON ai.sentences (unused_since) WHERE unused_since IS NOT NULL;

-- walls ---------------------------------------------------------------------------------------------------------

DO $$
DECLARE t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['revisions', 'feeds', 'changes', 'received'] LOOP
        EXECUTE format('ALTER TABLE library.%I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY owned ON library.%I USING (owner_id = public.current_owner())
                        WITH CHECK (owner_id = public.current_owner())', t);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON library.%I TO cortex_app', t);
        EXECUTE format('GRANT SELECT ON library.%I TO cortex_ai', t);
    END LOOP;
END
$$;
-- A note's address holds its id, so the id is taken before the row is written.
GRANT USAGE ON SEQUENCE library.documents_id_seq TO cortex_app;
