-- The schema of version 1.0.0. SQLite keeps the text of the statements, and a check compares it: some columns are written as the
-- migrations before 1.0.0 added them. Times are milliseconds since 1970.

-- One row per record. Rows are never deleted, so a removed record can be restored to its old position, its id is never reused, and
-- the rows contain all changes since a revision. Because seq is never reused either, AUTOINCREMENT is not needed, which would write
-- one more page. A removed record keeps its fields in its row until they are wiped. Removed and NULL fields: wiped.
-- Every write has its own revision. It has no index: the latest is queried only at start, and an index would cost each
-- write one more page.
-- The fields have the type ANY: text, or a blob of ciphertext.
-- digest: of the request that added the record, if it had an idempotency key: a later one with the same key must be the same. It
-- contains the key, which is not stored, and if the records are encrypted, their key.
-- What happened before there was a history is NULL. changedBy: people.id; NULL for the operator.
-- passwordRevision, passwordAt: when the text of the password last changed.
CREATE TABLE books (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  eName ANY,
  email ANY,
  password ANY,
  revision INTEGER NOT NULL, digest TEXT, changedAt INTEGER, changedBy INTEGER, passwordRevision INTEGER, passwordAt INTEGER, removed INTEGER NOT NULL DEFAULT 0,
  CHECK ((eName IS NULL) = (email IS NULL) AND (email IS NULL) = (password IS NULL))
) STRICT;

-- Each removed record is in one of two indexes, so that a delete writes one entry, and the kept fields can be counted and the oldest
-- found without reading the wiped. The latest of both are merged from the two (EXPLAIN QUERY PLAN).
CREATE INDEX removals ON books (revision) WHERE eName IS NULL;
CREATE INDEX restorable ON books (revision) WHERE removed AND eName IS NOT NULL;

-- floor: changes before this revision cannot be replayed; above zero after a restore.
-- epoch: identity of the database; a restore creates a new one.
-- keyProof: a known text encrypted with the records' key; NULL if the records are not encrypted.
-- checksum: in a backup, HMAC of its content with a key derived from the records' key. NULL in the database itself.
CREATE TABLE register (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  floor INTEGER NOT NULL,
  epoch TEXT NOT NULL
, keyProof BLOB, checksum BLOB) STRICT;

INSERT INTO register (only, floor, epoch) VALUES (1, 0, lower(hex(randomblob(6))));

CREATE TABLE accounts (
  uid TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL,
  emailKey TEXT NOT NULL UNIQUE,
  passwordHash TEXT NOT NULL,
  createdAt TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  hash TEXT NOT NULL PRIMARY KEY,
  uid TEXT NOT NULL REFERENCES accounts (uid) ON DELETE CASCADE,
  createdAt INTEGER NOT NULL,
  lastSeenAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessionsOfAccount ON sessions (uid);

-- Addresses from which an account has signed in. They are exempt from the account's limit of failed sign-ins.
-- hash: SHA-256 of the address and the account's email.
CREATE TABLE signedInFrom (
  hash TEXT NOT NULL PRIMARY KEY,
  uid TEXT NOT NULL REFERENCES accounts (uid) ON DELETE CASCADE,
  lastAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX signedInFromOfAccount ON signedInFrom (uid, lastAt);

-- One-time links. hash: SHA-256 of the token.
-- uid: the account that has made it; NULL for the operator. email: the only one that may use it, or NULL.
CREATE TABLE invitations (
  hash TEXT NOT NULL PRIMARY KEY,
  uid TEXT REFERENCES accounts (uid) ON DELETE CASCADE,
  email TEXT,
  expiresAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX invitationsOfAccount ON invitations (uid);

CREATE TABLE resetLinks (
  uid TEXT NOT NULL PRIMARY KEY REFERENCES accounts (uid) ON DELETE CASCADE,
  hash TEXT NOT NULL UNIQUE,
  expiresAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- When an account last had a request, also after its sessions have ended.
CREATE TABLE lastSeen (
  uid TEXT NOT NULL PRIMARY KEY REFERENCES accounts (uid) ON DELETE CASCADE,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Everyone who has, or had, an account. id: short, because changes refer to it.
-- removedRevision: that of the register when the account was removed. It and removedAt are NULL while there is the account.
CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  removedAt INTEGER,
  removedRevision INTEGER
) STRICT;

-- Who did what. No field of a record. person, subject: people.id; person is NULL for the operator.
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
