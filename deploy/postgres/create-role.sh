#!/bin/sh
# Runs when the container creates its database. The servers' role owns the register and is no superuser; the superuser has no
# password, so it can connect only inside the container.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" <<'SQL'
CREATE ROLE staffbook LOGIN PASSWORD :'password';
CREATE DATABASE staffbook OWNER staffbook ENCODING 'UTF8' TEMPLATE template0;
ALTER ROLE postgres PASSWORD NULL;
SQL
