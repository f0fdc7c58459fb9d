import { hasSameFields } from '../../../contract/employees.ts'
import { inTurns } from '../../yield-to-event-loop.ts'
import type { SendCommand } from '../decide.ts'
import type { FieldEncryption } from '../encryption/field-encryption.ts'
import { toColumns } from '../field-columns.ts'
import type { HistoryStorage } from '../history.ts'
import { decryptPrevious } from '../previous-passwords.ts'
import type { LinkStorage, Storage } from '../storage.ts'
import * as accounts from './accounts.ts'
import type { Command } from './command.ts'
import * as history from './history.ts'
import * as links from './links.ts'
import * as passkeys from './passkeys.ts'
import * as sessions from './sessions.ts'

/** All commands that write, by the names under which they reach the writer. */
const commands = {
  ...accounts.accountCommands,
  ...sessions.sessionCommands,
  ...links.linkCommands,
  ...passkeys.passkeyCommands,
  ...history.historyCommands,
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
  runner: CommandRunner,
  encryption: FieldEncryption,
): Pick<Storage, 'accounts' | 'sessions' | 'links' | 'passkeys' | 'history'> {
  const { read, write } = runner
  return {
    accounts: {
      add: (...args) => write('addAccount', ...args),
      findByEmailKey: async (emailKey) => read(accounts.findByEmailKey(emailKey)),
      list: async () => read(accounts.listAccounts()),
      listLastSeen: async () => read(accounts.listLastSeen()),
      setPasswordHash: (...args) => write('setPasswordHash', ...args),
      replacePassword: (replacement) => write('replacePassword', replacement),
      remove: (uid) => write('removeAccount', uid),
      removeColleague: (...args) => write('removeColleague', ...args),
      confirmRemoval: (uid) => write('confirmRemoval', uid),
      findRemoved: async (emailKey) => read(accounts.findRemoved(emailKey)),
      letIn: (...args) => write('letIn', ...args),
      forgetRemoved: (removedUntil) => write('forgetRemoved', removedUntil),
      findResetLinkMaker: async (uid) => read(accounts.findResetLinkMaker(uid)),
    },
    sessions: {
      add: (...args) => write('addSession', ...args),
      isRemembered: (addressHash) => read(sessions.isRemembered(addressHash)),
      find: (hash) => read(sessions.findSession(hash)),
      listByAccount: async (uid) => read(sessions.listSessions(uid)),
      touch: (...args) => write('touchSession', ...args),
      end: (hashes) => write('endSessions', hashes),
      endAll: (uid) => write('endAllSessions', uid),
      findEnded: async (...args) => read(sessions.findEnded(...args)),
      endExpired: (...args) => write('endExpiredSessions', ...args),
    },
    links: createLinkStorage(runner, encryption),
    passkeys: {
      readChallengeKey: async () => read(passkeys.readChallengeKey()),
      list: async (uid) => read(passkeys.listPasskeys(uid)),
      find: async (id) => read(passkeys.findPasskey(id)),
      add: (...args) => write('addPasskey', ...args),
      remove: (...args) => write('removePasskey', ...args),
      signIn: (use) => write('signInWithPasskey', use),
      removeExpired: (now) => write('removeExpiredPasskeys', now),
    },
    history: createHistoryStorage(runner, encryption),
  }
}

function createHistoryStorage({ read, write }: CommandRunner, encryption: FieldEncryption): HistoryStorage {
  return {
    async *loadDetails(ids, passwordUntil) {
      const pages = ids
        ? [await read(history.selectDetailsOf(ids))]
        : pagesOf('seq', async (after) => read(history.selectDetailsPage(after, passwordUntil)))
      for await (const page of pages) yield page.map(({ seq: _, ...details }) => details)
    },
    listDeleted: async (limit) =>
      (await read(history.selectDeleted(limit))).map(({ id, deletedAt, deletedBy, ...row }) => ({
        id,
        ...encryption.decrypt(id, toColumns(row)),
        deletedAt,
        deletedBy,
      })),
    listPrevious: async (id) =>
      (await read(history.selectPrevious(id))).map(({ fields, ...previous }) => ({
        ...previous,
        fields: decryptPrevious(encryption, id, fields),
      })),
    wipePrevious: (replacedUntil) => write('wipePrevious', replacedUntil),
    countDeleted: async () => read(history.countDeleted()),
    listDeletions: async () =>
      history.groupRemovals(pagesOf('revision', async (after) => read(history.selectRemovals(after)))),
    listDeletedIds: async (deletion) => read(history.selectDeletedIds(deletion)),
    findExposed: async (uid) => read(history.findExposed(uid)),
    listPeople: async () => read(history.listPeople()),
    log: (activity) => write('logActivity', activity),
    logRecords: (...args) => write('logRecords', ...args),
    readClockDoubtAge: async () => read(history.readClockDoubtAge()),
    async *loadActivity() {
      for await (const page of pagesOf('id', async (after) => read(history.selectActivityPage(after))))
        yield page.map(({ id: _, ...activity }) => activity)
    },
    async listRecordActivity(id, limit) {
      const record = await read(history.findSeq(id))
      return record && history.findRecordActivity(read, record.seq, limit)
    },
    wipeDeleted: (removedUntil) => write('wipeDeleted', removedUntil),
    findIds: async (seqs) => read(history.findIds(seqs)),
    removeActivity: (loggedUntil) => write('removeActivity', loggedUntil),
  }
}

function createLinkStorage({ read, write }: CommandRunner, encryption: FieldEncryption): LinkStorage {
  return {
    addInvitation: (...args) => write('addInvitation', ...args),
    findInvitation: async (...args) => read(links.findInvitation(...args)),
    listInvitations: async (now) => read(links.listInvitations(now)),
    removeInvitation: (...args) => write('removeInvitation', ...args),
    acceptInvitation: (...args) => write('acceptInvitation', ...args),
    setResetLink: (link) => write('setResetLink', link),
    findByResetLink: async (...args) => read(links.findByResetLink(...args)),
    async addHandovers(handovers, now, sheet) {
      const found = await read(links.findRecords(handovers.map(({ record }) => record)))
      const rows = new Map(found.map(({ id, ...row }) => [id, row]))
      const matching: Parameters<SqlCommands['addHandovers']>[0] = []
      await inTurns(handovers, ({ seen, ...link }) => {
        const row = rows.get(link.record)
        if (row && hasSameFields(encryption.decrypt(link.record, toColumns(row)), seen))
          matching.push({ ...link, revision: row.revision })
      })
      const added = matching.length > 0 ? await write('addHandovers', matching, now, sheet) : []
      if (!added) return handovers.map(() => 'too-many-handovers')
      return handovers.map(({ hash, record }) =>
        added.includes(hash) ? 'done' : rows.has(record) ? 'conflict' : 'not-found',
      )
    },
    listHandovers: async (now) => read(links.listHandovers(now)),
    listSheets: async (now) => read(links.listSheets(now)),
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
