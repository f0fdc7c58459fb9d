import { type Employee, hasSameFields } from '../../contract/employees.ts'
import type { Change } from '../../contract/protocol.ts'

/** Up to this number, changes are applied one by one. Each searches the list; one pass costs as much as five searches. */
const onePassThreshold = 4

/** Applies changes in order. Returns the same array if they have no effect. */
export function applyChanges(employees: Employee[], changes: readonly Change[]): Employee[] {
  return changes.length > onePassThreshold
    ? applyInOnePass(employees, changes)
    : changes.reduce(applyChange, employees)
}

function applyChange(employees: Employee[], change: Change): Employee[] {
  return change.type === 'removed'
    ? removeEmployee(employees, change.id)
    : upsertEmployee(employees, change.document, change.after)
}

export function removeEmployee(employees: Employee[], id: string): Employee[] {
  const index = employees.findIndex((employee) => employee.id === id)
  return index < 0 ? employees : employees.toSpliced(index, 1)
}

/** Replaces the record with this id. If there is none, inserts it after the record `after`, or first if null. */
export function upsertEmployee(employees: Employee[], employee: Employee, after: string | null): Employee[] {
  // Most changes concern the newest records, so search from the end.
  const index = employees.findLastIndex(({ id }) => id === employee.id)
  const existing = employees[index]
  if (existing) return hasSameFields(existing, employee) ? employees : employees.with(index, employee)
  if (after === null) return [employee, ...employees]
  const predecessorIndex = employees.findLastIndex(({ id }) => id === after)
  return predecessorIndex < 0
    ? [...employees, employee]
    : employees.toSpliced(predecessorIndex + 1, 0, employee)
}

/** A node of a linked list. Removed nodes stay as tombstones, so that the links of later nodes remain valid. */
interface ListNode {
  employee: Employee | null
  next: ListNode | null
}

function applyInOnePass(employees: Employee[], changes: readonly Change[]): Employee[] {
  const head: ListNode = { employee: null, next: null }
  /** The nodes of the records that the changes name. */
  const nodes = new Map<string, ListNode>()
  const ids = new Set(
    changes.flatMap((change) =>
      change.type === 'removed' ? [change.id] : [change.document.id, change.after],
    ),
  )
  let tail = head
  for (const employee of employees) {
    tail.next = { employee, next: null }
    tail = tail.next
    if (ids.has(employee.id)) nodes.set(employee.id, tail)
  }
  let hasChanged = false

  function save(document: Employee, after: string | null) {
    const existing = nodes.get(document.id)
    if (existing?.employee && hasSameFields(existing.employee, document)) return
    hasChanged = true
    if (existing) {
      existing.employee = document
      return
    }
    const predecessor = after === null ? head : (nodes.get(after) ?? tail)
    predecessor.next = { employee: document, next: predecessor.next }
    nodes.set(document.id, predecessor.next)
    if (predecessor === tail) tail = predecessor.next
  }

  function remove(id: string) {
    const existing = nodes.get(id)
    if (!existing) return
    hasChanged = true
    existing.employee = null
    nodes.delete(id)
  }

  for (const change of changes) {
    if (change.type === 'removed') remove(change.id)
    else save(change.document, change.after)
  }
  if (!hasChanged) return employees
  const result: Employee[] = []
  for (let node: ListNode | null = head; node; node = node.next) {
    if (node.employee) result.push(node.employee)
  }
  return result
}
