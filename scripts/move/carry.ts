import { type EmployeeFields, sameFields } from '../../contract/employees.ts'

/** A place that holds a register: a service on which somebody is signed in, or a file. */
export interface End {
  /** As the operator named it. */
  name: string
  /** All records, in order. */
  list(): Promise<EmployeeFields[]>
  /** Adds records behind those that are there, in this order. */
  append(employees: EmployeeFields[]): Promise<void>
  close(): Promise<void>
}

/** It can't be done as asked; the message is for the operator. */
export class MoveError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MoveError'
  }
}

/**
 * Carries all records from one end to the other, in order, and reads them again there. What an earlier try has brought is
 * not brought again. Throws a `MoveError` where the other end holds anything else.
 */
export async function carry(from: End, to: End): Promise<{ records: number; brought: number }> {
  const wanted = await from.list()
  const there = await to.list()
  if (!isBeginningOf(there, wanted)) {
    throw new MoveError(`${to.name} holds other records already. Nothing was changed.`)
  }
  const missing = wanted.slice(there.length)
  if (missing.length > 0) await to.append(missing)
  const arrived = await to.list()
  if (arrived.length !== wanted.length || !isBeginningOf(arrived, wanted)) {
    throw new MoveError(`${to.name} was changed by someone else meanwhile. Compare the two before you go on.`)
  }
  return { records: wanted.length, brought: missing.length }
}

function isBeginningOf(part: EmployeeFields[], whole: EmployeeFields[]): boolean {
  return part.every((employee, i) => {
    const expected = whole[i]
    return expected !== undefined && sameFields(employee, expected)
  })
}
