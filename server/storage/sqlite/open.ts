import type { DatabaseSync } from 'node:sqlite'
import type { EmployeeFields } from '../../../contract/employees.ts'
import type {
  Account,
  BookChange,
  Found,
  IdentifiedBatch,
  Removal,
  Session,
  Storage,
  StoredBook,
} from '../port.ts'
import { bookChanges } from './book-changes.ts'
import { connect } from './connect.ts'
import { claimFolder } from './folder.ts'
import { plain } from './sealing.ts'
import { startWriter, type Write } from './writer-client.ts'

export interface SqliteOptions {
  folder: string
  synchronous?: 'FULL' | 'NORMAL'
  maxWaiting?: number
}

/**
 * Opens the register in a folder, which is this process's alone until `close`. Writes go through one thread; reads
 * use a connection of their own on this thread. Throws `FolderError`.
 */
export async function openSqlite({ folder, maxWaiting, ...options }: SqliteOptions): Promise<Storage> {
  const { file, release } = claimFolder(folder)
  const followers: ((changes: BookChange[]) => void)[] = []
  const writer = startWriter(
    { file, ...options },
    {
      ...(maxWaiting === undefined ? {} : { maxWaiting }),
      onAnswers(answered) {
        const changes = answered.flatMap(({ command, value }) => bookChanges(command, value))
        if (changes.length > 0) for (const follower of followers) follower(changes)
      },
    },
  )
  const reader = connect(file, { readOnly: true })
  return {
    books: {
      ...readBooks(reader),
      ...writeBooks(writer.write),
      follow: (listener) => followers.push(listener),
    },
    accounts: accounts(reader, writer.write),
    sessions: sessions(reader, writer.write),
    failed: writer.failed,
    ping: async () => void reader.prepare('SELECT 1').get(),
    async close() {
      // The last connection to close moves the log into the register, which a reading one cannot.
      reader.close()
      await writer.close()
      release()
    },
  }
}

const pageSize = 1000

function readBooks(reader: DatabaseSync) {
  const head = reader.prepare(
    'SELECT max(floor, (SELECT coalesce(max(revision), 0) FROM books)) AS revision, floor, epoch FROM register',
  )
  const page = reader.prepare(
    `SELECT seq, id, eName, email, password, revision FROM books WHERE eName IS NOT NULL AND seq > ? ORDER BY seq LIMIT ${pageSize}`,
  )
  const removals = reader.prepare(
    'SELECT id, seq, revision FROM books WHERE eName IS NULL ORDER BY revision DESC LIMIT ?',
  )
  return {
    head: async () => head.get() as unknown as { revision: number; floor: number; epoch: string },
    async *load() {
      let last = 0
      for (;;) {
        const rows = page.all(last) as unknown as StoredBook[]
        if (rows.length === 0) return
        yield rows.map(({ seq, id, revision, ...fields }) => ({
          seq,
          id,
          revision,
          ...plain.open(id, fields),
        }))
        last = rows.at(-1)?.seq as number
      }
    },
    latestRemovals: async (limit: number) => removals.all(limit) as unknown as Removal[],
  }
}

function writeBooks(write: Write) {
  return {
    add: (id: string, fields: EmployeeFields) => write('addBook', id, fields),
    update: (id: string, fields: EmployeeFields) => write('updateBook', id, fields),
    remove: (id: string) => write('removeBook', id),
    restore: (id: string, fields: EmployeeFields) => write('restoreBook', id, fields),
    writeBatch: (batch: IdentifiedBatch) => write('writeBatch', batch),
  }
}

function accounts(reader: DatabaseSync, write: Write) {
  const byEmailKey = reader.prepare('SELECT * FROM accounts WHERE emailKey = ?')
  const all = reader.prepare('SELECT * FROM accounts ORDER BY createdAt, uid')
  return {
    add: (account: Account) => write('addAccount', account),
    findByEmailKey: async (emailKey: string) => byEmailKey.get(emailKey) as unknown as Account | undefined,
    list: async () => all.all() as unknown as Account[],
    setPasswordHash: (uid: string, passwordHash: string) => write('setPasswordHash', uid, passwordHash),
    remove: (uid: string) => write('removeAccount', uid),
  }
}

function sessions(reader: DatabaseSync, write: Write) {
  const find = reader.prepare(
    `SELECT hash, lastSeenAt, sessions.createdAt AS since, accounts.*
     FROM sessions JOIN accounts USING (uid) WHERE hash = ?`,
  )
  const listOf = reader.prepare('SELECT * FROM sessions WHERE uid = ? ORDER BY createdAt')
  return {
    add: (session: Session) => write('addSession', session),
    find(hash: string): Found | undefined {
      const row = find.get(hash) as
        | (Account & { hash: string; lastSeenAt: number; since: number })
        | undefined
      if (!row) return
      const { hash: found, lastSeenAt, since, ...account } = row
      return { session: { hash: found, uid: account.uid, createdAt: since, lastSeenAt }, account }
    },
    listOf: async (uid: string) => listOf.all(uid) as unknown as Session[],
    touch: (hash: string, lastSeenAt: number) => write('touchSession', hash, lastSeenAt),
    end: (hashes: string[]) => write('endSessions', hashes),
    endExpired: (createdBefore: number, seenBefore: number) =>
      write('endExpiredSessions', createdBefore, seenBefore),
  }
}
