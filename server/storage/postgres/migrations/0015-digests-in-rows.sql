-- The digests of the passwords that a record has had move into its row, so that a change of the password writes one row less.
-- passwordDigests: see server/storage/previous-passwords.ts. firstPasswordRevision: when the first of them appeared in the record;
-- NULL in older records that have had one password only. Digests are wiped with the fields of the record.
ALTER TABLE books ADD COLUMN "firstPasswordRevision" bigint, ADD COLUMN "passwordDigests" text;

UPDATE books SET "firstPasswordRevision" = known.first, "passwordDigests" = known.digests
FROM "passwordDigests" AS known WHERE known.seq = books.seq;

DROP TABLE "passwordDigests";

-- Stops older servers that are still running: they would look for the table.
UPDATE register SET epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
