-- Of the request that added the record, if it had an idempotency key: a later one with the same key must be the same. It
-- contains the key, which is not stored, and if the records are encrypted, their key.
ALTER TABLE books ADD COLUMN digest TEXT;
