-- One row per record. Rows are never deleted: a removed record has NULL fields. It can therefore be restored to its old
-- position, its id is never reused, and the rows contain all changes since a revision. Because seq is never reused
-- either, AUTOINCREMENT is not needed, which would write one more page.
-- Every write has its own revision. It has no index: the latest is queried only at start, and an index would cost each
-- write one more page.
-- The fields have the type ANY: text, or a blob of ciphertext.
CREATE TABLE books (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  eName ANY,
  email ANY,
  password ANY,
  revision INTEGER NOT NULL,
  CHECK ((eName IS NULL) = (email IS NULL) AND (email IS NULL) = (password IS NULL))
) STRICT;

CREATE INDEX removals ON books (revision) WHERE eName IS NULL;

-- floor: changes before this revision cannot be replayed; above zero after a restore.
-- epoch: identity of the database; a restore creates a new one.
CREATE TABLE register (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  floor INTEGER NOT NULL,
  epoch TEXT NOT NULL
) STRICT;

INSERT INTO register (only, floor, epoch) VALUES (1, 0, lower(hex(randomblob(6))));

CREATE TABLE accounts (
  uid TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL,
  emailKey TEXT NOT NULL UNIQUE,
  passwordHash TEXT NOT NULL,
  createdAt TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Times are milliseconds since 1970.
CREATE TABLE sessions (
  hash TEXT NOT NULL PRIMARY KEY,
  uid TEXT NOT NULL REFERENCES accounts (uid) ON DELETE CASCADE,
  createdAt INTEGER NOT NULL,
  lastSeenAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessionsOfAccount ON sessions (uid);
