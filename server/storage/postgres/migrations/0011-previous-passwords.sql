-- The digests of the passwords that a record has had, as one text (server/storage/previous-passwords.ts), so that one that comes
-- back is recognized. first: when the first of them appeared in the record. Wiped with the fields of the record.
CREATE TABLE "passwordDigests" (
  seq bigint PRIMARY KEY,
  first bigint NOT NULL,
  digests text NOT NULL
);

INSERT INTO "passwordDigests" (seq, first, digests)
SELECT seq, min(revision), string_agg(digest || ' ' || revision || ' 0', chr(10) ORDER BY revision DESC)
FROM "earlierPasswords" GROUP BY seq;

DROP TABLE "earlierPasswords";

-- The secret fields that a change has replaced, until they are wiped: ciphertext, or JSON in UTF-8. revision, at, person: those of
-- the change; in order of time, so that the oldest are found. total: the bytes of all fields up to this row, also of rows that were deleted.
CREATE TABLE "previousPasswords" (
  revision bigint PRIMARY KEY,
  seq bigint NOT NULL,
  fields bytea NOT NULL,
  at bigint NOT NULL,
  person integer,
  total bigint NOT NULL
);

-- Stops older servers that are still running: they would not keep the passwords that they replace.
UPDATE register SET epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
