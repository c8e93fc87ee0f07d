-- Documents that a question without a scope does not find. Seldom any: to know that there is none must cost nothing.

CREATE INDEX documents_hidden ON library.documents (owner_id) WHERE trashed_at IS NOT NULL OR origin <> 'person';
