-- One row per record, for ever: a removed record keeps its row with its fields NULL, so that it can come back in its
-- old place, its id is never used again, and the order of writes can be told from the rows alone.
-- No row is ever deleted, so no place is given twice, and AUTOINCREMENT, which writes a page more, is not needed.
-- Every write has a revision of its own. It has no index: the latest is looked for at start alone, and an index would
-- cost every write a page more.
-- The fields have type ANY: text, or a sealed blob where the register is encrypted.
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

-- floor: changes before this revision cannot be told one by one; it is above zero after a restore.
-- epoch: differs between any two registers that could have the same revision.
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
