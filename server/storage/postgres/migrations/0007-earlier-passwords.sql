-- Passwords that a record no longer has, as digests, so that one that comes back is recognized. revision: when the text first
-- appeared in the record; books."passwordRevision" is the same of its password. Wiped with the fields of the record.
CREATE TABLE "earlierPasswords" (
  seq bigint NOT NULL,
  digest text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (seq, digest)
);

-- The key of these digests: ciphertext, or text in UTF-8. NULL until the next start.
ALTER TABLE register ADD COLUMN "passwordKey" bytea;

-- Stops older servers that are still running: they would not remember the passwords that they replace.
UPDATE register SET epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
