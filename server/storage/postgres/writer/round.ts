import type { EmployeeFields } from '../../../../contract/employees.ts'
import { inTurns } from '../../../in-turns.ts'
import {
  type BatchWriteResult,
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
import { splitBatch } from '../../split-batch.ts'
import type { EmployeeChange } from '../../storage.ts'
import type { DatabaseClient } from '../connect.ts'
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

interface DigestedRow extends StoredRow {
  digest: string | null
}

/** What the process knows about the database before a round. */
interface KnownState {
  /** See `identitySql`. */
  identity: string
  /** The highest revision it has read. */
  latestRevision: number
  /** Every subscriber has received the changes up to this revision. */
  deliveredRevision: number
}

interface Round {
  /** The database's revision after the round. */
  revision: number
  /** Changes of other processes, then those of the commands, in the order of revisions. */
  changes: Iterable<EmployeeChange>
  /** One per command, in their order. */
  results: unknown[]
}

/** The database was restored, replaced or failed over: it may lack changes that this process has read. */
export class StaleError extends Error {
  constructor() {
    super('The database was replaced, or restored to an earlier state, while this process was using it.')
    this.name = 'StaleError'
  }
}

/** The epoch and the table: after a restore in place, the same epoch is in a new table. */
export const identitySql = `epoch || '/' || register.tableoid AS identity`

const columnsSql = 'seq, id, "eName", email, password, books.revision'

/**
 * Reads the changes after `deliveredRevision` and runs the commands, if any, in one transaction. When it rejects,
 * nothing was committed (unless the error is `uncertain`), and the connection is outside any transaction, or lost.
 */
export function runRound(
  client: DatabaseClient,
  encryption: FieldEncryption,
  commands: Command[],
  known: KnownState,
): Promise<Round> {
  return commands.length > 0
    ? writeRound(client, encryption, commands, known)
    : readRound(client, encryption, known)
}

async function readRound(
  client: DatabaseClient,
  encryption: FieldEncryption,
  known: KnownState,
): Promise<Round> {
  const { rows } = await client
    .query(
      `SELECT ${identitySql}, register.revision AS head, ${columnsSql}
       FROM register LEFT JOIN books ON books.revision > $1 ORDER BY books.revision`,
      [known.deliveredRevision],
    )
    .catch(throwReadError)
  const [{ identity, head: revision }] = rows
  requireSameDatabase(known, { identity, revision })
  const newRows = rows.filter(({ seq }) => seq !== null)
  return { revision, changes: await toChanges(newRows, encryption), results: [] }
}

/** Locks the row of `register`, so that processes write one after the other. */
async function writeRound(
  client: DatabaseClient,
  encryption: FieldEncryption,
  commands: Command[],
  known: KnownState,
): Promise<Round> {
  const [first = [], ...later] = splitIntoSteps(commands)
  try {
    const [, headResult, namedResult, newResult] = await awaitAll([
      // Reads the rows as they are once the lock is held.
      client.query(client.beginSql(commands.some(isBatch))),
      client.query(`SELECT ${identitySql}, revision, places FROM register FOR UPDATE`),
      selectNamed(client, first),
      client.query(`SELECT ${columnsSql} FROM books WHERE revision > $1 ORDER BY revision`, [
        known.deliveredRevision,
      ]),
    ]).catch(throwReadError)
    const headRow = headResult?.rows[0]
    requireSameDatabase(known, headRow)
    const newChanges = await toChanges(newResult?.rows ?? [], encryption)
    const head: Head = { revision: headRow.revision, lastSeq: headRow.places }
    const results: unknown[] = []
    let writtenRows = runStep(first, results, createMemoryTable(head, namedResult?.rows ?? [], encryption))
    for (const step of later) {
      const [, named] = await awaitAll([
        writeRows(client, encryption, head, writtenRows),
        selectNamed(client, step),
      ]).catch(throwReadError)
      writtenRows = runStep(step, results, createMemoryTable(head, named?.rows ?? [], encryption))
    }
    await commitRows(client, encryption, head, writtenRows).catch(
      head.revision > headRow.revision ? throwWriteError : throwReadError,
    )
    const changes = {
      *[Symbol.iterator]() {
        yield* newChanges
        for (const [i, command] of commands.entries()) yield* changesOfCommand(command, results[i])
      },
    }
    return { revision: head.revision, changes, results }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => 'lost')
    throw error
  }
}

export const isBatch = (command: Command): command is Extract<Command, ['writeBatch', ...unknown[]]> =>
  command[0] === 'writeBatch'

/** Commands that are run together; `index` is their position in the round. */
type Step = { index: number; command: Command }[]

/** One step for all commands, and one for each part of a batch. */
function splitIntoSteps(commands: Command[]): Step[] {
  const steps: Step[] = []
  for (const [index, command] of commands.entries()) {
    if (!isBatch(command)) {
      const last = steps.at(-1)
      if (last?.[0] && !isBatch(last[0].command)) last.push({ index, command })
      else steps.push([{ index, command }])
      continue
    }
    for (const part of splitBatch(command[1])) steps.push([{ index, command: ['writeBatch', part] }])
  }
  return steps
}

/** Adds the commands' results and returns the rows to write. */
function runStep(step: Step, results: unknown[], table: ReturnType<typeof createMemoryTable>): WrittenRow[] {
  const employeeCommands = createEmployeeCommands(table)
  for (const { index, command } of step) {
    const before = results[index] as BatchWriteResult | { outcome: 'key-reused' } | undefined
    if (before?.outcome === 'key-reused') continue
    const result = runCommand(employeeCommands, command)
    results[index] = before ? joinResults(before, result as BatchWriteResult) : result
  }
  return [...table.writtenRows.values()]
}

/** Of two parts of a batch. Changes the first. */
function joinResults(before: BatchWriteResult, { revision, kept, seqs }: BatchWriteResult): BatchWriteResult {
  before.kept.push(...kept)
  before.seqs.push(...seqs)
  return Object.assign(before, { revision })
}

function selectNamed(client: DatabaseClient, step: Step) {
  const ids = step.flatMap(({ command }) => commandIds(command))
  return client.query(`SELECT ${columnsSql}, digest FROM books WHERE id = ANY ($1)`, [ids])
}

/** In turns with other requests, because another process may have written a batch. */
async function toChanges(rows: StoredRow[], encryption: FieldEncryption): Promise<EmployeeChange[]> {
  const changes: EmployeeChange[] = []
  await inTurns(rows as (StoredRow & { id: string })[], (row) =>
    changes.push(toChange(decryptRow(row, encryption))),
  )
  return changes
}

function requireSameDatabase(known: KnownState, current: { identity: string; revision: number }) {
  if (current.identity !== known.identity || current.revision < known.latestRevision) throw new StaleError()
}

/** The rows that the commands use, in memory, including what the commands write to them. */
function createMemoryTable(
  head: Head,
  storedRows: DigestedRow[],
  encryption: FieldEncryption,
): EmployeeTable & { writtenRows: Map<string, WrittenRow> } {
  const writtenRows = new Map<string, WrittenRow>()
  const rows = new Map(
    storedRows.map((row): [string, EmployeeRow] => [
      row.id,
      {
        seq: row.seq,
        revision: row.revision,
        isRemoved: row.eName === null,
        readFields: () => encryption.decrypt(row.id, row),
        matchesDigest: (digest) => row.digest === null || row.digest === encryption.protectDigest(digest),
      },
    ]),
  )
  function insert(row: WrittenRow) {
    const { digest } = row
    set(row, (other) => digest === undefined || digest === other)
  }
  function update(row: WrittenRow) {
    const { matchesDigest } = rows.get(row.id) as EmployeeRow
    set({ ...row, digest: writtenRows.get(row.id)?.digest }, matchesDigest)
  }
  function set(row: WrittenRow, matchesDigest: EmployeeRow['matchesDigest']) {
    const { id, seq, revision, fields } = row
    writtenRows.set(id, row)
    rows.set(id, {
      seq,
      revision,
      isRemoved: !fields,
      readFields: () => fields as EmployeeFields,
      matchesDigest,
    })
  }
  return { head: () => head, find: (id) => rows.get(id), insert, update, writtenRows }
}

function runCommand(commands: EmployeeCommands, [name, ...args]: Command): unknown {
  const command = commands[name] as (...args: unknown[]) => unknown
  return command(...args)
}

/** The ids of the records that a command reads or writes. */
function commandIds([, first]: Command): string[] {
  if (typeof first === 'string') return [first]
  const { add, update, remove } = first
  return [...add, ...update.map(({ seen }) => seen), ...remove].map(({ id }) => id)
}

function decryptRow({ seq, id, revision, ...fields }: StoredRow, encryption: FieldEncryption): WrittenRow {
  return { seq, id, revision, fields: fields.eName === null ? null : encryption.decrypt(id, fields) }
}

/** Writes rows and head, and notifies the other processes on commit. */
const writeSql = `
  WITH written AS (
    INSERT INTO books (seq, id, "eName", email, password, revision, digest)
    SELECT * FROM unnest ($1::bigint[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bigint[], $7::text[])
    ON CONFLICT (seq) DO UPDATE SET "eName" = excluded."eName", email = excluded.email,
      password = excluded.password, revision = excluded.revision
  ), head AS (
    UPDATE register SET revision = $8, places = $9
  )
`
const notifySql = "SELECT pg_notify('staffbook', '')"

async function commitRows(
  client: DatabaseClient,
  encryption: FieldEncryption,
  head: Head,
  rows: WrittenRow[],
) {
  // Pipelined. If the statement before it fails, COMMIT rolls back.
  await awaitAll([writeRows(client, encryption, head, rows), client.query('COMMIT')])
}

async function writeRows(
  client: DatabaseClient,
  encryption: FieldEncryption,
  { revision, lastSeq }: Head,
  rows: WrittenRow[],
) {
  if (rows.length === 0) return
  const fields = rows.map(({ id, fields }) => (fields ? encryption.encrypt(id, fields).map(toBuffer) : []))
  const values = [
    rows.map(({ seq }) => seq),
    rows.map(({ id }) => id),
    ...[0, 1, 2].map((column) => fields.map((row) => row[column] ?? null)),
    rows.map(({ revision }) => revision),
    rows.map(({ digest }) => (digest === undefined ? null : encryption.protectDigest(digest))),
    revision,
    lastSeq,
  ]
  const text = writeSql + (client.canNotify ? notifySql : 'SELECT 1')
  // A named statement is planned once per connection; planning takes as long as the rest of a small write.
  return client.query({ ...(client.isDirect ? { name: 'write' } : {}), text, values })
}

/** A field as a parameter of type bytea. */
export const toBuffer = (field: string | Uint8Array) => Buffer.from(field as string)

/** Waits until all have settled, so that no query is in flight, then rejects with the first error, if any. */
async function awaitAll<T>(queries: Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(queries)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return Promise.all(queries)
}
