-- Which colleagues have made reset links for an account, and when each has last, so that its owner is told of all of them.
-- account, maker: people.id. at: milliseconds since 1970; deleted after 60 days.
CREATE TABLE "resetLinkMakers" (
  account integer NOT NULL,
  maker integer NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (account, maker)
);

INSERT INTO "resetLinkMakers" SELECT id, "resetLinkBy", "resetLinkAt" FROM people WHERE "resetLinkBy" IS NOT NULL;

ALTER TABLE people DROP COLUMN "resetLinkBy", DROP COLUMN "resetLinkAt";

-- Stops older servers that are still running: they would write to the columns.
UPDATE register SET epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
