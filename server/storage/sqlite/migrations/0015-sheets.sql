-- sheet: the id of the links that were made together with this one. takeKey: whoever has opened the link may repeat that with
-- this key for some minutes; until then, uid and sealed stay.
ALTER TABLE handovers ADD COLUMN sheet TEXT;
ALTER TABLE handovers ADD COLUMN takeKey TEXT;
