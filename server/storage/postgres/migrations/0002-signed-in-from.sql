-- Where accounts were signed in from, so that a stranger's guesses elsewhere lock nobody out there. The hash is one of
-- the address together with the account's email; "lastAt" is in milliseconds since 1970.
CREATE TABLE "signedInFrom" (
  hash text COLLATE "C" PRIMARY KEY,
  uid text COLLATE "C" NOT NULL REFERENCES accounts (uid) ON DELETE CASCADE,
  "lastAt" bigint NOT NULL
);

CREATE INDEX "signedInFromOfAccount" ON "signedInFrom" (uid, "lastAt");
