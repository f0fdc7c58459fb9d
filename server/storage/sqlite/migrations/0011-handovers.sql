-- Links that show one credential once. hash: SHA-256 of the token. Times are milliseconds since 1970. seq: the record.
-- uid: the account that has made it; sealed: the fields, encrypted with a key that only the link has. Both are NULL once it is opened.
CREATE TABLE handovers (
  hash TEXT NOT NULL PRIMARY KEY,
  seq INTEGER NOT NULL,
  uid TEXT REFERENCES accounts (uid) ON DELETE CASCADE,
  sealed TEXT,
  createdAt INTEGER NOT NULL,
  expiresAt INTEGER NOT NULL,
  openedAt INTEGER
) STRICT;

CREATE INDEX handoversOfRecord ON handovers (seq);
CREATE INDEX handoversOfAccount ON handovers (uid);
