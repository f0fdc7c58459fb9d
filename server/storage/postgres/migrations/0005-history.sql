-- Everyone who has, or had, an account. id: short, because changes refer to it. "removedAt": milliseconds since 1970.
-- "removedRevision": that of the register when the account was removed. Both are NULL while there is the account.
CREATE TABLE people (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uid text COLLATE "C" NOT NULL UNIQUE,
  email text NOT NULL,
  "createdAt" text COLLATE "C" NOT NULL,
  "removedAt" bigint,
  "removedRevision" bigint
);

INSERT INTO people (uid, email, "createdAt") SELECT uid, email, "createdAt" FROM accounts ORDER BY "createdAt", uid;

-- Times are milliseconds since 1970; what happened before this migration is NULL. "changedBy": people.id; NULL for the operator.
-- "passwordRevision", "passwordAt": when the text of the password last changed.
ALTER TABLE books
  ADD COLUMN "changedAt" bigint,
  ADD COLUMN "changedBy" integer,
  ADD COLUMN "passwordRevision" bigint,
  ADD COLUMN "passwordAt" bigint;

-- The fields of removed records, as they were in books, until they are wiped. revision: that of the removal.
CREATE TABLE deleted (
  revision bigint PRIMARY KEY,
  "eName" bytea NOT NULL,
  email bytea NOT NULL,
  password bytea NOT NULL
);

-- Who did what. No field of a record. at: milliseconds since 1970. person, subject: people.id; person is NULL for the operator.
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
