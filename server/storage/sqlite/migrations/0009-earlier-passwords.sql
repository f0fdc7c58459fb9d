-- Passwords that a record no longer has, as digests, so that one that comes back is recognized. revision: when the text first
-- appeared in the record; books.passwordRevision is the same of its password. Wiped with the fields of the record.
CREATE TABLE earlierPasswords (
  seq INTEGER NOT NULL,
  digest TEXT NOT NULL,
  revision INTEGER NOT NULL,
  PRIMARY KEY (seq, digest)
) STRICT, WITHOUT ROWID;

-- The key of these digests: text, or a blob of ciphertext. NULL until the next start.
ALTER TABLE register ADD COLUMN passwordKey ANY;
