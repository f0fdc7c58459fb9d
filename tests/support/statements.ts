import { createFieldEncryption } from '../../server/storage/encryption/field-encryption.ts'
import { createPasswordKey } from '../../server/storage/encryption/password-digests.ts'
import type { ActivityFilter } from '../../server/storage/history.ts'
import * as accounts from '../../server/storage/sql/accounts.ts'
import * as activity from '../../server/storage/sql/activity.ts'
import { changeKey } from '../../server/storage/sql/change-key.ts'
import type { Command, Statement, StatementResult } from '../../server/storage/sql/command.ts'
import * as history from '../../server/storage/sql/history.ts'
import * as identities from '../../server/storage/sql/identities.ts'
import * as links from '../../server/storage/sql/links.ts'
import * as passkeys from '../../server/storage/sql/passkeys.ts'
import * as sessions from '../../server/storage/sql/sessions.ts'

type CreateCommand = (...args: unknown[]) => Command<unknown>

/** Only PostgreSQL runs it: its register has a column `revision`. */
export const postgresCommand = sessions.findSessions as CreateCommand

/** Every command of both databases, by a name for messages. */
export function listCommands(): [name: string, create: CreateCommand][] {
  const modules = { accounts, activity, history, identities, links, passkeys, sessions }
  const ports = Object.entries(modules).flatMap(([module, exports]) =>
    Object.entries(exports).flatMap(([name, exported]) =>
      typeof exported === 'object'
        ? Object.entries(exported).map(([each, create]) => [`${module}.${name}.${each}`, create])
        : [],
    ),
  )
  const { removeAgain, rememberFormer } = accounts
  const { selectDetailsOf, selectDetailsPage, selectPrevious, selectDeleted, selectRemovals } = history
  const others = {
    ...{
      removeAgain,
      rememberFormer,
      selectDetailsOf,
      selectDetailsPage,
      selectPrevious,
      selectDeleted,
      selectRemovals,
    },
    findRecords: links.findRecords,
    changeKey: () => changeKey(undefined, undefined),
  }
  return [...ports, ...Object.entries(others)] as [string, CreateCommand][]
}

/** The arguments of commands that need more than `anything`. */
const argumentsOf: Record<string, unknown[][]> = {
  'accounts.accountWrites.replacePassword': [
    {},
    { resetLink: {}, newSession: { session: {} } },
    { expectedHash: 'x' },
  ].map((replacement) => [{ uid: 'x', passwordHash: 'x', ...replacement }]),
  'accounts.accountReads.findByEmailKey': [['x']],
  'accounts.accountReads.findRemoved': [['x']],
  'activity.activityReads.listActivity': [
    [{ limit: 1 }],
    [{ limit: 1, before: 1, since: 1, group: 'links', by: ['x', null], isOldestFirst: true }],
  ],
  'activity.activityReads.searchActivity': [
    [{ limit: 100 }, { records: ['x'], people: [] }],
    [
      { limit: 100, before: 1, after: 1, group: 'links', by: ['x', null] },
      { records: ['x'], people: ['x'] },
    ],
  ],
  'identities.identityWrites.signIn': ['all', 'invited'].map((admission) => [
    {
      ...{ identity: { issuer: 'x', subject: 'x' }, email: { email: 'x', emailKey: 'x' } },
      ...{
        challenge: { nonce: 'x', expiresAt: 1 },
        newAccount: { uid: 'x', passwordHash: 'x', createdAt: 'x' },
      },
      ...{ admitsAll: admission === 'all', invitation: admission === 'invited' ? 'x' : undefined },
      ...{ session: { hash: 'x', createdAt: 1, lastSeenAt: 1 }, addressHash: 'x', now: 1 },
    },
  ]),
  'history.historyReads.listDeletedIds': [[{}], [{ by: ['x'] }]],
  'links.linkWrites.removeInvitation': [['x', 'x']],
  'links.linkWrites.acceptInvitation': [['x', {}, 1]],
  'links.linkWrites.insertHandovers': [undefined, 'x'].map((sheet) => [
    [{ record: 'x', revision: 'x', sealed: 'x' }],
    1,
    sheet,
  ]),
  'links.linkWrites.setResetLink': [{}, { by: 'y' }].map((maker) => [
    { uid: 'x', hash: 'x', expiresAt: 2, ...maker },
  ]),
  'links.linkWrites.removeHandovers': ['hash', 'sheet'].map((column) => [column, 'x', 'x']),
}

/** Stands for any argument and any row: a list of one, whose other properties are texts. */
function anything(): unknown {
  const texts: Record<string, string | null> = {
    openedAt: null,
    fields: '{}',
    passwordKey: createPasswordKey(createFieldEncryption(undefined)) as string,
  }
  return new Proxy(['x'], {
    get: (list, key) =>
      key in list
        ? Reflect.get(list, key)
        : typeof key === 'string'
          ? key in texts
            ? texts[key]
            : 'x'
          : undefined,
  })
}

const maxStatements = 12
const maxBranches = 2 ** 10

/** Returns the SQL that a command runs with all its arguments, and without the last if that is optional, whichever statements find something. */
export function collectStatements(name: string, create: CreateCommand): Set<string> {
  const found = new Set<string>()
  const given = argumentsOf[name]
  for (const args of given ?? [Array.from({ length: create.length }, anything)]) collect(create, args, found)
  if (given) return found
  try {
    collect(create, Array.from({ length: create.length - 1 }, anything), found)
  } catch (error) {
    // The last argument is not optional.
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
  }
  return found
}

function collect(create: CreateCommand, args: unknown[], found: Set<string>) {
  for (let branch = 0; branch < maxBranches; branch++) {
    const command = create(...args)
    let step = command.next()
    for (let i = 0; !step.done && i < maxStatements; i++) {
      found.add(step.value.sql)
      const isFound = ((branch >> i) & 1) === 1
      const result: StatementResult = isFound ? { rows: [anything()], changes: 1 } : { rows: [], changes: 0 }
      step = command.next(result)
    }
  }
}

/** The statement that reads a page of the log, where these are the people of the filter. */
export function readPage(filter: ActivityFilter, people: object[]): Statement {
  const command = activity.selectActivity(filter)
  let step = command.next()
  while (!step.done && !step.value.sql.includes('ORDER BY activity.id')) {
    const rows = step.value.sql.includes('FROM people') ? people : [{ first: 1, last: 20_000 }]
    step = command.next({ rows, changes: 0 })
  }
  return step.value as Statement
}
