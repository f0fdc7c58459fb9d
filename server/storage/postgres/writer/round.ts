import type { Client } from 'pg'
import type { Sealing } from '../../encryption/field-encryption.ts'
import type { BookChange } from '../../storage.ts'
import { asRead, asWrite } from '../errors.ts'
import { type Command, changeOf, idsOf, openLedger, type Row } from './decide.ts'

/** A row of `books` as it lies there. */
export interface BookRow {
  seq: number
  id: string
  revision: number
  eName: Buffer | null
  email: Buffer | null
  password: Buffer | null
}

/** What the process knows of the register when a turn begins. */
export interface Knowledge {
  /** Which register it is, and in which table: an older state that was put in its place lies in a new one. */
  identity: string
  /** The highest revision it has seen. */
  newest: number
  /** Up to which revision all who follow have heard everything. */
  heard: number
}

/** What a turn found and did. */
export interface Turn {
  /** The register's revision after it. */
  revision: number
  /** What others have changed, and then what the commands have changed, in the order of revisions. */
  changes: BookChange[]
  /** Of the commands, in their order. */
  answers: unknown[]
}

/** The database holds another register than the one this process knows, or an older state of it. */
export class StaleError extends Error {
  constructor() {
    super('The database holds another register than the one that was read, or an older state of it.')
    this.name = 'StaleError'
  }
}

export const identity = `epoch || '/' || register.tableoid AS identity`

const columns = 'seq, id, "eName", email, password, books.revision'

/** What others have changed, as of one moment. */
export async function readTurn(client: Client, sealing: Sealing, knowledge: Knowledge): Promise<Turn> {
  const { rows } = await client
    .query(
      `SELECT ${identity}, register.revision AS head, ${columns}
       FROM register LEFT JOIN books ON books.revision > $1 ORDER BY books.revision`,
      [knowledge.heard],
    )
    .catch(asRead)
  const [{ identity: found, head: revision }] = rows
  requireSame(knowledge, { identity: found, revision })
  const missed = rows.filter(({ seq }) => seq !== null)
  return { revision, changes: missed.map((row) => changeOf(opened(row, sealing))), answers: [] }
}

/**
 * Carries out all commands in one transaction, whole or not at all. The lock on the head makes the processes write one
 * after the other; the rows are read once it is held. When it rejects, the connection is outside any transaction, or
 * lost.
 */
export async function writeTurn(
  client: Client,
  sealing: Sealing,
  commands: Command[],
  knowledge: Knowledge,
): Promise<Turn> {
  try {
    const [, head, named, later] = await allOf([
      // Read committed, whatever the database's default: the rows are to be those after the lock.
      client.query('BEGIN ISOLATION LEVEL READ COMMITTED'),
      client.query(`SELECT ${identity}, revision, places FROM register FOR UPDATE`),
      client.query(`SELECT ${columns} FROM books WHERE id = ANY ($1)`, [commands.flatMap(idsOf)]),
      client.query(`SELECT ${columns} FROM books WHERE revision > $1 ORDER BY revision`, [knowledge.heard]),
    ]).catch(asRead)
    const position = head?.rows[0]
    requireSame(knowledge, position)
    const read = (result: { rows: BookRow[] } | undefined) =>
      (result?.rows ?? []).map((row) => opened(row, sealing))
    const rows = read(named)
    const missed = read(later).map(changeOf)
    const ledger = openLedger(position, new Map(rows.map((row) => [row.id, row])))
    const answers = commands.map(([name, ...args]) =>
      (ledger.commands[name] as (...args: unknown[]) => unknown)(...args),
    )
    const { changes, ...decided } = ledger.decided()
    await commit(client, sealing, decided)
    return { revision: decided.revision, changes: [...missed, ...changes], answers }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => 'lost')
    throw error
  }
}

function requireSame(known: Knowledge, found: { identity: string; revision: number }) {
  if (found.identity !== known.identity || found.revision < known.newest) throw new StaleError()
}

/** Each written row, the head, and the bell for the other processes. */
const write = `
  WITH written AS (
    INSERT INTO books (seq, id, "eName", email, password, revision)
    SELECT * FROM unnest ($1::bigint[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bigint[])
    ON CONFLICT (seq) DO UPDATE SET "eName" = excluded."eName", email = excluded.email,
      password = excluded.password, revision = excluded.revision
  ), head AS (
    UPDATE register SET revision = $7, places = $8
  )
  SELECT pg_notify('staffbook', '')`

type Decided = Omit<ReturnType<ReturnType<typeof openLedger>['decided']>, 'changes'>

async function commit(client: Client, sealing: Sealing, { written, revision, places }: Decided) {
  if (written.length === 0) {
    await client.query('COMMIT').catch(asRead)
    return
  }
  const fields = written.map(({ id, fields }) => (fields ? sealing.seal(id, fields).map(bytes) : []))
  const values = [
    written.map(({ seq }) => seq),
    written.map(({ id }) => id),
    ...[0, 1, 2].map((column) => fields.map((row) => row[column] ?? null)),
    written.map(({ revision }) => revision),
    revision,
    places,
  ]
  await allOf([
    // Named, it is planned once; that takes as long as the rest of a small write.
    client.query({ name: 'write', text: write, values }),
    // Sent along: where the statement before it fails, it rolls back.
    client.query('COMMIT'),
  ]).catch(asWrite)
}

/** A field as it is written. */
export const bytes = (field: string | Uint8Array) => Buffer.from(field as string)

function opened({ seq, id, revision, ...fields }: BookRow, sealing: Sealing): Row {
  return { seq, id, revision, fields: fields.eName === null ? undefined : sealing.open(id, fields) }
}

/** Waits for all, so that nothing is under way any more, and rejects as the first that failed. */
async function allOf<T>(queries: Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(queries)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return Promise.all(queries)
}
