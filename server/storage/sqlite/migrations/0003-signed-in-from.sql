-- Addresses from which an account has signed in. They are exempt from the account's limit of failed sign-ins.
-- hash: SHA-256 of the address and the account's email. lastAt: milliseconds since 1970.
CREATE TABLE signedInFrom (
  hash TEXT NOT NULL PRIMARY KEY,
  uid TEXT NOT NULL REFERENCES accounts (uid) ON DELETE CASCADE,
  lastAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX signedInFromOfAccount ON signedInFrom (uid, lastAt);
