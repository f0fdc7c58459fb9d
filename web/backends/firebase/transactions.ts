import { type Firestore, runTransaction, type Transaction } from 'firebase/firestore'
import { createServiceError, readFirebaseCode, throwServiceError } from './errors.ts'
import { withTimeout } from './timeout.ts'

/** The longest that one transaction may take, in milliseconds. */
const writeTimeoutMs = 15_000

/** What a transaction that lost a race is answered; sent again, it sees the winner. */
const retryableCodes = new Set(['aborted', 'already-exists', 'failed-precondition'])

/** Carries out one transaction. Rejects with a `ServiceError`. */
export type RunTransaction = <T>(work: (transaction: Transaction) => T | Promise<T>) => Promise<T>

/**
 * Every write is a transaction of one attempt. The SDK's plain writes wait in its memory for a network, unseen, and
 * are sent whenever there is one; a transaction is sent now or fails now.
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
  const transactionResult = runTransaction(
    db,
    async (transaction) => {
      const result = await work(transaction)
      // What it read has come too late: nothing may be written behind the back of who was told that it failed.
      if (isAbandoned) throw createServiceError('offline')
      return result
    },
    { maxAttempts: 1 },
  )
  try {
    return await withTimeout(writeTimeoutMs, transactionResult)
  } finally {
    isAbandoned = true
  }
}
