-- One row per record. Rows are never deleted: a removed record has NULL fields. It can therefore be restored to its old
-- position, its id is never reused, and the rows contain all changes since a revision.
-- Every write has its own revision. A client that missed changes receives the rows with a later revision.
-- The fields are bytea: ciphertext, or text in UTF-8. The type text rejects U+0000.
-- Collation "C" gives the same order on every machine. Others may change with an update of the C library.
CREATE TABLE books (
  seq bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  "eName" bytea,
  email bytea,
  password bytea,
  revision bigint NOT NULL UNIQUE,
  CHECK (num_nulls("eName", email, password) IN (0, 3))
);

-- A transaction that writes records locks the single row, so that revisions are committed in order and without gaps.
-- places: the sequence of the latest created record.
-- floor: changes before this revision cannot be replayed; above zero after a restore.
-- epoch: identity of the database; a restore creates a new one.
-- home: location of the database when it was last opened (database-identity.ts); NULL before it is first opened.
-- keyProof: a known text encrypted with the records' key; NULL if the records are not encrypted.
CREATE TABLE register (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  revision bigint NOT NULL DEFAULT 0,
  places bigint NOT NULL DEFAULT 0,
  floor bigint NOT NULL DEFAULT 0,
  epoch text NOT NULL DEFAULT left(replace(gen_random_uuid()::text, '-', ''), 12),
  home text,
  "keyProof" bytea
);

INSERT INTO register DEFAULT VALUES;

CREATE TABLE accounts (
  uid text COLLATE "C" PRIMARY KEY,
  email text NOT NULL,
  "emailKey" text COLLATE "C" NOT NULL UNIQUE,
  "passwordHash" text NOT NULL,
  "createdAt" text COLLATE "C" NOT NULL
);

-- Times are milliseconds since 1970.
CREATE TABLE sessions (
  hash text COLLATE "C" PRIMARY KEY,
  uid text COLLATE "C" NOT NULL REFERENCES accounts (uid) ON DELETE CASCADE,
  "createdAt" bigint NOT NULL,
  "lastSeenAt" bigint NOT NULL
);

CREATE INDEX "sessionsOfAccount" ON sessions (uid);
