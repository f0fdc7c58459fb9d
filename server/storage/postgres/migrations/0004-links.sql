-- One-time links. hash: SHA-256 of the token. Times are milliseconds since 1970.
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

INSERT INTO "lastSeen" (uid, at) SELECT uid, max("lastSeenAt") FROM sessions GROUP BY uid;
