import { type Firestore, runTransaction, type Transaction } from 'firebase/firestore'
import { failure, firebaseCode, refuse } from './errors.ts'
import { within } from './timeout.ts'

/** The longest that one transaction may take, in milliseconds. */
const longestWrite = 15_000

/** What a transaction that lost a race is answered; sent again, it sees the winner. */
const lostRace = new Set(['aborted', 'already-exists', 'failed-precondition'])

/** Carries out one transaction. Rejects with a `ServiceError`. */
export type Commit = <T>(work: (transaction: Transaction) => T | Promise<T>) => Promise<T>

/**
 * Every write is a transaction of one attempt. The SDK's plain writes wait in its memory for a network, unseen, and
 * are sent whenever there is one; a transaction is sent now or fails now.
 */
export function createCommit(db: Firestore): Commit {
  return async (work) => {
    for (let attemptsLeft = 2; ; attemptsLeft -= 1) {
      try {
        return await attempt(db, work)
      } catch (error) {
        if (attemptsLeft === 0 || !lostRace.has(firebaseCode(error))) refuse(error)
      }
    }
  }
}

async function attempt<T>(db: Firestore, work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
  let isGivenUp = false
  const sending = runTransaction(
    db,
    async (transaction) => {
      const result = await work(transaction)
      // What it read has come too late: nothing may be written behind the back of who was told that it failed.
      if (isGivenUp) throw failure('offline')
      return result
    },
    { maxAttempts: 1 },
  )
  try {
    return await within(longestWrite, sending)
  } finally {
    isGivenUp = true
  }
}
