-- "Firefox on Linux", for the owner's list of sessions; NULL if the browser is unknown.
ALTER TABLE sessions ADD COLUMN browser TEXT;
