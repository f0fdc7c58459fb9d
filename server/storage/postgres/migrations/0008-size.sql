-- bytes: the stored fields of the records that are not removed, and 100 bytes more for each.
ALTER TABLE register ADD COLUMN bytes bigint NOT NULL DEFAULT 0;

UPDATE register SET bytes = (
  SELECT coalesce(sum(octet_length("eName") + octet_length(email) + octet_length(password) + 100), 0)
  FROM books WHERE NOT removed
);
