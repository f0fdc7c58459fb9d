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

-- How an account was created. invitation: its public id; NULL if it needed none. invitedBy: people.id of its maker; NULL for the
-- operator. invitedFor: the only email that could use it; NULL for any.
ALTER TABLE people ADD COLUMN invitation TEXT;
ALTER TABLE people ADD COLUMN invitedBy INTEGER;
ALTER TABLE people ADD COLUMN invitedFor TEXT;

-- invitation: its public id. records: the sequences of a batch, as ranges: '1-3,5'.
ALTER TABLE activity ADD COLUMN invitation TEXT;
ALTER TABLE activity ADD COLUMN records TEXT;
