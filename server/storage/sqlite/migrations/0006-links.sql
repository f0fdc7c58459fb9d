-- One-time links. hash: SHA-256 of the token. Times are milliseconds since 1970.
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

INSERT INTO lastSeen (uid, at) SELECT uid, max(lastSeenAt) FROM sessions GROUP BY uid;
