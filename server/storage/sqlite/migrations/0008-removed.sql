-- A removed record keeps its fields in its row until they are wiped, so that a delete copies nothing. Removed and NULL fields:
-- wiped. Each removed record is in one of two indexes, so that a delete writes one entry, and the kept fields can be counted
-- and the oldest found without reading the wiped. The latest of both are merged from the two (EXPLAIN QUERY PLAN).
ALTER TABLE books ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;

UPDATE books SET removed = 1 WHERE eName IS NULL;

UPDATE books SET eName = deleted.eName, email = deleted.email, password = deleted.password
FROM deleted WHERE books.revision = deleted.revision AND books.eName IS NULL;

DROP TABLE deleted;

CREATE INDEX restorable ON books (revision) WHERE removed AND eName IS NOT NULL;
