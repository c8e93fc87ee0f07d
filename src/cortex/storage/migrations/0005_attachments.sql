-- Attachments of notes. Their bytes are files in the data folder, named by their hash; here is what is known of them.

-- One row for each content. The text of a PDF or an Office file is a document of its own (source `notes`), so that its passages,
-- citations and page are like any other's.
CREATE TABLE library.attachments (
    owner_id    bigint NOT NULL,
    hash        bytea NOT NULL CHECK (octet_length(hash) = 32),     -- sha256 of the bytes, and the file's name
    document_id bigint,                                             -- its text, where it was read
    name        text NOT NULL,                                      -- as the first note that has it calls it
    media_type  text NOT NULL,                                      -- read from the bytes
    size        bigint NOT NULL,
    width       integer,                                            -- of a picture, as it is shown
    height      integer,
    text_state  text NOT NULL CHECK (text_state IN ('none', 'waiting', 'read', 'failed')),
    problem     text,                                               -- why its text could not be read
    created_at  timestamptz NOT NULL DEFAULT now(),
    unlinked_at timestamptz,                                        -- since when no note has it
    PRIMARY KEY (owner_id, hash),
    FOREIGN KEY (owner_id, document_id) REFERENCES library.documents ON DELETE SET NULL (document_id)
);
CREATE INDEX attachments_by_document ON library.attachments (owner_id, document_id) WHERE document_id IS NOT NULL;
CREATE INDEX attachments_unlinked ON library.attachments (owner_id, unlinked_at) WHERE unlinked_at IS NOT NULL;
CREATE INDEX attachments_waiting ON library.attachments (owner_id) WHERE text_state = 'waiting';

-- Which note has which, under which name. document_id is the note.
CREATE TABLE library.note_attachments (
    owner_id    bigint NOT NULL,
    document_id bigint NOT NULL,
    hash        bytea NOT NULL,
    name        text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (owner_id, document_id, hash),
    FOREIGN KEY (owner_id, document_id) REFERENCES library.documents ON DELETE CASCADE,
    FOREIGN KEY (owner_id, hash) REFERENCES library.attachments
);
CREATE INDEX note_attachments_by_hash ON library.note_attachments (owner_id, hash);

-- One file may be several owners': which of these files somebody still has. It tells no more than that.
CREATE FUNCTION library.attachments_kept(p_hashes bytea[]) RETURNS SETOF bytea LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = library, pg_temp AS
$$ SELECT DISTINCT hash FROM library.attachments WHERE hash = ANY (p_hashes) $$;
REVOKE ALL ON FUNCTION library.attachments_kept FROM public;
GRANT EXECUTE ON FUNCTION library.attachments_kept TO cortex_app;

ALTER TABLE library.attachments ENABLE ROW LEVEL SECURITY;
CREATE POLICY owned ON library.attachments USING (owner_id = public.current_owner()) WITH CHECK (owner_id = public.current_owner());
ALTER TABLE library.note_attachments ENABLE ROW LEVEL SECURITY;
CREATE POLICY owned ON library.note_attachments USING (owner_id = public.current_owner()) WITH CHECK (owner_id = public.current_owner());
GRANT SELECT, INSERT, UPDATE, DELETE ON library.attachments, library.note_attachments TO cortex_app;
GRANT SELECT ON library.attachments, library.note_attachments TO cortex_ai;
