-- Which colleagues have made reset links for an account, and when each has last, so that its owner is told of all of them.
-- account, maker: people.id. at: milliseconds since 1970; deleted after 60 days.
CREATE TABLE resetLinkMakers (
  account INTEGER NOT NULL,
  maker INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (account, maker)
) STRICT, WITHOUT ROWID;

INSERT INTO resetLinkMakers SELECT id, resetLinkBy, resetLinkAt FROM people WHERE resetLinkBy IS NOT NULL;

ALTER TABLE people DROP COLUMN resetLinkBy;
ALTER TABLE people DROP COLUMN resetLinkAt;
