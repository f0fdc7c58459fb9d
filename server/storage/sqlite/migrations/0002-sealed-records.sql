-- A known text, sealed with the key of the records; NULL where they are plain.
ALTER TABLE register ADD COLUMN keyProof BLOB;
