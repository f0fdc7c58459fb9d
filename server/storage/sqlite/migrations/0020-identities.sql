-- Which account signs in by single sign-on as whom. subject: who somebody is to the issuer, whatever their email is. uid: the account,
-- also a removed one, so that nobody who was removed comes back as somebody new. Times are milliseconds since 1970.
CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  uid TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  lastUsedAt INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX identitiesOfAccount ON identities (uid);
