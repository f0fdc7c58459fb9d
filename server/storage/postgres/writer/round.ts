import type { Client } from 'pg'
import type { EmployeeFields } from '../../../../contract/employees.ts'
import {
  type CommandOf,
  changesOfCommand,
  createEmployeeCommands,
  type EmployeeCommands,
  type EmployeeRow,
  type EmployeeTable,
  type Head,
  toChange,
  type WrittenRow,
} from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import type { EmployeeChange } from '../../storage.ts'
import { throwReadError, throwWriteError } from '../errors.ts'

export type Command = CommandOf<EmployeeCommands>

/** A row of the table `books`; the fields are encrypted or UTF-8, and null where the record is removed. */
export interface StoredRow {
  seq: number
  id: string
  revision: number
  eName: Buffer | null
  email: Buffer | null
  password: Buffer | null
}

/** What the process knows of the register when a turn begins. */
export interface KnownState {
  /** Which register it is, and in which table: an older state that was put in its place lies in a new one. */
  identity: string
  /** The highest revision it has seen. */
  latestRevision: number
  /** Up to which revision all who follow have heard everything. */
  notifiedRevision: number
}

/** What a turn found and did. */
export interface Round {
  /** The register's revision after it. */
  revision: number
  /** What others have changed, and then what the commands have changed, in the order of revisions. */
  changes: EmployeeChange[]
  /** Of the commands, in their order. */
  results: unknown[]
}

/** The database holds another register than the one this process knows, or an older state of it. */
export class StaleError extends Error {
  constructor() {
    super('The database holds another register than the one that was read, or an older state of it.')
    this.name = 'StaleError'
  }
}

export const identitySql = `epoch || '/' || register.tableoid AS identity`

const columnsSql = 'seq, id, "eName", email, password, books.revision'

/** What others have changed, as of one moment. */
export async function readRound(
  client: Client,
  encryption: FieldEncryption,
  known: KnownState,
): Promise<Round> {
  const { rows } = await client
    .query(
      `SELECT ${identitySql}, register.revision AS head, ${columnsSql}
       FROM register LEFT JOIN books ON books.revision > $1 ORDER BY books.revision`,
      [known.notifiedRevision],
    )
    .catch(throwReadError)
  const [{ identity: found, head: revision }] = rows
  requireSameDatabase(known, { identity: found, revision })
  const missedRows = rows.filter(({ seq }) => seq !== null)
  return { revision, changes: missedRows.map((row) => toChange(decryptRow(row, encryption))), results: [] }
}

/**
 * Carries out all commands in one transaction, whole or not at all. The lock on the head makes the processes write one
 * after the other; the rows are read once it is held. When it rejects, the connection is outside any transaction, or
 * lost.
 */
export async function writeRound(
  client: Client,
  encryption: FieldEncryption,
  commands: Command[],
  known: KnownState,
): Promise<Round> {
  try {
    const [, head, namedRows, missedRows] = await awaitAll([
      // Read committed, whatever the database's default: the rows are to be those after the lock.
      client.query('BEGIN ISOLATION LEVEL READ COMMITTED'),
      client.query(`SELECT ${identitySql}, revision, places FROM register FOR UPDATE`),
      client.query(`SELECT ${columnsSql} FROM books WHERE id = ANY ($1)`, [commands.flatMap(commandIds)]),
      client.query(`SELECT ${columnsSql} FROM books WHERE revision > $1 ORDER BY revision`, [
        known.notifiedRevision,
      ]),
    ]).catch(throwReadError)
    const headRow = head?.rows[0]
    requireSameDatabase(known, headRow)
    const missedChanges = (missedRows?.rows ?? []).map((row) => toChange(decryptRow(row, encryption)))
    const table = createMemoryTable(headRow, namedRows?.rows ?? [], encryption)
    const employeeCommands = createEmployeeCommands(table)
    const results = commands.map((command) => runCommand(employeeCommands, command))
    await commitRows(client, encryption, table.head(), [...table.writtenRows.values()])
    const changes = commands.flatMap((command, i) => changesOfCommand(command, results[i]))
    return { revision: table.head().revision, changes: [...missedChanges, ...changes], results }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => 'lost')
    throw error
  }
}

function requireSameDatabase(known: KnownState, current: { identity: string; revision: number }) {
  if (current.identity !== known.identity || current.revision < known.latestRevision) throw new StaleError()
}

/** Each written row, the head, and the bell for the other processes. */
const writeSql = `
  WITH written AS (
    INSERT INTO books (seq, id, "eName", email, password, revision)
    SELECT * FROM unnest ($1::bigint[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bigint[])
    ON CONFLICT (seq) DO UPDATE SET "eName" = excluded."eName", email = excluded.email,
      password = excluded.password, revision = excluded.revision
  ), head AS (
    UPDATE register SET revision = $7, places = $8
  )
  SELECT pg_notify('staffbook', '')`

async function commitRows(
  client: Client,
  encryption: FieldEncryption,
  { revision, lastSeq }: Head,
  writtenRows: WrittenRow[],
) {
  if (writtenRows.length === 0) {
    await client.query('COMMIT').catch(throwReadError)
    return
  }
  const fields = writtenRows.map(({ id, fields }) =>
    fields ? encryption.encrypt(id, fields).map(toBuffer) : [],
  )
  const values = [
    writtenRows.map(({ seq }) => seq),
    writtenRows.map(({ id }) => id),
    ...[0, 1, 2].map((column) => fields.map((row) => row[column] ?? null)),
    writtenRows.map(({ revision }) => revision),
    revision,
    lastSeq,
  ]
  await awaitAll([
    // Named, it is planned once; that takes as long as the rest of a small write.
    client.query({ name: 'write', text: writeSql, values }),
    // Sent along: where the statement before it fails, it rolls back.
    client.query('COMMIT'),
  ]).catch(throwWriteError)
}

/** A field as it is written. */
export const toBuffer = (field: string | Uint8Array) => Buffer.from(field as string)

/** The rows that the commands name, in memory, with what the commands write to them. */
function createMemoryTable(
  { revision, places }: { revision: number; places: number },
  storedRows: StoredRow[],
  encryption: FieldEncryption,
): EmployeeTable & { writtenRows: Map<string, WrittenRow> } {
  const head = { revision, lastSeq: places }
  const writtenRows = new Map<string, WrittenRow>()
  const rows = new Map(
    storedRows.map((row): [string, EmployeeRow] => [
      row.id,
      {
        seq: row.seq,
        revision: row.revision,
        isRemoved: row.eName === null,
        readFields: () => encryption.decrypt(row.id, row),
      },
    ]),
  )
  function write(row: WrittenRow) {
    const { id, seq, revision, fields } = row
    writtenRows.set(id, row)
    rows.set(id, { seq, revision, isRemoved: !fields, readFields: () => fields as EmployeeFields })
  }
  return { head: () => head, find: (id) => rows.get(id), insert: write, update: write, writtenRows }
}

function runCommand(commands: EmployeeCommands, [name, ...args]: Command): unknown {
  const command = commands[name] as (...args: unknown[]) => unknown
  return command(...args)
}

/** The ids of the records that a command names. */
function commandIds([, first]: Command): string[] {
  if (typeof first === 'string') return [first]
  const { add, update, remove } = first
  return [...add, ...update.map(({ seen }) => seen), ...remove].map(({ id }) => id)
}

function decryptRow({ seq, id, revision, ...fields }: StoredRow, encryption: FieldEncryption): WrittenRow {
  return { seq, id, revision, fields: fields.eName === null ? null : encryption.decrypt(id, fields) }
}

/** Waits for all, so that nothing is under way any more, and rejects as the first that failed. */
async function awaitAll<T>(queries: Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(queries)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return Promise.all(queries)
}
