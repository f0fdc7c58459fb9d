-- sheet: the id of the links that were made together with this one. takeKey: whoever has opened the link may repeat that with
-- this key for some minutes; until then, uid and sealed stay.
ALTER TABLE handovers ADD COLUMN sheet text COLLATE "C", ADD COLUMN "takeKey" text COLLATE "C";

-- Stops older servers that are still running: they would take a link for open while uid stays.
UPDATE register SET epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
