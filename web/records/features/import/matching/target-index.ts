import { type EmployeeFields, type FieldName, fieldOf } from '../../../../../contract/employees.ts'
import { isSameText, normalizeText, readings } from './same-text.ts'

/** Long work that can pause at each `yield`. */
export type Steps<T> = Generator<undefined, T>

/** A record as it will be after the import: an existing one, or one that a row adds. */
interface Target {
  fields: EmployeeFields
  /** The first row that was matched to this record. Without it, the record is free. */
  rowNumber?: number
}

/** Records with the same email, or of those the ones with the same texts in some other fields. */
interface Bucket<T> {
  members: T[]
  freeCount: number
  /** Those before this position are not free, and stay so. */
  freeAt: number
  /** Those before this position have left, because their texts have changed. */
  firstAt: number
}

interface Group<T> extends Bucket<T> {
  /** The key is the names of the fields. Empty for few records. */
  indexes: Map<string, Index<T>>
}

interface Index<T> {
  names: readonly FieldName[]
  buckets: Map<string, Bucket<T>>
  bucketOf: Map<T, Bucket<T>>
}

/** The records that a row may mean. */
interface FoundTargets<T> {
  first: T | undefined
  freeCount: number
  firstFree: T | undefined
}

/** So many records are compared with a row one by one; more have indexes. */
const maxCompared = 8

/** The number of records that are looked at between two pauses. */
const recordsPerStep = 500

/** Finds records by their email and other fields. A search takes no longer if many records share these. */
export function createTargetIndex<T extends Target>() {
  const groups = new Map<string, Group<T>>()
  const groupOf = ({ email }: EmployeeFields) => groups.get(email.toLowerCase())

  /** The records with the email of a row and its texts in these fields. */
  function* find(fields: EmployeeFields, names: readonly FieldName[]): Steps<FoundTargets<T>> {
    const group = groupOf(fields)
    const { members } = group ?? createBucket<T>()
    if (!group || members.length <= maxCompared) return compareEach(members, fields, names)
    const index = yield* prepareIndex(group, names)
    const buckets = listKeys(fields, names).flatMap((key) => index.buckets.get(key) ?? [])
    const firsts = buckets.flatMap((bucket) => findFirst(bucket, index) ?? [])
    return {
      first: firsts[0],
      freeCount: buckets.reduce((sum, { freeCount }) => sum + freeCount, 0),
      firstFree: buckets.map(findFree).find((target) => target !== undefined),
    }
  }

  return {
    find,

    /** The records with the email of a row. */
    findByEmail(fields: EmployeeFields): FoundTargets<T> & { count: number } {
      const group = groupOf(fields) ?? createBucket<T>()
      const { members, freeCount } = group
      return { count: members.length, first: members[0], freeCount, firstFree: findFree(group) }
    },

    add(target: T): void {
      const group = groupOf(target.fields) ?? { ...createBucket<T>(), indexes: new Map() }
      groups.set(target.fields.email.toLowerCase(), group)
      addTo(group, target)
      for (const index of group.indexes.values()) place(target, index)
    },

    /** Matches a row to a free record, which will have these fields. */
    take(target: T, rowNumber: number, fields = target.fields): void {
      const group = groupOf(target.fields)
      target.rowNumber = rowNumber
      target.fields = fields
      if (!group) return
      group.freeCount--
      for (const index of group.indexes.values()) {
        const bucket = index.bucketOf.get(target)
        if (bucket) bucket.freeCount--
        place(target, index)
      }
    },
  }
}

function createBucket<T>(): Bucket<T> {
  return { members: [], freeCount: 0, freeAt: 0, firstAt: 0 }
}

function addTo<T extends Target>(bucket: Bucket<T>, target: T): void {
  bucket.members.push(target)
  if (target.rowNumber === undefined) bucket.freeCount++
}

/** Puts a record where its texts belong. */
function place<T extends Target>(target: T, { names, buckets, bucketOf }: Index<T>): void {
  const key = toKey(names.map((name) => normalizeText(fieldOf(target.fields, name))))
  const bucket = buckets.get(key) ?? createBucket<T>()
  if (bucketOf.get(target) === bucket) return
  buckets.set(key, bucket)
  bucketOf.set(target, bucket)
  addTo(bucket, target)
}

function* prepareIndex<T extends Target>(group: Group<T>, names: readonly FieldName[]): Steps<Index<T>> {
  const id = names.join()
  const known = group.indexes.get(id)
  if (known) return known
  const index: Index<T> = { names, buckets: new Map(), bucketOf: new Map() }
  group.indexes.set(id, index)
  for (const [i, target] of group.members.entries()) {
    if (i % recordsPerStep === 0) yield
    place(target, index)
  }
  return index
}

function findFirst<T>(bucket: Bucket<T>, { bucketOf }: Index<T>): T | undefined {
  for (; bucket.firstAt < bucket.members.length; bucket.firstAt++) {
    const target = bucket.members[bucket.firstAt] as T
    if (bucketOf.get(target) === bucket) return target
  }
  return undefined
}

function findFree<T extends Target>(bucket: Bucket<T>): T | undefined {
  while (bucket.members[bucket.freeAt]?.rowNumber !== undefined) bucket.freeAt++
  return bucket.members[bucket.freeAt]
}

function compareEach<T extends Target>(
  targets: T[],
  fields: EmployeeFields,
  names: readonly FieldName[],
): FoundTargets<T> {
  const isSame = (target: T) =>
    names.every((name) => isSameText(fieldOf(fields, name), fieldOf(target.fields, name)))
  const same = targets.filter(isSame)
  const free = same.filter(({ rowNumber }) => rowNumber === undefined)
  return { first: same[0], freeCount: free.length, firstFree: free[0] }
}

const toKey = (texts: readonly string[]) => JSON.stringify(texts)

/** The keys of what the cells of a row may stand for. */
function listKeys(fields: EmployeeFields, names: readonly FieldName[]): string[] {
  const combinations = names.reduce<string[][]>(
    (before, name) => {
      const forms = readings(fieldOf(fields, name))
      return before.flatMap((texts) => forms.map((text) => [...texts, text]))
    },
    [[]],
  )
  return combinations.map(toKey)
}
