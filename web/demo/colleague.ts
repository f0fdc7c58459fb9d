import type { Employee } from '../../contract/employees.ts'
import { newIdempotencyKey } from '../backends/idempotency-key.ts'
import type { DocumentStore } from '../backends/ports.ts'
import { listen } from '../lib/dom.ts'
import { newcomers } from './people.ts'

/** The time between two changes, in ms. */
const pauseMs = { min: 12_000, max: 30_000 }

export interface Colleague {
  isWorking(): boolean
  setWorking(isWorking: boolean): void
  subscribe(listener: () => void): () => void
}

interface Visitor {
  /** Whether the visitor sees the records. */
  isPresent(): boolean
  /** The id of the record that the visitor has opened last, and may be editing. */
  openedRecord(): string | undefined
}

/**
 * Adds and edits records now and then, while the visitor sees them, and never the one that the visitor has opened. `documents` are
 * those of a signed-in client.
 */
export function createColleague(documents: DocumentStore, visitor: Visitor): Colleague {
  const changes = new EventTarget()
  let isWorking = true
  let timer: ReturnType<typeof setTimeout> | undefined

  async function work() {
    const employees = await documents.list()
    const newcomer = newcomers.find(({ email }) => employees.every((each) => each.email !== email))
    // Most of the work is on what is there.
    if (newcomer && Math.random() < 0.3) await documents.add(newcomer, newIdempotencyKey())
    else await changePassword(employees)
  }

  async function changePassword(employees: Employee[]) {
    const free = employees.filter(({ id }) => id !== visitor.openedRecord())
    const chosen = free[Math.floor(Math.random() * free.length)]
    if (!chosen) return
    const { id, ...seen } = chosen
    await documents.update(id, { ...seen, password: createPassphrase() }, seen)
  }

  function schedule() {
    clearTimeout(timer)
    if (!isWorking) return
    const delay = pauseMs.min + Math.random() * (pauseMs.max - pauseMs.min)
    timer = setTimeout(async () => {
      // What fails, such as a change that conflicts with one of the visitor, is left.
      if (visitor.isPresent()) await work().catch(() => {})
      schedule()
    }, delay)
  }

  schedule()
  return {
    isWorking: () => isWorking,
    setWorking(working) {
      isWorking = working
      schedule()
      changes.dispatchEvent(new Event('change'))
    },
    subscribe: (listener) => listen(changes, 'change', listener),
  }
}

const words = [
  'amber',
  'basil',
  'cedar',
  'delta',
  'fable',
  'ginger',
  'hazel',
  'indigo',
  'jasper',
  'kelp',
  'linen',
  'maple',
]

function createPassphrase(): string {
  const pick = () => words[Math.floor(Math.random() * words.length)]
  return `${pick()}-${pick()}-${pick()}-${Math.floor(Math.random() * 90) + 10}`
}
