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

-- How an account was created. invitation: its public id; NULL if it needed none. "invitedBy": people.id of its maker; NULL for the
-- operator. "invitedFor": the only email that could use it; NULL for any.
ALTER TABLE people ADD COLUMN invitation text, ADD COLUMN "invitedBy" integer, ADD COLUMN "invitedFor" text;

-- invitation: its public id. records: the sequences of a batch, as ranges: '1-3,5'.
ALTER TABLE activity ADD COLUMN invitation text, ADD COLUMN records text;

-- Stops older servers that are still running: they would not remember the passwords that they replace.
UPDATE register SET epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
