-- The digests of the passwords that a record has had, as one text (server/storage/previous-passwords.ts), so that one that comes
-- back is recognized. first: when the first of them appeared in the record. Wiped with the fields of the record.
CREATE TABLE passwordDigests (
  seq INTEGER PRIMARY KEY,
  first INTEGER NOT NULL,
  digests TEXT NOT NULL
) STRICT;

INSERT INTO passwordDigests (seq, first, digests)
SELECT seq, min(revision), group_concat(digest || ' ' || revision || ' 0', char(10))
FROM (SELECT * FROM earlierPasswords ORDER BY seq, revision DESC) GROUP BY seq;

DROP TABLE earlierPasswords;

-- The secret fields that a change has replaced, until they are wiped: JSON, or a blob of ciphertext. revision, at, person: those of
-- the change; in order of time, so that the oldest are found. total: the bytes of all fields up to this row, also of rows that were deleted.
CREATE TABLE previousPasswords (
  revision INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  fields ANY NOT NULL,
  at INTEGER NOT NULL,
  person INTEGER,
  total INTEGER NOT NULL
) STRICT;
