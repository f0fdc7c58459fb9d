-- One row per record, for ever: a removed record keeps its row with its fields NULL, so that it can come back in its
-- old place, its id is never used again, and the order of writes can be told from the rows alone.
-- Every write has a revision of its own; whoever was away reads the rows of a later one.
-- The fields are bytes: sealed, or text in UTF-8, which the type text would refuse where it holds U+0000.
-- Collation "C" orders alike on every machine; another may not after an update of its C library.
CREATE TABLE books (
  seq bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  "eName" bytea,
  email bytea,
  password bytea,
  revision bigint NOT NULL UNIQUE,
  CHECK (num_nulls("eName", email, password) IN (0, 3))
);

-- Its one row is locked by whoever writes records, so that revisions are committed in their order and without gaps.
-- places: how many places in the order of creation were given.
-- floor: changes before this revision cannot be told one by one; it is above zero after a restore.
-- epoch: differs between any two registers that could have the same revision.
-- home: where this register was made or last began anew; NULL before it was first opened.
-- keyProof: a known text, sealed with the key of the records; NULL where they are plain.
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
