-- What lets an account back in that a colleague has removed. Deleted after 30 days, and when it is back.
CREATE TABLE removedAccounts (
  uid TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL,
  emailKey TEXT NOT NULL,
  passwordHash TEXT NOT NULL,
  createdAt TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- people.id of who has removed the account, NULL for the operator; and of the colleague who has last made a reset link for it.
-- resetLinkAt: milliseconds since 1970.
ALTER TABLE people ADD COLUMN removedBy INTEGER;
ALTER TABLE people ADD COLUMN resetLinkBy INTEGER;
ALTER TABLE people ADD COLUMN resetLinkAt INTEGER;
