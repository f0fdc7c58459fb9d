import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { type Employee, type EmployeeFields, fieldNames, mapFields } from '../../../contract/employees.ts'
import type { Clock } from '../engine/clock.ts'
import { Random } from '../engine/random.ts'
import type * as Modules from './modules.ts'

/** A record after a write. A removed one keeps its fields. */
export interface Written {
  id: string
  revision: number
  isRemoved: boolean
  fields: EmployeeFields
  /** The account of its author; null for the operator. */
  by: string | null
}

const newValues = ['id', 'revision', 'removed', 'changedBy', ...fieldNames].map((name) => `NEW.${name}`)
const insertSql = `INSERT INTO written VALUES (NULL, ${newValues})`

/** A migrated database without records, after the first simulation of a process. */
let empty: Uint8Array | undefined

/** The database of a simulation, in memory: what is committed outlives the server. It records each write of a record. */
export class Database {
  readonly connection = new DatabaseSync(':memory:')
  /** Makes commits fail as on a full disk. */
  isFull = false
  /** Undefined after a commit, until somebody asks. */
  #removedEmails: ReadonlySet<string> | undefined
  readonly #takeWritten
  readonly #forgetWritten
  readonly #selectList
  readonly #selectRemoved
  readonly #selectSessions

  constructor(clock: Clock, random: Random, load: () => typeof Modules) {
    const { connection } = this
    // SQLite's own clock and random numbers.
    connection.function('unixepoch', { varargs: true }, () => clock.date / 1000)
    if (empty) connection.deserialize(empty)
    else {
      this.#drawBlobs(new Random(0, 'empty register'))
      const { migrate, createFieldEncryption, createPasswordKey } = load()
      migrate(connection)
      connection
        .prepare('UPDATE register SET passwordKey = ?')
        .run(createPasswordKey(createFieldEncryption(undefined)))
      empty = connection.serialize()
    }
    this.#drawBlobs(random)
    connection.exec('PRAGMA foreign_keys = ON')
    connection.exec(`
      CREATE TEMP TABLE written (n INTEGER PRIMARY KEY, id, revision, removed, changedBy, ${fieldNames});
      CREATE TEMP TRIGGER writtenByInsert AFTER INSERT ON main.books BEGIN ${insertSql}; END;
      CREATE TEMP TRIGGER writtenByUpdate AFTER UPDATE ON main.books WHEN NEW.revision <> OLD.revision BEGIN ${insertSql}; END;
    `)
    this.#takeWritten = connection.prepare(
      'SELECT written.*, uid FROM written LEFT JOIN people ON people.id = changedBy ORDER BY n',
    )
    this.#forgetWritten = connection.prepare('DELETE FROM written')
    this.#selectSessions = connection.prepare('SELECT hash FROM sessions')
    this.#selectRemoved = connection.prepare('SELECT email FROM removedAccounts')
    this.#selectList = connection.prepare(
      `SELECT id, ${fieldNames} FROM books WHERE NOT removed ORDER BY seq`,
    )
  }

  #drawBlobs(random: Random): void {
    this.connection.function('randomblob', (length) => random.fill(new Uint8Array(Number(length))))
  }

  /** What was committed since the last call, in order. */
  takeWritten(): Written[] {
    if (this.connection.isTransaction) return []
    const rows = this.#takeWritten.all()
    if (rows.length > 0) this.#forgetWritten.run()
    return rows.map(({ id, revision, removed, uid, ...row }) => ({
      id: String(id),
      revision: Number(revision),
      isRemoved: removed === 1,
      fields: mapFields((name) => String(row[name])),
      by: uid === null ? null : String(uid),
    }))
  }

  /** The emails of the accounts that are removed. */
  removedEmails(): ReadonlySet<string> {
    this.#removedEmails ??= new Set(this.#selectRemoved.all().map(({ email }) => String(email)))
    return this.#removedEmails
  }

  /** Whether one of these tokens is that of a session. */
  hasSession(tokens: readonly string[]): boolean {
    const hashes = tokens.map((token) => createHash('sha256').update(token).digest('base64url'))
    return this.#selectSessions.all().some(({ hash }) => hashes.includes(String(hash)))
  }

  /** The records, in their order. */
  list(): Employee[] {
    return this.#selectList.all() as unknown as Employee[]
  }

  /** Returns a class that takes the place of `DatabaseSync`: each of its connections is the one to this database. */
  createConnectionClass(): unknown {
    const { connection } = this
    const beforeCommit = () => {
      if (this.isFull) throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
      this.#removedEmails = undefined
    }
    // What a constructor returns takes the place of the new object.
    return function Connection() {
      return new Proxy(connection, {
        get(target, name) {
          if (name === 'close' || name === Symbol.dispose) return () => {}
          if (name === 'exec')
            return (sql: string) => {
              if (sql === 'COMMIT') beforeCommit()
              target.exec(sql)
            }
          const value = Reflect.get(target, name, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    }
  }

  close(): void {
    this.connection.close()
  }
}
