import { includesFields } from '../../../contract/employees.ts'
import { inTurns } from '../../yield-to-event-loop.ts'
import type { SendCommand } from '../decide.ts'
import type { FieldEncryption } from '../encryption/field-encryption.ts'
import { toColumns } from '../field-columns.ts'
import type {
  ActivityFilter,
  ActivityPart,
  DeletedRecord,
  LoggedActivity,
  StoredDetails,
  StoredPrevious,
} from '../history.ts'
import { decryptPrevious } from '../previous-passwords.ts'
import type { Handover, HandoverOutcome } from '../types.ts'
import { accountReads, accountWrites } from './accounts.ts'
import { activityReads, activityWrites, selectActivity } from './activity.ts'
import type { Command } from './command.ts'
import * as history from './history.ts'
import { identityReads, identityWrites } from './identities.ts'
import { findRecords, linkReads, linkWrites } from './links.ts'
import { passkeyReads, passkeyWrites } from './passkeys.ts'
import { sessionReads, sessionWrites } from './sessions.ts'

/** All commands that write, by the names under which they reach the writer. */
export const sqlCommands = {
  ...prefixNames('accounts', accountWrites),
  ...prefixNames('sessions', sessionWrites),
  ...prefixNames('links', linkWrites),
  ...prefixNames('passkeys', passkeyWrites),
  ...prefixNames('identities', identityWrites),
  ...prefixNames('history', { ...history.historyWrites, ...activityWrites }),
}

function prefixNames<Port extends string, Commands extends object>(port: Port, commands: Commands) {
  const named = Object.entries(commands).map(([name, command]) => [`${port}.${name}`, command])
  return Object.fromEntries(named) as { [K in keyof Commands & string as `${Port}.${K}`]: Commands[K] }
}

export type SqlCommands = {
  [K in keyof typeof sqlCommands]: (typeof sqlCommands)[K] extends (...args: infer Args) => Command<infer T>
    ? (...args: Args) => T
    : never
}

export function createSqlCommands(run: <T>(command: Command<T>) => T): SqlCommands {
  const runs = Object.entries<(...args: never) => Command<unknown>>(sqlCommands).map(([name, create]) => [
    name,
    (...args: never) => run(create(...args)),
  ])
  return Object.fromEntries(runs)
}

export interface CommandRunner {
  /** Runs a command that only reads; synchronously in SQLite. */
  read<T>(command: Command<T>): T | Promise<T>
  /** Runs a command in a transaction. */
  write: SendCommand<SqlCommands>
}

/** The ports of everything but the records. Most methods run the command of their name. */
export type SqlStorage = ReturnType<typeof createSqlStorage>

export function createSqlStorage(runner: CommandRunner, encryption: FieldEncryption) {
  const { read } = runner
  return {
    accounts: createPort(runner, 'accounts', accountReads, accountWrites),
    sessions: {
      ...createPort(runner, 'sessions', sessionReads, sessionWrites),
      // Synchronous in SQLite, because every request calls the first, and every sign-in the other.
      find: (hash: string) => read(sessionReads.find(hash)),
      isRemembered: (addressHash: string) => read(sessionReads.isRemembered(addressHash)),
    },
    links: createLinkPort(runner, encryption),
    passkeys: createPort(runner, 'passkeys', passkeyReads, passkeyWrites),
    identities: createPort(runner, 'identities', identityReads, identityWrites),
    history: createHistoryPort(runner, encryption),
  }
}

type Commands = Record<string, (...args: never) => Command<unknown>>

type Methods<C> = {
  [K in keyof C]: C[K] extends (...args: infer Args) => Command<infer T>
    ? (...args: Args) => Promise<T>
    : never
}

function createPort<Reads extends Commands, Writes extends Commands>(
  { read, write }: CommandRunner,
  port: string,
  reads: Reads,
  writes: Writes,
) {
  const methods = [
    ...Object.entries(reads).map(([name, create]) => [name, async (...args: never) => read(create(...args))]),
    ...Object.keys(writes).map((name) => [
      name,
      (...args: never) => write(`${port}.${name}` as keyof SqlCommands, ...args),
    ]),
  ]
  return Object.fromEntries(methods) as Methods<Reads> & Methods<Writes>
}

type LoadedPart = ActivityPart<LoggedActivity & { id: number }>

function createHistoryPort(runner: CommandRunner, encryption: FieldEncryption) {
  const { read } = runner
  return {
    ...createPort(
      runner,
      'history',
      { ...history.historyReads, ...activityReads },
      { ...history.historyWrites, ...activityWrites },
    ),
    /**
     * Yields pages of details: for these ids, or, without hand-overs, for all records, or for those whose password has not changed
     * since `passwordUntil`, in ms since 1970. Skips records without details.
     */
    async *loadDetails(ids?: string[], passwordUntil?: number): AsyncGenerator<StoredDetails[]> {
      const pages = ids
        ? [await read(history.selectDetailsOf(ids))]
        : pagesOf('seq', async (after) => read(history.selectDetailsPage(after, passwordUntil)))
      for await (const page of pages) yield page.map(({ seq: _, ...details }) => details)
    },
    /** The latest, newest first, at most `limit`. */
    listDeleted: async (limit: number): Promise<DeletedRecord[]> =>
      (await read(history.selectDeleted(limit))).map(({ id, deletedAt, deletedBy, ...row }) => ({
        id,
        ...encryption.decrypt(id, toColumns(row)),
        deletedAt,
        deletedBy,
      })),
    /** The kept passwords that a record had before, the latest first; none if there is no such record. */
    listPrevious: async (id: string): Promise<StoredPrevious[]> =>
      (await read(history.selectPrevious(id))).map(({ fields, ...previous }) => ({
        ...previous,
        fields: decryptPrevious(encryption, id, fields),
      })),
    /** The latest deletions of `minDeletion` records or more by one person, less than 5 s after each other; newest first. */
    listDeletions: () =>
      history.groupRemovals(pagesOf('revision', async (after) => read(history.selectRemovals(after)))),
    /** The log, or what is wanted of it, the oldest first, in pages. */
    async *loadActivity(filter: Omit<ActivityFilter, 'limit'> = {}): AsyncGenerator<LoggedActivity[]> {
      const wanted = { ...filter, isOldestFirst: true, limit: history.pageSize }
      for (let after: number | undefined = 0; after !== undefined; ) {
        const { entries, next }: LoadedPart = await read(selectActivity({ ...wanted, after }, true))
        if (entries.length > 0) yield entries.map(({ id: _, ...activity }) => activity)
        after = next
      }
    },
    /**
     * What was done to a record since it was added, as far as it was logged, and exports of many records meanwhile: the latest
     * first, at most `limit`. Undefined if there was no such record. Reads the log in parts, between which others can read.
     */
    listRecordActivity: (id: string, limit: number) => history.listRecordActivity(read, id, limit),
  }
}

function createLinkPort(runner: CommandRunner, encryption: FieldEncryption) {
  const { insertHandovers, ...port } = createPort(runner, 'links', linkReads, linkWrites)
  return {
    ...port,
    /**
     * Adds links of one account, and returns the outcome of each. `sheet`: the id of their sheet, whose links replace the open ones
     * that their records have on other sheets. `conflict`: the record is no longer as `seen`. `too-many-handovers`, for all: there
     * would be more than `maxOpenLinks` or `maxSheetLinks`, or the account is gone.
     */
    async addHandovers(handovers: Handover[], now: number, sheet?: string): Promise<HandoverOutcome[]> {
      const found = await runner.read(findRecords(handovers.map(({ record }) => record)))
      const rows = new Map(found.map(({ id, ...row }) => [id, row]))
      const matching: Parameters<typeof insertHandovers>[0] = []
      await inTurns(handovers, ({ seen, ...link }) => {
        const row = rows.get(link.record)
        if (row && includesFields(encryption.decrypt(link.record, toColumns(row)), seen))
          matching.push({ ...link, revision: row.revision })
      })
      const added = matching.length > 0 ? await insertHandovers(matching, now, sheet) : []
      if (!added) return handovers.map(() => 'too-many-handovers')
      return handovers.map(({ hash, record }) =>
        added.includes(hash) ? 'done' : rows.has(record) ? 'conflict' : 'not-found',
      )
    },
  }
}

/** Yields pages of rows in ascending order of a column, which begins above 0. */
export async function* pagesOf<K extends string, Row extends Record<K, number>>(
  column: K,
  select: (after: number) => Promise<Row[]>,
) {
  let after = 0
  for (;;) {
    const rows = await select(after)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last[column]
  }
}
