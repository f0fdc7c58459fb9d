import { type Firestore, runTransaction, type Transaction } from 'firebase/firestore'
import { createServiceError } from '../service-error.ts'
import { readFirebaseCode, throwServiceError, withTimeout } from './errors.ts'
import { patienceOf } from './firestore.ts'

/**
 * The codes of a conflict with another transaction, whose result a retry reads, and of a failure inside Firestore. Rules see
 * the result before Firestore sees the conflict, and may refuse.
 */
const retryableCodes = new Set([
  'aborted',
  'already-exists',
  'failed-precondition',
  'permission-denied',
  'unknown',
])

/** Runs a transaction, at most three times. Rejects with a `ServiceError`. */
export type RunTransaction = <T>(work: (transaction: Transaction) => T | Promise<T>) => Promise<T>

/**
 * Every write is a transaction, because a transaction fails at once without a network. The SDK queues plain writes in
 * memory and sends them whenever the network returns.
 */
export function createTransactions(db: Firestore): RunTransaction {
  return async (work) => {
    for (let attemptsLeft = 2; ; attemptsLeft -= 1) {
      try {
        return await runOnce(db, work)
      } catch (error) {
        if (attemptsLeft === 0 || !retryableCodes.has(readFirebaseCode(error))) throwServiceError(error)
      }
    }
  }
}

async function runOnce<T>(db: Firestore, work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
  let isAbandoned = false
  const workUnlessAbandoned = async (transaction: Transaction) => {
    const result = await work(transaction)
    // The caller has already received an error, so nothing may be written any more.
    if (isAbandoned) throw createServiceError('offline')
    return result
  }
  try {
    const running = runTransaction(db, workUnlessAbandoned, { maxAttempts: 1 })
    return await withTimeout(patienceOf(db).responseMs, running)
  } finally {
    isAbandoned = true
  }
}
