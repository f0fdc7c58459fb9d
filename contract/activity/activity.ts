import type { XStatic } from 'typebox/schema'
import { arrayOf, countSchema, objectOf, textSchema, timestampSchema } from '../json-schema.ts'

/** The log can be narrowed to what happens to one of these. An import is about records and files. */
export const activityGroups = {
  records: ['add', 'change', 'delete', 'restore', 'import'],
  secrets: ['reveal', 'copy'],
  links: ['hand-over', 'revoke-hand-over', 'open-hand-over', 'expire-hand-over'],
  people: [
    'sign-up',
    'invite',
    'revoke-invitation',
    'accept-invitation',
    'remove-account',
    'let-in-account',
    'add-account',
  ],
  'sign-ins': [
    'sign-in',
    'sign-in-first',
    'sign-in-new-browser',
    'refuse-sign-in',
    'end-sessions',
    'create-reset-link',
    'use-reset-link',
    'change-password',
    'add-passkey',
    'remove-passkey',
    'connect-sso',
    'disconnect-sso',
    'reset-password',
    'revoke-sessions',
  ],
  files: ['import', 'export', 'export-passwords', 'emergency', 'backup', 'restore-backup'],
} as const

export type ActivityGroup = keyof typeof activityGroups

export const groupNames = Object.keys(activityGroups) as ActivityGroup[]

const serverKinds = ['change-key', 'doubt-clock', 'confirm-clock'] as const

/** The page has a text for each. */
export type ActivityKind = (typeof activityGroups)[ActivityGroup][number] | (typeof serverKinds)[number]

const activityKinds: ActivityKind[] = [...new Set([...Object.values(activityGroups).flat(), ...serverKinds])]

/** At most so many entries are returned at once. */
export const maxActivityPage = 100

/**
 * What happened: no field of a record. `by` and `account`, who did it and to whom it was done, are emails. Without `by`, the operator
 * did it, or nobody of the team: `open-hand-over`, whoever had the link; `expire-hand-over`; `refuse-sign-in`, whoever tried;
 * `doubt-clock`, the server.
 * `record` is an id; where they were many, `count` is their number. `count` is also that of refused sign-ins in an hour, which begins
 * with `at`, and of ended sessions. `browser`: the name of the one that signed in. `isReported`: as a page has told it.
 */
export const activityEntrySchema = objectOf(
  { id: textSchema, at: timestampSchema, kind: { type: 'string', enum: activityKinds } },
  {
    by: textSchema,
    record: textSchema,
    account: textSchema,
    count: countSchema,
    browser: textSchema,
    isReported: { const: true },
  },
)

export interface ActivityEntry extends Omit<XStatic<typeof activityEntrySchema>, 'kind'> {
  kind: ActivityKind
}

/**
 * The latest first. `next`: where the entries before these begin; without it, there are none. `isByPages`: there is no server, and pages
 * alone have written the log.
 */
export const activityPageSchema = objectOf({ entries: arrayOf(activityEntrySchema) }, { next: textSchema })

export interface ActivityPage {
  entries: ActivityEntry[]
  next?: string
  isByPages?: true
}

/** A search of the log names at most so many records, and so many people. */
export const maxActivitySubjects = 30

/**
 * Which entries to list. `before`: the `next` of a page. `after`: the id of an entry. `by`: the `uid` of who did it; empty: the operator.
 * `records`, ids, and `people`, a `uid` of each: only what was done to one of these records, also among others, or by or to one of these
 * people. Only without any of these is each page full that others follow: one may be short, or empty.
 */
export interface ActivityQuery {
  before?: string
  after?: string
  kind?: ActivityGroup
  by?: string
  records?: string[]
  people?: string[]
}
