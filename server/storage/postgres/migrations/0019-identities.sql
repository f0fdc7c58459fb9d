-- Which account signs in by single sign-on as whom. subject: who somebody is to the issuer, whatever their email is. uid: the account,
-- also a removed one, so that nobody who was removed comes back as somebody new. Times are milliseconds since 1970.
CREATE TABLE identities (
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  uid text COLLATE "C" NOT NULL,
  "createdAt" bigint NOT NULL,
  "lastUsedAt" bigint NOT NULL,
  PRIMARY KEY (issuer, subject)
);

CREATE INDEX "identitiesOfAccount" ON identities (uid);

-- Stops older servers that are still running: they would let people sign in by password where that is switched off.
UPDATE register SET epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
