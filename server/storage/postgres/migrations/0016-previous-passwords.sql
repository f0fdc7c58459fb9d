-- The passwords that a record has had and no longer has: one row for each. digest: recognizes one that comes back. since: the
-- revision at which it first appeared in the record; books."passwordRevision" is the same of the present one. revision, at, person:
-- those of the change that has replaced it. fields: the replaced secret fields, ciphertext, or JSON in UTF-8; NULL once they are
-- wiped. total: the bytes of all fields up to this row, also of rows that were wiped or deleted. Deleted when the record is wiped.
CREATE TABLE kept AS SELECT * FROM "previousPasswords";

DROP TABLE "previousPasswords";

CREATE TABLE "previousPasswords" (
  seq bigint NOT NULL,
  digest text COLLATE "C" NOT NULL,
  since bigint NOT NULL,
  revision bigint NOT NULL,
  at bigint,
  person integer,
  fields bytea,
  total bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (seq, revision)
);

-- books."passwordDigests" was a text of lines, the latest first: the digest, of which 12 characters count; since; and the revision
-- under which the text is kept: 0 if it never was, and nothing in the line of the present password. Which change has replaced a
-- password whose text was never kept is unknown: its revision is negative, in the order of since.
INSERT INTO "previousPasswords" (seq, digest, since, revision, at, person, fields, total)
SELECT line.seq, left(digest, 12), since::bigint, CASE "keptAt" WHEN '0' THEN since::bigint - 9007199254740991 ELSE "keptAt"::bigint END, at, person, fields,
  coalesce(total, 0)
FROM (
  SELECT seq, split_part(line, ' ', 1) AS digest, split_part(line, ' ', 2) AS since, split_part(line, ' ', 3) AS "keptAt"
  FROM books, unnest(string_to_array("passwordDigests", chr(10))) AS line
) AS line LEFT JOIN kept ON kept.revision::text = "keptAt" AND kept.seq = line.seq
WHERE "keptAt" <> ''
ON CONFLICT DO NOTHING;

DROP TABLE kept;

-- Finds the oldest texts.
CREATE INDEX "keptPasswords" ON "previousPasswords" (revision) WHERE fields IS NOT NULL;

ALTER TABLE books DROP COLUMN "passwordDigests";

-- Stops older servers that are still running: they would look for the column.
UPDATE register SET epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
