-- In a backup: HMAC of its content with a key derived from the records' key. NULL in the database itself.
ALTER TABLE register ADD COLUMN checksum BLOB;
