-- Everyone who has, or had, an account. id: short, because changes refer to it. removedAt: milliseconds since 1970.
-- removedRevision: that of the register when the account was removed. Both are NULL while there is the account.
CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  removedAt INTEGER,
  removedRevision INTEGER
) STRICT;

INSERT INTO people (uid, email, createdAt) SELECT uid, email, createdAt FROM accounts ORDER BY createdAt, uid;

-- Times are milliseconds since 1970; what happened before this migration is NULL. changedBy: people.id; NULL for the operator.
-- passwordRevision, passwordAt: when the text of the password last changed.
ALTER TABLE books ADD COLUMN changedAt INTEGER;
ALTER TABLE books ADD COLUMN changedBy INTEGER;
ALTER TABLE books ADD COLUMN passwordRevision INTEGER;
ALTER TABLE books ADD COLUMN passwordAt INTEGER;

-- The fields of removed records, as they were in books, until they are wiped. revision: that of the removal.
CREATE TABLE deleted (
  revision INTEGER PRIMARY KEY,
  eName ANY NOT NULL,
  email ANY NOT NULL,
  password ANY NOT NULL
) STRICT;

-- Who did what. No field of a record. at: milliseconds since 1970. person, subject: people.id; person is NULL for the operator.
CREATE TABLE activity (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  person INTEGER,
  seq INTEGER,
  revision INTEGER,
  subject INTEGER,
  count INTEGER
) STRICT;
