-- topic: the number of the kind's topic (server/storage/activity.ts), by which the log is read. browser: "Firefox on Linux".
ALTER TABLE activity ADD COLUMN topic INTEGER NOT NULL DEFAULT 0;
ALTER TABLE activity ADD COLUMN browser TEXT;

UPDATE activity SET topic = CASE
  WHEN kind IN ('add', 'change', 'delete', 'restore', 'batch-change', 'batch-delete', 'batch-restore') THEN 1
  WHEN kind IN ('reported-reveal', 'reported-copy') THEN 2
  WHEN kind IN ('hand-over', 'revoke-hand-over') THEN 3
  WHEN kind = 'open-hand-over' THEN 4
  WHEN kind IN ('sign-up', 'invite', 'revoke-invitation', 'accept-invitation', 'remove-account', 'let-in-account', 'add-account') THEN 5
  WHEN kind IN ('create-reset-link', 'use-reset-link', 'change-password', 'add-passkey', 'remove-passkey', 'reset-password', 'revoke-sessions') THEN 6
  WHEN kind IN ('reported-export', 'export', 'backup', 'restore-backup') THEN 8
  WHEN kind = 'batch-add' THEN 9
  ELSE 10
END;

CREATE INDEX activityOfTopic ON activity (topic, id);
CREATE INDEX activityOfPerson ON activity (person, topic, id);

-- The browsers that have signed in to an account, also those whose sessions have ended; '' for those without a name.
CREATE TABLE seenBrowsers (
  uid TEXT NOT NULL REFERENCES accounts (uid) ON DELETE CASCADE,
  browser TEXT NOT NULL,
  PRIMARY KEY (uid, browser)
) STRICT, WITHOUT ROWID;

INSERT INTO seenBrowsers SELECT DISTINCT uid, coalesce(browser, '') FROM sessions;

-- The entry that counts the refused sign-ins of an account in an hour, which is counted from 1970. account: people.id.
CREATE TABLE refusedSignIns (
  account INTEGER PRIMARY KEY,
  hour INTEGER NOT NULL,
  entry INTEGER NOT NULL
) STRICT;

-- What somebody is to be told once. entry: activity.id. person: people.id. session: the hash of the session that is not told of itself.
CREATE TABLE news (
  entry INTEGER PRIMARY KEY,
  person INTEGER NOT NULL,
  session TEXT
) STRICT;

CREATE INDEX newsOfPerson ON news (person);
