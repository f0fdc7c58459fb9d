import { type Employee, hasSameFields } from '../../contract/employees.ts'
import type { Change } from '../../contract/protocol.ts'

/** Up to this number, changes are applied one by one. Each searches the list; one pass costs as much as five searches. */
const onePassThreshold = 4

/** In place of the id of the record before: the record stays where it is, or is appended. No record has this id. */
export const anyPlace = ''

/** Applies changes in order. Returns the same array if they have no effect. */
export function applyChanges(employees: Employee[], changes: readonly Change[]): Employee[] {
  return changes.length > onePassThreshold
    ? applyInOnePass(employees, changes)
    : changes.reduce(applyChange, employees)
}

/**
 * A saved record stands after the record `after`, or first if null, in place of the one with its id. If the list has no record `after`,
 * it stays where that one was, or is appended. Few are inserted elsewhere or moved: they take a pass.
 */
function applyChange(employees: Employee[], change: Change): Employee[] {
  const id = change.type === 'removed' ? change.id : change.document.id
  // Most changes concern the newest records, so it searches from the end.
  const index = employees.findLastIndex((employee) => employee.id === id)
  const existing = employees[index]
  if (change.type === 'removed') return existing ? employees.toSpliced(index, 1) : employees
  const { document, after } = change
  const last = existing ? index : employees.length
  if ((employees[last - 1]?.id ?? null) !== after && after !== anyPlace)
    return applyInOnePass(employees, [change])
  if (!existing) return [...employees, document]
  return hasSameFields(existing, document) ? employees : employees.with(index, document)
}

/** A node of a ring. Only its head has no record: it stands between the last and the first. */
interface ListNode {
  employee: Employee | null
  previous: ListNode
  next: ListNode
}

function unlink({ previous, next }: ListNode) {
  previous.next = next
  next.previous = previous
}

function link(node: ListNode, predecessor: ListNode) {
  node.previous = predecessor
  node.next = predecessor.next
  predecessor.next.previous = node
  predecessor.next = node
}

function createNode(employee: Employee | null): ListNode {
  const node = { employee } as ListNode
  node.previous = node.next = node
  return node
}

function applyInOnePass(employees: Employee[], changes: readonly Change[]): Employee[] {
  const head = createNode(null)
  /** The nodes of the records that the changes name. */
  const nodes = new Map<string, ListNode>()
  const ids = new Set(
    changes.flatMap((change) =>
      change.type === 'removed' ? [change.id] : [change.document.id, change.after],
    ),
  )
  for (const employee of employees) {
    const node = createNode(employee)
    link(node, head.previous)
    if (ids.has(employee.id)) nodes.set(employee.id, node)
  }
  let hasChanged = false

  function save(document: Employee, after: string | null) {
    const existing = nodes.get(document.id)
    const predecessor = after === null ? head : nodes.get(after)
    const isElsewhere = predecessor && predecessor !== existing && predecessor !== existing?.previous
    if (existing?.employee && !isElsewhere && hasSameFields(existing.employee, document)) return
    hasChanged = true
    const node = existing ?? createNode(document)
    node.employee = document
    nodes.set(document.id, node)
    if (isElsewhere) unlink(node)
    if (isElsewhere || !existing) link(node, predecessor ?? head.previous)
  }

  function remove(id: string) {
    const existing = nodes.get(id)
    if (!existing) return
    hasChanged = true
    unlink(existing)
    nodes.delete(id)
  }

  for (const change of changes) {
    if (change.type === 'removed') remove(change.id)
    else save(change.document, change.after)
  }
  if (!hasChanged) return employees
  const result: Employee[] = []
  for (let node = head.next; node.employee; node = node.next) result.push(node.employee)
  return result
}
