-- What lets an account back in that a colleague has removed. Deleted after 30 days, and when it is back.
CREATE TABLE "removedAccounts" (
  uid text COLLATE "C" PRIMARY KEY,
  email text NOT NULL,
  "emailKey" text COLLATE "C" NOT NULL,
  "passwordHash" text NOT NULL,
  "createdAt" text COLLATE "C" NOT NULL
);

-- people.id of who has removed the account, NULL for the operator; and of the colleague who has last made a reset link for it.
-- "resetLinkAt": milliseconds since 1970.
ALTER TABLE people
  ADD COLUMN "removedBy" integer,
  ADD COLUMN "resetLinkBy" integer,
  ADD COLUMN "resetLinkAt" bigint;
