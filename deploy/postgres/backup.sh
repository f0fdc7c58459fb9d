#!/bin/sh
# Dumps the database at DATABASE_URL into BACKUP_DIR every day (UTC), keeps BACKUP_KEEP dumps (14), and proves each before it
# gets its name: restores it into an empty PostgreSQL and compares all rows. If that fails, BACKUP_DIR contains `backup-failed`,
# and it tries again after ten minutes. With the argument `once` it makes today's dump and ends. Needs PostgreSQL's programs.
set -eu
umask 077
command -v initdb >/dev/null || PATH="$PATH:$(pg_config --bindir)"
child=
: "${DATABASE_URL:?}" "${BACKUP_DIR:?}"

# PostgreSQL refuses root. Volumes belong to root at first.
if [ "$(id -u)" = 0 ]; then
  chown postgres "$BACKUP_DIR"
  exec su postgres -s /bin/sh -c "exec sh '$0' $*"
fi

if [ "${1:-}" != once ]; then
  trap 'kill $child || true; wait $child || true; exit 0' TERM INT
  while true; do
    sh "$0" once &
    child=$!
    wait $child || echo "The backup failed." >&2
    sleep 600 &
    child=$!
    wait $child
  done
fi

dump="$BACKUP_DIR/staffbook-$(date -u +%F).dump"
[ ! -e "$dump" ] || exit 0
part="$dump.$$.part"
scratch=$(mktemp -d)
end() {
  status=$?
  pg_ctl -D "$scratch/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$scratch" "$part"
  if [ "$status" = 0 ]; then rm -f "$BACKUP_DIR/backup-failed"; else : >"$BACKUP_DIR/backup-failed"; fi
}
trap end EXIT
trap 'kill $child || true; exit 1' TERM INT

# A shell handles a signal only between programs, or while it waits.
run() {
  "$@" &
  child=$!
  wait $child
}

case "${BACKUP_KEEP:=14}" in 0* | *[!0-9]*) echo "BACKUP_KEEP must be a number from 1." >&2 && exit 1 ;; esac

# Before the first record there is nothing to back up; before the first start of a server, not even the table.
table=$(psql -d "$DATABASE_URL" -Atc "SELECT to_regclass('books')")
[ -n "$table" ] || exit 0
record=$(psql -d "$DATABASE_URL" -Atc 'SELECT 1 FROM books LIMIT 1')
[ -n "$record" ] || exit 0

# What is in the dump, without comments and the random keys of psql's restricted mode.
digest() {
  grep -v -e '^--$' -e '^-- ' -e '^\\restrict ' -e '^\\unrestrict ' "$1" | sha256sum
}

run pg_dump --format=custom --file="$part" "$DATABASE_URL"
run initdb -D "$scratch/data" -U postgres -A trust -E UTF8 --no-locale --no-sync >/dev/null
run pg_ctl -D "$scratch/data" -w -l "$scratch/log" -o "-c listen_addresses= -k $scratch -c fsync=off" start >/dev/null
run pg_restore --exit-on-error --no-owner --no-acl -h "$scratch" -U postgres -d postgres "$part"
run pg_restore --data-only --file="$scratch/dumped" "$part"
run pg_dump --data-only -h "$scratch" -U postgres --file="$scratch/restored" postgres
if [ "$(digest "$scratch/dumped")" != "$(digest "$scratch/restored")" ]; then
  echo "What was restored is not what was dumped." >&2
  exit 1
fi

mv "$part" "$dump"
sync
find "$BACKUP_DIR" -name 'staffbook-*.part' -mmin +1440 -exec rm -f {} +
# A wrong clock may have made later ones.
until_today() { ls "$BACKUP_DIR" | grep -Ex 'staffbook-[0-9]{4}-[0-9]{2}-[0-9]{2}\.dump' | sort | sed "/${dump##*/}/q"; }
until_today | head -n "-$BACKUP_KEEP" | while read -r old; do
  rm -f "$BACKUP_DIR/$old"
done
