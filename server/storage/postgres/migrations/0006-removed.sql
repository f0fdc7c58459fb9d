-- A removed record keeps its fields in its row until they are wiped. Removed and NULL fields: wiped. The index finds the kept
-- ones without reading the others.
ALTER TABLE books ADD COLUMN removed boolean NOT NULL DEFAULT false;

UPDATE books SET removed = true, "eName" = kept."eName", email = kept.email, password = kept.password
FROM books AS stored LEFT JOIN deleted AS kept USING (revision)
WHERE stored.seq = books.seq AND stored."eName" IS NULL;

DROP TABLE deleted;

CREATE INDEX restorable ON books (revision) WHERE removed AND "eName" IS NOT NULL;

-- Stops older servers that are still running: they would show kept fields as a record.
UPDATE register SET epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
