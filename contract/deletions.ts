import { minDeletion } from './history.ts'

/** Removals further apart are not of one deletion, in ms. */
const maxGapMs = 5_000

/** The number of deletions that are listed, the latest. */
const maxDeletions = 20

/** The number of deleted records that are listed, the latest. */
export const maxListedDeleted = 1_000

/** Times are in ms since 1970. */
export interface DeletionGroup<Person> {
  since: number
  until: number
  count: number
  by: Person
}

/** Groups what somebody has deleted, one soon after the other. Removals are added in their order. */
export function createDeletionGroups<Person>() {
  const latest = new Map<Person, DeletionGroup<Person>>()
  const found: DeletionGroup<Person>[] = []

  return {
    add(at: number, by: Person): void {
      const last = latest.get(by)
      const group = last && at - last.until <= maxGapMs ? last : { since: at, until: at, count: 0, by }
      latest.set(by, group)
      // Clocks step back, and those of servers differ.
      group.since = Math.min(group.since, at)
      group.until = Math.max(group.until, at)
      group.count += 1
      if (group.count === minDeletion) found.push(group)
    },

    /** The latest groups of at least `minDeletion` records, newest first. */
    list: (): DeletionGroup<Person>[] => found.sort((a, b) => b.until - a.until).slice(0, maxDeletions),
  }
}

/** Groups a list of deleted records that begins with the latest. */
export function groupDeleted(
  deleted: readonly { deletedAt: string; deletedBy?: string | undefined }[],
): (Omit<DeletionGroup<never>, 'by' | 'since' | 'until'> & { since: string; until: string; by?: string })[] {
  const groups = createDeletionGroups<string | undefined>()
  for (const { deletedAt, deletedBy } of deleted.toReversed()) groups.add(Date.parse(deletedAt), deletedBy)
  return groups.list().map(({ since, until, count, by }) => ({
    count,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    ...(by !== undefined && { by }),
  }))
}
