import type { ActivityGroup } from '../../contract/activity/activity.ts'
import { listWrites, type Writes } from './decide.ts'
import type { ActivityKind, NewActivity } from './history.ts'
import type { IdentifiedBatch, PasswordReplacement } from './types.ts'

/** Stored in each entry, with an index of all but `records`. What nobody of the team did itself has topics of its own. */
const topics = {
  records: 1,
  secrets: 2,
  links: 3,
  linkEnds: 4,
  people: 5,
  signIns: 6,
  refusals: 7,
  files: 8,
  imports: 9,
  server: 10,
} as const

type Topic = keyof typeof topics

const kindTopics: Record<ActivityKind, Topic> = {
  add: 'records',
  change: 'records',
  delete: 'records',
  restore: 'records',
  'batch-add': 'imports',
  'batch-change': 'records',
  'batch-delete': 'records',
  'batch-restore': 'records',
  'sign-up': 'people',
  invite: 'people',
  'revoke-invitation': 'people',
  'accept-invitation': 'people',
  'remove-account': 'people',
  'let-in-account': 'people',
  'add-account': 'people',
  'create-reset-link': 'signIns',
  'use-reset-link': 'signIns',
  'change-password': 'signIns',
  'reset-password': 'signIns',
  'add-passkey': 'signIns',
  'remove-passkey': 'signIns',
  'connect-sso': 'signIns',
  'disconnect-sso': 'signIns',
  'sign-in': 'signIns',
  'sign-in-first': 'signIns',
  'sign-in-new-browser': 'signIns',
  'end-sessions': 'signIns',
  'revoke-sessions': 'signIns',
  'refuse-sign-in': 'refusals',
  'hand-over': 'links',
  'revoke-hand-over': 'links',
  'open-hand-over': 'linkEnds',
  'expire-hand-over': 'linkEnds',
  'reported-reveal': 'secrets',
  'reported-copy': 'secrets',
  'reported-export': 'files',
  'reported-export-passwords': 'files',
  'reported-emergency': 'files',
  export: 'files',
  emergency: 'files',
  backup: 'files',
  'restore-backup': 'files',
  'change-key': 'server',
  'doubt-clock': 'server',
  'confirm-clock': 'server',
}

const groupTopics: Record<ActivityGroup, Topic[]> = {
  records: ['records', 'imports'],
  secrets: ['secrets'],
  links: ['links', 'linkEnds'],
  people: ['people'],
  'sign-ins': ['signIns', 'refusals'],
  files: ['files', 'imports'],
}

/** The topic of nearly all entries. */
export const recordsTopic: number = topics.records

export const topicOf = (kind: ActivityKind): number => topics[kindTopics[kind]]

/** Returns the topics of a group, or of all, that somebody did. */
export function listTopics(group: ActivityGroup | undefined, isBySomebody: boolean): number[] {
  const all = group ? groupTopics[group] : (Object.keys(topics) as Topic[])
  const known = isBySomebody ? all.filter((topic) => topic !== 'linkEnds' && topic !== 'refusals') : all
  return known.map((topic) => topics[topic])
}

/**
 * Returns what to log of a command that has written records: an entry for its change, or of a batch one for each kind of change.
 * See `listWrites`.
 */
export function activityOfWrites(writes: Writes, batch: IdentifiedBatch | undefined): NewActivity[] {
  if (Array.isArray(writes)) return writes.map(({ kind, by, seq, revision }) => ({ kind, by, seq, revision }))
  return Map.groupBy(listWrites(writes, batch), ({ kind }) => kind)
    .entries()
    .map(([kind, some]) => ({
      kind: `batch-${kind}` as ActivityKind,
      by: some[0]?.by,
      count: some.length,
      revision: some.at(-1)?.revision as number,
      records: formatRanges(some.map(({ seq }) => seq)),
    }))
    .toArray()
}

/** Writes numbers as a short text in ascending order: `1-3,5`. */
export function formatRanges(numbers: number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && number === last[1] + 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join()
}

/** Returns the numbers of a text of `formatRanges`. */
export function parseRanges(text: string): number[] {
  return text.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}

/** Whether a text of `formatRanges` has the number. Bisects it, because it may be long. */
export function includesNumber(text: string, number: number): boolean {
  for (let [start, end] = [0, text.length]; start < end; ) {
    const from = text.lastIndexOf(',', (start + end) >> 1) + 1
    const [range = ''] = text.slice(from).split(',', 1)
    const [first = 0, last = first] = range.split('-').map(Number)
    if (number < first) end = from - 1
    else if (number > last) start = from + range.length + 1
    else return true
  }
  return false
}

export function activityOfAccount(uid: string, by: string | undefined): NewActivity {
  return by === undefined ? { kind: 'add-account', account: uid } : { kind: 'sign-up', by }
}

/** A reset link or the old password means that the owner changed it; otherwise the operator did. */
export function activityOfReplacement({ uid, resetLink, newSession }: PasswordReplacement): NewActivity {
  if (resetLink) return { kind: 'use-reset-link', by: uid }
  return newSession ? { kind: 'change-password', by: uid } : { kind: 'reset-password', account: uid }
}
