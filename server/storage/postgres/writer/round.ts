import type { EmployeeFields } from '../../../../contract/employees.ts'
import { inTurns } from '../../../yield-to-event-loop.ts'
import { activityOfWrites } from '../../activity.ts'
import {
  type CommandOf,
  createEmployeeCommands,
  type EmployeeCommands,
  type EmployeeTable,
  type Head,
  listWrites,
  once,
  runEmployeeCommand,
  type StorageRules,
  toChange,
  type Written,
  type WrittenByBatch,
} from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import { createPasswordDigest } from '../../encryption/password-digests.ts'
import { deletedBytesSql, toColumns } from '../../field-columns.ts'
import { splitBatch } from '../../split-batch.ts'
import { type EmployeeChange, type RegisterSize, StorageError, type WrittenBatch } from '../../types.ts'
import { beginSql, type DatabaseClient } from '../connect.ts'
import { identitySql, restoredAccountsAdvice } from '../database-identity.ts'
import { ignoreError, throwReadError, throwWriteError } from '../errors.ts'
import { columnsSql, createMemoryTable, type StoredRow, selectNamedSql } from './memory-table.ts'
import { writeRows } from './write-rows.ts'

export type Command = CommandOf<EmployeeCommands>

/** What the process knows about the database before a round. */
interface KnownState {
  /** See `identitySql`. */
  identity: string
  /** The highest revision it has read. */
  latestRevision: number
  /** The subscriber has received the changes up to this revision. */
  deliveredRevision: number
  /** See `RegisterSize`; undefined to count it. Other processes may have changed it since. */
  deletedBytes: number | undefined
}

type Result = Written | WrittenByBatch

interface Round {
  /** The database's revision after the round. */
  revision: number
  size: Omit<RegisterSize, 'maxBytes'>
  /** Changes of other processes, then those of the commands, in the order of revisions. */
  changes: Iterable<EmployeeChange>
  /** One per command, in their order; of a batch that does not fit, the error. */
  outcomes: (Result['outcome'] | StorageError)[]
}

/** The database was restored, replaced or failed over: it may lack changes that this process has read. */
export class StaleError extends Error {
  override name = 'StaleError'

  constructor() {
    super(
      `The database was replaced, or restored to an earlier state, while this process was using it. ${restoredAccountsAdvice}`,
    )
  }
}

const sizeSql = (known: string) => `bytes, coalesce(${known}::bigint, ${deletedBytesSql}) AS "deletedBytes"`

/**
 * Reads the changes after `deliveredRevision` and runs the commands, if any, in one transaction. When it rejects,
 * nothing was committed (unless the error is `uncertain`), and the connection is outside any transaction, or lost.
 */
export function runRound(
  client: DatabaseClient,
  rules: StorageRules,
  commands: Command[],
  known: KnownState,
): Promise<Round> {
  return commands.length > 0
    ? writeRound(client, rules, commands, known)
    : readRound(client, rules.encryption, known)
}

async function readRound(
  client: DatabaseClient,
  encryption: FieldEncryption,
  known: KnownState,
): Promise<Round> {
  const { rows } = await client
    .query(
      `SELECT ${identitySql}, register.revision AS head, ${sizeSql('$2')}, ${columnsSql}
       FROM register LEFT JOIN books ON books.revision > $1 ORDER BY books.revision`,
      [known.deliveredRevision, known.deletedBytes],
    )
    .catch(throwReadError)
  const [{ identity, head: revision, bytes, deletedBytes }] = rows
  requireSameDatabase(known, { identity, revision })
  const newRows = rows.filter(({ seq }) => seq !== null)
  const changes = await toChanges(newRows, encryption)
  return { revision, size: { bytes, deletedBytes }, changes, outcomes: [] }
}

/** Locks the row of `register`, so that processes write one after the other. */
async function writeRound(
  client: DatabaseClient,
  rules: StorageRules,
  commands: Command[],
  known: KnownState,
): Promise<Round> {
  const steps = splitIntoSteps(commands)
  const first = steps[0] as Step
  try {
    const [, headResult, namedResult, newResult] = await awaitAll([
      // Reads the rows as they are once the lock is held.
      client.query(beginSql(commands.some(isBatch))),
      client.query(
        `SELECT ${identitySql}, revision, places, ${sizeSql('$1')}, "passwordKey" FROM register FOR UPDATE`,
        [known.deletedBytes],
      ),
      selectNamed(client, first),
      client.query(`SELECT ${columnsSql} FROM books WHERE revision > $1 ORDER BY revision`, [
        known.deliveredRevision,
      ]),
      ...(beginsBatch(first) ? [client.query('SAVEPOINT batch')] : []),
    ]).catch(throwReadError)
    const headRow = headResult?.rows[0]
    requireSameDatabase(known, headRow)
    const newChanges = await toChanges(newResult?.rows ?? [], rules.encryption)
    const { revision, places, bytes, deletedBytes } = headRow
    const head: Head = { revision, lastSeq: places, bytes, deletedBytes }
    const digestPassword = once(() => createPasswordDigest(rules.encryption, headRow.passwordKey))
    const memoryRules = {
      ...rules,
      digestPassword: (id: string, fields: EmployeeFields) => digestPassword()(id, fields),
    }
    const { results, memory } = await runSteps(client, memoryRules, head, steps, namedResult?.rows ?? [])
    const activity = commands.flatMap((command, i) =>
      activityOfWrites(writesOf(results[i]), batchOf(command)),
    )
    // Pipelined. If the statement before it fails, COMMIT rolls back.
    await awaitAll([...writeRows(client, head, memory, activity), client.query('COMMIT')]).catch(
      head.revision > headRow.revision ? throwWriteError : throwReadError,
    )
    const changes = {
      *[Symbol.iterator]() {
        yield* newChanges
        for (const [i, command] of commands.entries())
          for (const write of listWrites(writesOf(results[i]), batchOf(command))) yield toChange(write)
      },
    }
    return { revision: head.revision, size: head, changes, outcomes: results.map(outcomeOf) }
  } catch (error) {
    // It fails if the connection is lost; the server then rolls back.
    await client.query('ROLLBACK').catch(ignoreError)
    throw error
  }
}

const writesOf = (result: Result | StorageError | undefined) =>
  !result || result instanceof StorageError ? [] : result.writes

const outcomeOf = (result: Result | StorageError) =>
  result instanceof StorageError ? result : result.outcome

const batchOf = (command: Command) => (isBatch(command) ? command[1] : undefined)

export const isBatch = (command: Command): command is Extract<Command, ['writeBatch', ...unknown[]]> =>
  command[0] === 'writeBatch'

/** Commands that are run together; `index` is their position in the round. */
type Step = { index: number; command: Command; isFirstPart?: boolean }[]

const beginsBatch = (step: Step) => step[0]?.isFirstPart === true

/**
 * Runs the steps, and writes what each has changed before the next. A batch that does not fit is taken back: its result is the error,
 * and the others need not run again. Returns the results, and what the last step has changed.
 */
async function runSteps(
  client: DatabaseClient,
  rules: Parameters<typeof createMemoryTable>[2],
  head: Head,
  steps: Step[],
  firstRows: Parameters<typeof createMemoryTable>[1],
) {
  const results: (Result | StorageError)[] = []
  let memory = createMemoryTable(head, firstRows, rules)
  let headBefore = { ...head }
  for (const [i, step] of steps.entries()) {
    if (i > 0) {
      const outcomes = await awaitAll([
        ...writeRows(client, head, memory),
        ...(beginsBatch(step) ? [client.query('SAVEPOINT batch')] : []),
        selectNamed(client, step),
      ]).catch(throwReadError)
      memory = createMemoryTable(head, outcomes.at(-1)?.rows ?? [], rules)
    }
    if (beginsBatch(step)) headBefore = { ...head }
    if (runStep(step, results, memory.table)) continue
    Object.assign(head, headBefore)
    memory = createMemoryTable(head, [], rules)
    await client.query('ROLLBACK TO SAVEPOINT batch').catch(throwReadError)
  }
  return { results, memory }
}

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
    let isFirstPart = true
    for (const part of splitBatch(command[1])) {
      steps.push([{ index, command: ['writeBatch', part], isFirstPart }])
      isFirstPart = false
    }
  }
  return steps
}

/** Runs the commands and adds their results. Returns false after a batch that does not fit. */
function runStep(step: Step, results: (Result | StorageError)[], table: EmployeeTable): boolean {
  const employeeCommands = createEmployeeCommands(table)
  for (const { index, command } of step) {
    const before = results[index]
    if (before instanceof StorageError || before?.outcome.outcome === 'key-reused') continue
    try {
      const result = runEmployeeCommand(employeeCommands, command)
      results[index] = before ? joinParts(before, result) : result
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      results[index] = error
      return false
    }
  }
  return true
}

/** Adds the result of the next part of a batch to that of those before it. */
function joinParts(before: Result, part: Result): Result {
  if (!isOfBatch(before) || !isOfBatch(part)) throw new Error('Only batches have parts.')
  before.outcome.kept.push(...part.outcome.kept)
  before.outcome.restored.push(...part.outcome.restored)
  before.writes.seqs.push(...part.writes.seqs)
  for (const [revision, fields] of part.writes.filled) before.writes.filled.set(revision, fields)
  const { revision } = part.writes
  Object.assign(before.outcome, { revision })
  Object.assign(before.writes, { revision })
  return before
}

const isOfBatch = (result: Result): result is Extract<WrittenByBatch, { outcome: WrittenBatch }> =>
  'seqs' in result.writes

function selectNamed(client: DatabaseClient, step: Step) {
  const ids = step.flatMap(({ command }) => commandIds(command))
  return client.query(selectNamedSql, [ids])
}

/** Lets other requests run in between, because another process may have written a batch. */
async function toChanges(rows: StoredRow[], encryption: FieldEncryption): Promise<EmployeeChange[]> {
  const changes: EmployeeChange[] = []
  await inTurns(rows, ({ seq, id, revision, removed, ...row }) => {
    const fields = removed ? null : encryption.decrypt(id, toColumns(row))
    changes.push(toChange({ seq, id, revision, fields }))
  })
  return changes
}

function requireSameDatabase(known: KnownState, current: { identity: string; revision: number }) {
  if (current.identity !== known.identity || current.revision < known.latestRevision) throw new StaleError()
}

/** The ids of the records that a command reads or writes. */
function commandIds([, first]: Command): string[] {
  if (typeof first === 'string') return [first]
  const { add, update, remove, restore = [] } = first
  return [...add, ...update.map(({ seen }) => seen), ...remove, ...restore].map(({ id }) => id)
}

/** Waits until all have settled, so that no query is in flight, then rejects with the first error, if any. */
async function awaitAll<T>(queries: Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(queries)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return Promise.all(queries)
}
