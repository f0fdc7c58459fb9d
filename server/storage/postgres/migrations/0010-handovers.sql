-- Links that show one credential once. hash: SHA-256 of the token. Times are milliseconds since 1970. seq: the record.
-- uid: the account that has made it; sealed: the fields, encrypted with a key that only the link has. Both are NULL once it is opened.
CREATE TABLE handovers (
  hash text COLLATE "C" PRIMARY KEY,
  seq bigint NOT NULL,
  uid text COLLATE "C" REFERENCES accounts (uid) ON DELETE CASCADE,
  sealed text COLLATE "C",
  "createdAt" bigint NOT NULL,
  "expiresAt" bigint NOT NULL,
  "openedAt" bigint
);

CREATE INDEX "handoversOfRecord" ON handovers (seq);
CREATE INDEX "handoversOfAccount" ON handovers (uid);

-- Stops older servers that are still running: their password changes would leave links open.
UPDATE register SET epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
