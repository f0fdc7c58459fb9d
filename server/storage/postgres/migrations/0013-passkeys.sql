-- Public keys that sign in. id: of the credential; "publicKey": in COSE; both in base64url. Times are milliseconds since 1970.
-- uid: the account, also one that was removed while it can be let back in.
CREATE TABLE passkeys (
  id text COLLATE "C" PRIMARY KEY,
  uid text COLLATE "C" NOT NULL,
  name text NOT NULL,
  "publicKey" text COLLATE "C" NOT NULL,
  counter bigint NOT NULL,
  "isBackedUp" integer NOT NULL,
  "createdAt" bigint NOT NULL,
  "lastUsedAt" bigint
);

CREATE INDEX "passkeysOfAccount" ON passkeys (uid);

-- Challenges that were answered, so that each is answered once.
CREATE TABLE "answeredChallenges" (
  nonce text COLLATE "C" PRIMARY KEY,
  "expiresAt" bigint NOT NULL
);

-- The key with which servers recognize their challenges.
ALTER TABLE register ADD COLUMN "challengeKey" text NOT NULL DEFAULT '';

-- A new epoch stops older servers that are still running: their reset links would leave passkeys.
UPDATE register SET
  "challengeKey" = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
