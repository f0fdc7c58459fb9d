import { hasSameFields } from '../../../contract/employees.ts'
import { inTurns } from '../../yield-to-event-loop.ts'
import type { SendCommand } from '../decide.ts'
import type { FieldEncryption } from '../encryption/field-encryption.ts'
import { toColumns } from '../field-columns.ts'
import type { HistoryStorage } from '../history.ts'
import { decryptPrevious } from '../previous-passwords.ts'
import type { LinkStorage, Storage } from '../storage.ts'
import {
  accountCommands,
  findByEmailKey,
  findRemoved,
  findResetLinkMaker,
  listAccounts,
  listLastSeen,
} from './accounts.ts'
import type { Command } from './command.ts'
import {
  countDeleted,
  findExposed,
  findIds,
  findRecordActivity,
  findSeq,
  groupRemovals,
  historyCommands,
  listPeople,
  readClockDoubtAge,
  selectActivityPage,
  selectDeleted,
  selectDeletedIds,
  selectDetailsOf,
  selectDetailsPage,
  selectPrevious,
  selectRemovals,
} from './history.ts'
import {
  findByResetLink,
  findInvitation,
  findRecords,
  linkCommands,
  listHandovers,
  listInvitations,
  listSheets,
} from './links.ts'
import { findPasskey, listPasskeys, passkeyCommands, readChallengeKey } from './passkeys.ts'
import { findEnded, findSession, isRemembered, listSessions, sessionCommands } from './sessions.ts'

/** All commands that write, by the names under which they reach the writer. */
const commands = {
  ...accountCommands,
  ...sessionCommands,
  ...linkCommands,
  ...passkeyCommands,
  ...historyCommands,
}

type ResultOf<C> = C extends Command<infer T> ? T : never

/** The commands that write, as functions that run them. */
export type SqlCommands = {
  [K in keyof typeof commands]: (
    ...args: Parameters<(typeof commands)[K]>
  ) => ResultOf<ReturnType<(typeof commands)[K]>>
}

export function getCommand<K extends keyof SqlCommands>(
  name: K,
  ...args: Parameters<SqlCommands[K]>
): Command<ReturnType<SqlCommands[K]>> {
  const create = commands[name] as (...args: unknown[]) => Command<ReturnType<SqlCommands[K]>>
  return create(...args)
}

export const sqlCommandNames = Object.keys(commands) as (keyof SqlCommands)[]

/** Runs commands on one database. */
export interface CommandRunner {
  /** Runs a command that only reads; synchronously in SQLite. */
  read<T>(command: Command<T>): T | Promise<T>
  /** Runs a command in a transaction. */
  write: SendCommand<SqlCommands>
}

/** Implements the ports of everything but the records, for both databases. */
export function createSqlStorage(
  { read, write }: CommandRunner,
  encryption: FieldEncryption,
): Pick<Storage, 'accounts' | 'sessions' | 'links' | 'passkeys' | 'history'> {
  return {
    accounts: {
      add: (...args) => write('addAccount', ...args),
      findByEmailKey: async (emailKey) => read(findByEmailKey(emailKey)),
      list: async () => read(listAccounts()),
      listLastSeen: async () => read(listLastSeen()),
      setPasswordHash: (...args) => write('setPasswordHash', ...args),
      replacePassword: (replacement) => write('replacePassword', replacement),
      remove: (uid) => write('removeAccount', uid),
      removeColleague: (...args) => write('removeColleague', ...args),
      confirmRemoval: (uid) => write('confirmRemoval', uid),
      findRemoved: async (emailKey) => read(findRemoved(emailKey)),
      letIn: (...args) => write('letIn', ...args),
      forgetRemoved: (removedUntil) => write('forgetRemoved', removedUntil),
      findResetLinkMaker: async (uid) => read(findResetLinkMaker(uid)),
    },
    sessions: {
      add: (...args) => write('addSession', ...args),
      isRemembered: (addressHash) => read(isRemembered(addressHash)),
      find: (hash) => read(findSession(hash)),
      listByAccount: async (uid) => read(listSessions(uid)),
      touch: (...args) => write('touchSession', ...args),
      end: (hashes) => write('endSessions', hashes),
      endAll: (uid) => write('endAllSessions', uid),
      findEnded: async (...args) => read(findEnded(...args)),
      endExpired: (...args) => write('endExpiredSessions', ...args),
    },
    links: createLinkStorage(read, write, encryption),
    passkeys: {
      readChallengeKey: async () => read(readChallengeKey()),
      list: async (uid) => read(listPasskeys(uid)),
      find: async (id) => read(findPasskey(id)),
      add: (...args) => write('addPasskey', ...args),
      remove: (...args) => write('removePasskey', ...args),
      signIn: (use) => write('signInWithPasskey', use),
      removeExpired: (now) => write('removeExpiredPasskeys', now),
    },
    history: createHistoryStorage(read, write, encryption),
  }
}

function createHistoryStorage(
  read: CommandRunner['read'],
  write: CommandRunner['write'],
  encryption: FieldEncryption,
): HistoryStorage {
  return {
    async *loadDetails(ids, passwordUntil) {
      const pages = ids
        ? [await read(selectDetailsOf(ids))]
        : pagesOf('seq', async (after) => read(selectDetailsPage(after, passwordUntil)))
      for await (const page of pages) yield page.map(({ seq: _, ...details }) => details)
    },
    listDeleted: async (limit) =>
      (await read(selectDeleted(limit))).map(({ id, deletedAt, deletedBy, ...row }) => ({
        id,
        ...encryption.decrypt(id, toColumns(row)),
        deletedAt,
        deletedBy,
      })),
    listPrevious: async (id) =>
      (await read(selectPrevious(id))).map(({ fields, ...previous }) => ({
        ...previous,
        fields: decryptPrevious(encryption, id, fields),
      })),
    wipePrevious: (replacedUntil) => write('wipePrevious', replacedUntil),
    countDeleted: async () => read(countDeleted()),
    listDeletions: async () =>
      groupRemovals(pagesOf('revision', async (after) => read(selectRemovals(after)))),
    listDeletedIds: async (deletion) => read(selectDeletedIds(deletion)),
    findExposed: async (uid) => read(findExposed(uid)),
    listPeople: async () => read(listPeople()),
    log: (activity) => write('logActivity', activity),
    logRecords: (...args) => write('logRecords', ...args),
    readClockDoubtAge: async () => read(readClockDoubtAge()),
    async *loadActivity() {
      for await (const page of pagesOf('id', async (after) => read(selectActivityPage(after))))
        yield page.map(({ id: _, ...activity }) => activity)
    },
    async listRecordActivity(id, limit) {
      const record = await read(findSeq(id))
      return record && findRecordActivity(read, record.seq, limit)
    },
    wipeDeleted: (removedUntil) => write('wipeDeleted', removedUntil),
    findIds: async (seqs) => read(findIds(seqs)),
    removeActivity: (loggedUntil) => write('removeActivity', loggedUntil),
  }
}

function createLinkStorage(
  read: CommandRunner['read'],
  write: CommandRunner['write'],
  encryption: FieldEncryption,
): LinkStorage {
  return {
    addInvitation: (...args) => write('addInvitation', ...args),
    findInvitation: async (...args) => read(findInvitation(...args)),
    listInvitations: async (now) => read(listInvitations(now)),
    removeInvitation: (...args) => write('removeInvitation', ...args),
    acceptInvitation: (...args) => write('acceptInvitation', ...args),
    setResetLink: (link) => write('setResetLink', link),
    findByResetLink: async (...args) => read(findByResetLink(...args)),
    async addHandovers(handovers, now, sheet) {
      const found = await read(findRecords(handovers.map(({ record }) => record)))
      const rows = new Map(found.map(({ id, ...row }) => [id, row]))
      const links: Parameters<SqlCommands['addHandovers']>[0] = []
      await inTurns(handovers, ({ seen, ...link }) => {
        const row = rows.get(link.record)
        if (row && hasSameFields(encryption.decrypt(link.record, toColumns(row)), seen))
          links.push({ ...link, revision: row.revision })
      })
      const added = links.length > 0 ? await write('addHandovers', links, now, sheet) : []
      if (!added) return handovers.map(() => 'too-many-handovers')
      return handovers.map(({ hash, record }) =>
        added.includes(hash) ? 'done' : rows.has(record) ? 'conflict' : 'not-found',
      )
    },
    listHandovers: async (now) => read(listHandovers(now)),
    listSheets: async (now) => read(listSheets(now)),
    removeHandovers: (...args) => write('removeHandovers', ...args),
    takeHandover: (...args) => write('takeHandover', ...args),
    removeExpired: (now) => write('removeExpiredLinks', now),
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
