import type { Batch } from '../../../contract/batches.ts'
import {
  type Employee,
  type EmployeeFields,
  type FieldName,
  hasSameFields,
} from '../../../contract/employees.ts'
import type { Operation } from '../../../web/records/model/book/operation.ts'
import type { Entry } from '../../../web/records/model/outbox/entry.ts'
import { nameOf } from '../../support/people.ts'
import type { Written } from '../server/database.ts'

/** A change that a person has submitted. */
export interface Submission {
  operation: Operation
  /** The account, and the name of who uses it. */
  uid: string
  who: string
  at: number
  /** The page in which it was submitted. */
  page: unknown
  /** `excused`: the person knows that it may be lost, or has discarded it. */
  state: 'open' | 'saved' | 'excused'
  /** The entry in which it is shown. */
  entryId: string
  /** How often the record was removed, or back, before. */
  before: number
  /** The record was removed already. */
  wasRemoved: boolean
}

type Addition = Operation & { kind: 'add' }

/** The server recognizes so many of the latest changes of a record. */
const knownChanges = 8

/** The fields in which two records differ. */
export const changedFields = (before: EmployeeFields, after: EmployeeFields) =>
  Object.entries(after).filter(([name, text]) => text !== before[name as FieldName])

/** What identifies a change over all attempts to send it. */
export function keyOf(uid: string | undefined, operation: Operation): string {
  return `${uid} ${keyOfUser(operation)}`
}

function keyOfUser(operation: Operation): string {
  if ('key' in operation) return operation.key
  const { kind, employee } = operation
  const { id } = employee
  if (kind === 'remove') return `remove ${id}`
  if (kind === 'restore') return `restore ${id}`
  return `update ${id} ${changedFields(operation.before, employee).map(([name, text]) => `${name}=${text}`)}`
}

/** What people have submitted, and what the database has committed. */
export class Ledger {
  readonly submissions = new Map<string, Submission>()
  /** The states of each record, in order. */
  readonly #versions = new Map<string, (Written & { at: number })[]>()
  /** The latest state of each record. */
  readonly records = new Map<string, Written>()
  /** How often each text came into each record. */
  readonly arrivals = new Map<string, number>()
  /** How often it may: once, and once more for each undo. */
  readonly allowed = new Map<string, number>()
  readonly removals = new Map<string, number>()
  readonly returns = new Map<string, number>()
  readonly allowedRemovals = new Map<string, number>()
  readonly allowedReturns = new Map<string, number>()
  /** The records that were added with a name. */
  readonly added = new Map<string, Set<string>>()
  /** Names that may be added again as new records, because their record could not be restored. */
  readonly addableAgain = new Set<string>()
  /** The records that somebody has restored from the list of deleted ones. */
  readonly #restored = new Set<string>()
  /** The additions that were edited after an attempt that may have succeeded. */
  readonly #editedAdditions: Addition[] = []
  readonly problems: string[] = []
  /** Who has submitted each effect. */
  readonly #submitters = new Map<string, Set<string>>()
  /** Who was the author of each effect in the database. */
  readonly #authors = new Map<string, Set<string>>()
  /** The entries that were confirmed or given up, and may be sent again. */
  readonly #repeatable = new Set<string>()
  #revision = 0

  /** Records what the database has committed, and when. */
  commit(writes: Written[], at: number): void {
    for (const write of writes) {
      const { id, revision, isRemoved, fields, by } = write
      if (revision <= this.#revision) this.problems.push(`revision ${revision} follows ${this.#revision}`)
      this.#revision = revision
      this.#versions.set(id, [...(this.#versions.get(id) ?? []), { ...write, at }])
      const previous = this.records.get(id)
      this.records.set(id, write)
      if (!previous) {
        this.#recordAddition(id, nameOf(fields))
        addTo(this.#authors, `add ${nameOf(fields)}`, by ?? '')
      }
      if (isRemoved) {
        this.records.set(id, { ...write, fields: previous?.fields ?? fields })
        if (previous && !previous.isRemoved) {
          increment(this.removals, id)
          addTo(this.#authors, `remove ${id}`, by ?? '')
        }
        continue
      }
      if (previous?.isRemoved) increment(this.returns, id)
      for (const [name, text] of Object.entries(fields))
        if (previous && text !== previous.fields[name as FieldName]) {
          increment(this.arrivals, `${id} ${name}=${text}`)
          addTo(this.#authors, `${id} ${name}=${text}`, by ?? '')
        }
    }
  }

  /** What a list lacks of the state at a time, or has that was over by then. Later changes may be in it. */
  findForgotten(list: readonly Employee[], time: number): string[] {
    const listed = new Map(list.map((employee) => [employee.id, employee]))
    return [...this.#versions].flatMap(([id, versions]) => {
      const first = versions.findLastIndex(({ at }) => at <= time)
      if (first < 0) return []
      const shown = listed.get(id)
      const isCurrent = ({ isRemoved, fields }: Written) =>
        shown && !isRemoved ? hasSameFields(shown, fields) : isRemoved === !shown
      const { revision } = versions[first] as Written
      return versions.slice(first).some(isCurrent)
        ? []
        : [
            `shows ${shown ? JSON.stringify(shown) : 'nothing'} of ${id}, which had revision ${revision} before`,
          ]
    })
  }

  /** Changes whose author in the database is none of those who have submitted them. */
  findForeignAuthors(): string[] {
    return [...this.#authors].flatMap(([effect, authors]) => {
      const submitters = this.#submitters.get(effect)
      return [...authors]
        .filter((author) => submitters && !submitters.has(author) && !this.#hasEdited(author, effect))
        .map(
          (author) => `${effect} is by ${author || 'nobody'}, and not by ${[...(submitters ?? [])].join()}`,
        )
    })
  }

  /** Whether an effect is that of an addition that an account has edited. */
  #hasEdited(uid: string, effect: string): boolean {
    return [...this.submissions.values()].some(
      ({ uid: by, operation }) =>
        by === uid &&
        isEdited(operation) &&
        Object.entries(operation.fields).some(([name, text]) => effect.endsWith(` ${name}=${text}`)),
    )
  }

  /** Whether a page shows a record as it was before what it has shown, and what it shows from then on. `shown`: a version. */
  findShown(employee: Employee, shown: number): { isOlder: boolean; version: number } {
    const versions = this.#versions.get(employee.id) ?? []
    const isShown = ({ isRemoved, fields }: Written) => !isRemoved && hasSameFields(fields, employee)
    const version = versions.findIndex((each, i) => i >= shown && isShown(each))
    if (version >= 0) return { isOlder: false, version }
    return { isOlder: versions.slice(0, shown).some(isShown), version: shown }
  }

  #recordAddition(id: string, name: string): void {
    this.added.set(name, (this.added.get(name) ?? new Set()).add(id))
  }

  /** Records a change before it is submitted, and what it may do. */
  submit(operation: Operation, by: Pick<Submission, 'uid' | 'who' | 'at' | 'page' | 'entryId'>): void {
    const key = keyOf(by.uid, operation)
    const { id } = 'employee' in operation ? operation.employee : { id: '' }
    const before = (operation.kind === 'remove' ? this.removals : this.returns).get(id) ?? 0
    const wasRemoved = this.records.get(id)?.isRemoved ?? false
    const earlier = this.submissions.get(key)
    // A record may be deleted, restored and deleted again before the first answer has arrived. What was given up may be stored still.
    if (earlier && earlier.state !== 'saved' && earlier.entryId !== by.entryId)
      this.submissions.set(`${key}, ${earlier.entryId}`, earlier)
    this.submissions.set(key, { operation, ...by, state: 'open', before, wasRemoved })
    this.#allow(operation)
    for (const effect of listEffects(operation)) addTo(this.#submitters, effect, by.uid)
  }

  /** Records that a page has ended that could not store that these entries are saved or given up: the next one sends them again. */
  allowRepeated(entryIds: ReadonlySet<string>): void {
    for (const { entryId, state, operation } of this.submissions.values()) {
      if (state === 'open' || !entryIds.has(entryId)) continue
      this.#allow(operation)
      this.#repeatable.add(entryId)
    }
  }

  /** Whether a page may have sent an entry though it was saved or given up. */
  isRepeatable(entryId: string): boolean {
    return this.#repeatable.has(entryId)
  }

  /** Whether the change of an entry was confirmed, and the page could store that. A deletion may be another one of its record. */
  isSaved(uid: string | undefined, entry: Entry): boolean {
    if (!('operation' in entry) || entry.operation.kind === 'remove' || entry.operation.kind === 'restore')
      return false
    const submission = this.submissions.get(keyOf(uid, entry.operation))
    return submission && submission.state === 'saved' && submission.entryId === entry.id
      ? !this.#repeatable.has(entry.id)
      : false
  }

  /** The records that an addition may have added. */
  #findAdded({ fields }: Addition): string[] {
    return [...(this.added.get(nameOf(fields)) ?? [])]
  }

  /** An addition that was edited after an attempt may change what its author has changed, once for each time that it was edited. */
  #allowEditedAdditions(): Map<string, number> {
    const allowed = new Map(this.allowed)
    for (const addition of this.#editedAdditions) {
      const { fields, sent = [] } = addition
      const changed = new Map(sent.flatMap((version) => changedFields(version, fields)))
      for (const id of this.#findAdded(addition))
        for (const [name, text] of changed) increment(allowed, `${id} ${name}=${text}`)
    }
    return allowed
  }

  #allow(operation: Operation): void {
    if (isEdited(operation)) this.#editedAdditions.push(operation)
    if (operation.kind === 'update') this.#allowTexts(operation.employee, operation.before)
    if (operation.kind === 'remove') increment(this.allowedRemovals, operation.employee.id)
    if (operation.kind === 'restore') {
      const { employee, before = employee } = operation
      this.#allowReturn(employee)
      this.#allowTexts(employee, before)
    }
    if ('batch' in operation) this.#allowBatch(operation.batch)
  }

  #allowBatch({ update, remove, restore = [] }: Batch): void {
    for (const { id } of remove) increment(this.allowedRemovals, id)
    for (const { seen, fields } of update) this.#allowTexts({ id: seen.id, ...fields }, seen)
    for (const record of restore) this.#allowReturn(record)
  }

  #allowTexts(after: Employee, before: EmployeeFields): void {
    for (const [name, text] of changedFields(before, after))
      increment(this.allowed, `${after.id} ${name}=${text}`)
  }

  /** Records that somebody restores a deleted record from the list of those. */
  allowReturn(id: string): void {
    this.#restored.add(id)
    increment(this.allowedReturns, id)
  }

  /** What its author has not changed is as it was last: a restore loses no colleague's change. */
  #allowReturn({ id, ...fields }: Employee): void {
    increment(this.allowedReturns, id)
    this.addableAgain.add(nameOf(fields))
  }

  /** Whether an operation restores a record as its author has seen it, and others have changed it since. */
  restoresChanged(operation: Operation): boolean {
    const seen = (record: Employee) => ('before' in operation && operation.before ? operation.before : record)
    const restored =
      operation.kind === 'restore'
        ? [operation.employee]
        : operation.kind === 'restore-many'
          ? (operation.batch.restore ?? [])
          : []
    return restored.some((record) => {
      const last = this.records.get(record.id)
      return last?.isRemoved && !hasSameFields(last.fields, seen(record))
    })
  }

  /** Whether an addition was edited whose record exists, and others have changed it since. */
  addsChanged(operation: Operation): boolean {
    if (operation.kind !== 'add' || !operation.mayExist) return false
    const { sent = [] } = operation
    return this.#findAdded(operation).some((id) => {
      const fields = this.records.get(id)?.fields
      return fields && !sent.some((version) => hasSameFields(version, fields))
    })
  }

  /** Records that the service has confirmed a change. */
  confirm(uid: string, operation: Operation): void {
    const submission = this.#findSubmission(keyOf(uid, operation))
    if (!submission || isEarlier(operation, submission.operation)) return
    submission.state = 'saved'
    const problem = this.#findUnsaved(operation, submission)
    if (problem) this.problems.push(`${submission.who}'s ${operation.kind} was confirmed, but ${problem}`)
  }

  /** The first that is open of those that a record has had with the same effect; else the last. */
  #findSubmission(key: string): Submission | undefined {
    const isFirst = ([other, { state }]: [string, Submission]) =>
      state === 'open' && other.startsWith(`${key}, `)
    const [, first] = [...this.submissions].find(isFirst) ?? []
    return first ?? this.submissions.get(key)
  }

  /** Why a change is not in the database; undefined if it is. */
  #findUnsaved(operation: Operation, submission: Submission): string | undefined {
    const { before, wasRemoved } = submission
    const missing = (name: string) => (this.added.has(name) ? undefined : `${name} was not added`)
    switch (operation.kind) {
      case 'add':
        return missing(nameOf(operation.fields)) ?? this.#findMissingText(operation, submission)
      case 'import':
        return operation.batch.add.map((fields) => missing(nameOf(fields))).find(Boolean)
      case 'update':
        return operation.isUndo
          ? undefined
          : changedFields(operation.before, operation.employee)
              .filter(([name, text]) => !this.#hasHad(operation.employee.id, name, text))
              .map(([name, text]) => `${name} never became ${text}`)[0]
      case 'remove': {
        const { id } = operation.employee
        const isGone = wasRemoved || this.records.get(id)?.isRemoved || (this.removals.get(id) ?? 0) > before
        return isGone ? undefined : `${id} was not removed`
      }
      default:
        return undefined
    }
  }

  /** Whether a record has ever had a text: from the beginning, if what was added is sent as an update later. */
  #hasHad(id: string, name: string, text: string): boolean {
    return this.#versions.get(id)?.some(({ fields }) => fields[name as FieldName] === text) ?? false
  }

  /** The text of an addition that its record has never had. One that its author has changed since, in the record, is replaced by that. */
  #findMissingText(addition: Addition, { uid, at }: Submission): string | undefined {
    const ids = this.#findAdded(addition)
    const versions = ids.flatMap((id) => this.#versions.get(id) ?? [])
    const replaced = this.#listOwnUpdates(uid, at, ids).flatMap(({ before, employee }) =>
      changedFields(before, employee).map(([name]) => name),
    )
    const missing = Object.entries(addition.fields).find(
      ([name, text]) =>
        !replaced.includes(name) && !versions.some(({ fields }) => fields[name as FieldName] === text),
    )
    return missing && `${missing[0]} never became ${missing[1]}`
  }

  /** Whether only one account has changed the record of an update, in one page: then nothing can be in its way, also if it has given changes up. */
  isAlone(uid: string, operation: Operation): boolean {
    const submission = this.submissions.get(keyOf(uid, operation))
    if (
      operation.kind !== 'update' ||
      operation.isUndo ||
      !submission ||
      this.#repeatable.has(submission.entryId) ||
      this.#restored.has(operation.employee.id)
    )
      return false
    const { id } = operation.employee
    const isOfRecord = (other: Operation) =>
      concerns(other, id) || (isEdited(other) && this.#findAdded(other).includes(id))
    // What a page sends again that was given up or saved is in the way of what has followed it.
    const isRepeated = [...this.submissions.values()].some(
      ({ operation, entryId }) =>
        operation.kind === 'add' && this.#repeatable.has(entryId) && this.#findAdded(operation).includes(id),
    )
    if (isRepeated) return false
    return [...this.submissions.values()].every(
      ({ operation, page, uid: by }) =>
        !isOfRecord(operation) ||
        (page === submission.page && by === uid && (operation.kind === 'update' || isEdited(operation))),
    )
  }

  /**
   * Whether the server knows that each text of an update has come into its record, in place of what its author saw: only this update
   * has them, or the addition or the undo that it was. `isRemoved`: and that somebody has removed it since. Who has replaced a text,
   * and submits it once more, changes the record again. `askedAt`: when its author was asked about it. A conflict that has ended since is
   * sent again, and shown until the answer arrives.
   */
  wasSaved(uid: string, operation: Operation, isRemoved: boolean, askedAt: number): boolean {
    if (operation.kind !== 'update' || operation.isUndo) return false
    const { employee, before } = operation
    const versions = this.#versions.get(employee.id) ?? []
    const end = isRemoved ? versions.findLastIndex((version) => version.isRemoved) : versions.length
    const isKnown = (first: number) => first >= versions.length - knownChanges && first < end
    const changed = changedFields(before, employee)
    const submittedAt = this.submissions.get(keyOf(uid, operation))?.at
    return (
      changed.length > 0 &&
      changed.every(([name, text]) => {
        const find = (wanted: string | undefined, from: number) =>
          versions.findIndex(({ fields }, i) => i >= from && fields[name as FieldName] === wanted)
        const first = find(text, find(before[name as FieldName], 0) + 1)
        const { at = 0 } = versions[first] ?? {}
        const hasReplaced = this.#listOwnUpdates(uid, at, [employee.id], submittedAt).some((update) =>
          changedFields(update.before, update.employee).some(
            (other) => other[0] === name && other[1] !== text,
          ),
        )
        return first >= 0 && at <= askedAt && isKnown(first) && !hasReplaced
      })
    )
  }

  /** The updates of records that an account has submitted since, until a time. */
  #listOwnUpdates(uid: string, since: number, ids: readonly string[], until = Number.POSITIVE_INFINITY) {
    return [...this.submissions.values()].flatMap(({ uid: by, at, operation }) =>
      by === uid &&
      at >= since &&
      at <= until &&
      operation.kind === 'update' &&
      ids.includes(operation.employee.id)
        ? [operation]
        : [],
    )
  }

  /** Whether a change has taken effect in the database. */
  hasEffect(submission: Submission): boolean {
    const { operation } = submission
    if (operation.kind === 'restore')
      return (
        !this.records.get(operation.employee.id)?.isRemoved ||
        (this.returns.get(operation.employee.id) ?? 0) > submission.before
      )
    if (operation.kind === 'import' || !('batch' in operation))
      return this.#findUnsaved(operation, submission) === undefined
    return true
  }

  /** How often an addition that was edited after an attempt may restore its record, because somebody has removed that. */
  #countRestoringAdditions(id: string): number {
    return this.#editedAdditions.filter((addition) => this.#findAdded(addition).includes(id)).length
  }

  /** What took effect more often than it was submitted. */
  findRepeated(): string[] {
    const beyond = (counts: Map<string, number>, allowed: Map<string, number>, what: string) =>
      [...counts]
        .filter(([key, count]) => count > (allowed.get(key) ?? 0))
        .map(([key, count]) => `${what} ${count} times: ${key}`)
    const returns = new Map(
      [...this.returns].map(([id, count]) => [id, count - this.#countRestoringAdditions(id)]),
    )
    const twice = [...this.added].filter(([name, ids]) => ids.size > 1 && !this.addableAgain.has(name))
    return [
      ...twice.map(([name, ids]) => `${name} was added ${ids.size} times`),
      ...beyond(this.removals, this.allowedRemovals, 'removed'),
      ...beyond(returns, this.allowedReturns, 'restored'),
      ...beyond(this.arrivals, this.#allowEditedAdditions(), 'written'),
    ]
  }
}

/** What a change does, as the ledger names it. */
function listEffects(operation: Operation): string[] {
  const texts = ({ id, ...after }: Employee, before: EmployeeFields) =>
    changedFields(before, after).map(([name, text]) => `${id} ${name}=${text}`)
  if (operation.kind === 'add') return [`add ${nameOf(operation.fields)}`]
  if (operation.kind === 'update') return texts(operation.employee, operation.before)
  if (operation.kind === 'remove') return [`remove ${operation.employee.id}`]
  if (operation.kind === 'restore') return texts(operation.employee, operation.before ?? operation.employee)
  if (!('batch' in operation)) return []
  const { add, update, remove } = operation.batch
  return [
    ...add.map((fields) => `add ${nameOf(fields)}`),
    ...update.flatMap(({ seen, fields }) => texts({ id: seen.id, ...fields }, seen)),
    ...remove.map(({ id }) => `remove ${id}`),
  ]
}

/** Whether an operation names a record. */
/** Whether it is an addition that was edited after an attempt that may have succeeded. */
const isEdited = (operation: Operation): operation is Addition =>
  operation.kind === 'add' && operation.mayExist === true

function concerns(operation: Operation, id: string): boolean {
  if ('employee' in operation) return operation.employee.id === id
  if (!('batch' in operation)) return false
  const { update, remove, restore = [] } = operation.batch
  return [...update.map(({ seen }) => seen), ...remove, ...restore].some((record) => record.id === id)
}

/** Whether a change was edited while this attempt was on its way: the page sends it again, and finds what that has saved. */
const isEarlier = (confirmed: Operation, submitted: Operation) => countSent(confirmed) < countSent(submitted)

const countSent = (operation: Operation) =>
  'sent' in operation && operation.sent ? operation.sent.length : 0

function addTo(sets: Map<string, Set<string>>, key: string, item: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(item))
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
