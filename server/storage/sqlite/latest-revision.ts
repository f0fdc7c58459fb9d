/** SQL, of the table `register`: the revision of the latest write, or where a restored register's begin. */
export const latestRevisionSql = 'max(floor, (SELECT coalesce(max(revision), 0) FROM books))'
