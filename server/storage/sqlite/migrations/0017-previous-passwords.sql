-- The passwords that a record has had and no longer has: one row for each. digest: recognizes one that comes back. since: the
-- revision at which it first appeared in the record; books.passwordRevision is the same of the present one. revision, at, person:
-- those of the change that has replaced it. fields: the replaced secret fields, JSON or a blob of ciphertext; NULL once they are
-- wiped. total: the bytes of all fields up to this row, also of rows that were wiped or deleted. Deleted when the record is wiped.
ALTER TABLE previousPasswords RENAME TO keptPasswords;

CREATE TABLE previousPasswords (
  seq INTEGER NOT NULL,
  digest TEXT NOT NULL,
  since INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  at INTEGER,
  person INTEGER,
  fields ANY,
  total INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (seq, revision)
) STRICT, WITHOUT ROWID;

-- books.passwordDigests was a text of lines, the latest first: the digest, of which 12 characters count; since; and the revision
-- under which the text is kept: 0 if it never was, and nothing in the line of the present password. Which change has replaced a
-- password whose text was never kept is unknown: its revision is negative, in the order of since.
INSERT OR IGNORE INTO previousPasswords (seq, digest, since, revision, at, person, fields, total)
WITH halves (seq, digest, numbers) AS (
  SELECT seq, substr(value, 1, min(12, instr(value, ' ') - 1)), substr(value, instr(value, ' ') + 1)
  FROM books, json_each('["' || replace(passwordDigests, char(10), '","') || '"]')
), words (seq, digest, since, keptAt) AS (
  SELECT seq, digest, substr(numbers, 1, instr(numbers, ' ') - 1), substr(numbers, instr(numbers, ' ') + 1) FROM halves
)
SELECT words.seq, digest, CAST(since AS INTEGER), iif(keptAt = '0', CAST(since AS INTEGER) - 9007199254740991, CAST(keptAt AS INTEGER)), at, person, fields,
  coalesce(total, 0)
FROM words LEFT JOIN keptPasswords AS kept ON kept.revision = CAST(keptAt AS INTEGER) AND kept.seq = words.seq
WHERE keptAt <> '';

DROP TABLE keptPasswords;

-- Finds the oldest texts.
CREATE INDEX keptPasswords ON previousPasswords (revision) WHERE fields IS NOT NULL;

ALTER TABLE books DROP COLUMN passwordDigests;
