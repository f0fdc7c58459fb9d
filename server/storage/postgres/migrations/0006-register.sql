-- The schema of version 1.0.0. Times are milliseconds since 1970.

-- One row per record. Rows are never deleted, so a removed record can be restored to its old position, its id is never reused, and
-- the rows contain all changes since a revision. A removed record keeps its fields in its row until they are wiped. Removed and
-- NULL fields: wiped.
-- Every write has its own revision. A client that missed changes receives the rows with a later revision.
-- The fields are bytea: ciphertext, or text in UTF-8. The type text rejects U+0000.
-- Collation "C" gives the same order on every machine. Others may change with an update of the C library.
-- digest: of the request that added the record, if it had an idempotency key: a later one with the same key must be the same. It
-- contains the key, which is not stored, and if the records are encrypted, their key.
-- What happened before there was a history is NULL. "changedBy": people.id; NULL for the operator.
-- "passwordRevision", "passwordAt": when the text of the password last changed.
CREATE TABLE books (
  seq bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  "eName" bytea,
  email bytea,
  password bytea,
  revision bigint NOT NULL UNIQUE,
  digest text COLLATE "C",
  "changedAt" bigint,
  "changedBy" integer,
  "passwordRevision" bigint,
  "passwordAt" bigint,
  removed boolean NOT NULL DEFAULT false,
  CHECK (num_nulls("eName", email, password) IN (0, 3))
);

-- Finds the removed records whose fields are kept, without reading the others.
CREATE INDEX restorable ON books (revision) WHERE removed AND "eName" IS NOT NULL;

-- A transaction that writes records locks the single row, so that revisions are committed in order and without gaps.
-- places: the sequence of the latest created record.
-- floor: changes before this revision cannot be replayed; above zero after a restore.
-- epoch: identity of the database; a restore creates a new one. Some migrations do too: it stops older servers that are running.
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

CREATE TABLE sessions (
  hash text COLLATE "C" PRIMARY KEY,
  uid text COLLATE "C" NOT NULL REFERENCES accounts (uid) ON DELETE CASCADE,
  "createdAt" bigint NOT NULL,
  "lastSeenAt" bigint NOT NULL
);

CREATE INDEX "sessionsOfAccount" ON sessions (uid);

-- Addresses from which an account has signed in. They are exempt from the account's limit of failed sign-ins.
-- hash: SHA-256 of the address and the account's email.
CREATE TABLE "signedInFrom" (
  hash text COLLATE "C" PRIMARY KEY,
  uid text COLLATE "C" NOT NULL REFERENCES accounts (uid) ON DELETE CASCADE,
  "lastAt" bigint NOT NULL
);

CREATE INDEX "signedInFromOfAccount" ON "signedInFrom" (uid, "lastAt");

-- One-time links. hash: SHA-256 of the token.
-- uid: the account that has made it; NULL for the operator. email: the only one that may use it, or NULL.
CREATE TABLE invitations (
  hash text COLLATE "C" PRIMARY KEY,
  uid text COLLATE "C" REFERENCES accounts (uid) ON DELETE CASCADE,
  email text,
  "expiresAt" bigint NOT NULL
);

CREATE INDEX "invitationsOfAccount" ON invitations (uid);

CREATE TABLE "resetLinks" (
  uid text COLLATE "C" PRIMARY KEY REFERENCES accounts (uid) ON DELETE CASCADE,
  hash text COLLATE "C" NOT NULL UNIQUE,
  "expiresAt" bigint NOT NULL
);

-- When an account last had a request, also after its sessions have ended. Not a column of accounts: recording a request
-- would lock session and account in the opposite order of a password change.
CREATE TABLE "lastSeen" (
  uid text COLLATE "C" PRIMARY KEY REFERENCES accounts (uid) ON DELETE CASCADE,
  at bigint NOT NULL
);

-- Everyone who has, or had, an account. id: short, because changes refer to it.
-- "removedRevision": that of the register when the account was removed. It and "removedAt" are NULL while there is the account.
CREATE TABLE people (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uid text COLLATE "C" NOT NULL UNIQUE,
  email text NOT NULL,
  "createdAt" text COLLATE "C" NOT NULL,
  "removedAt" bigint,
  "removedRevision" bigint
);

-- Who did what. No field of a record. person, subject: people.id; person is NULL for the operator.
CREATE TABLE activity (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  kind text NOT NULL,
  person integer,
  seq bigint,
  revision bigint,
  subject integer,
  count integer
);
