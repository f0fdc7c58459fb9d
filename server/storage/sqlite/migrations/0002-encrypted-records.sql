-- A known text encrypted with the records' key; NULL if the records are not encrypted.
ALTER TABLE register ADD COLUMN keyProof BLOB;
