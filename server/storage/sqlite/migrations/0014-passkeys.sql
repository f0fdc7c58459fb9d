-- Public keys that sign in. id: of the credential; publicKey: in COSE; both in base64url. Times are milliseconds since 1970.
-- uid: the account, also one that was removed while it can be let back in.
CREATE TABLE passkeys (
  id TEXT NOT NULL PRIMARY KEY,
  uid TEXT NOT NULL,
  name TEXT NOT NULL,
  publicKey TEXT NOT NULL,
  counter INTEGER NOT NULL,
  isBackedUp INTEGER NOT NULL,
  createdAt INTEGER NOT NULL,
  lastUsedAt INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX passkeysOfAccount ON passkeys (uid);

-- Challenges that were answered, so that each is answered once.
CREATE TABLE answeredChallenges (
  nonce TEXT NOT NULL PRIMARY KEY,
  expiresAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The key with which servers recognize their challenges.
ALTER TABLE register ADD COLUMN challengeKey TEXT NOT NULL DEFAULT '';

UPDATE register SET challengeKey = lower(hex(randomblob(32)));
