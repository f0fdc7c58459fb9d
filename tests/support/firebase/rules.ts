import { readFileSync } from 'node:fs'
import {
  initializeTestEnvironment,
  type RulesTestContext,
  type TokenOptions,
} from '@firebase/rules-unit-testing'
import { deleteDoc, doc, type Firestore, setDoc, setLogLevel } from 'firebase/firestore'
import { inject } from 'vitest'

export const shippedRules = readFileSync('firestore.rules', 'utf8')

export type TestRules = Awaited<ReturnType<typeof startRules>>

/** The modular API accepts the object that the test environment returns, but its type is that of the older API. */
const firestoreOf = (context: RulesTestContext) => context.firestore() as unknown as Firestore

/** The token of an account that has signed in with its password `secondsAgo`. */
export const tokenOf = (email: string, more: object = {}, secondsAgo = 10) =>
  ({
    firebase: { sign_in_provider: 'password' },
    auth_time: Math.floor(Date.now() / 1000) - secondsAgo,
    email,
    ...more,
  }) as TokenOptions

/** Starts the test environment with these rules. */
export async function startRules(rules = shippedRules) {
  // The SDK logs every rejected request, and these tests expect them.
  setLogLevel('silent')
  const { project, firestore: port } = inject('emulators')
  const firestore = { host: '127.0.0.1', port, rules }
  const environment = await initializeTestEnvironment({ projectId: project, firestore })

  /** Writes documents as Firebase's console does. */
  async function write(documents: Record<string, object>) {
    await environment.withSecurityRulesDisabled(async (context) => {
      for (const [path, data] of Object.entries(documents))
        await setDoc(doc(firestoreOf(context), path), data)
    })
  }

  return {
    write,
    /** Leaves these documents only. */
    async reset(documents: Record<string, object>) {
      await environment.clearFirestore()
      await write(documents)
    },
    /** Deletes a document as Firebase's console does. */
    clear: (path: string) =>
      environment.withSecurityRulesDisabled((context) => deleteDoc(doc(firestoreOf(context), path))),
    signedIn: (uid: string, token = tokenOf(`${uid}@x.y`)) =>
      firestoreOf(environment.authenticatedContext(uid, token)),
    signedOut: () => firestoreOf(environment.unauthenticatedContext()),
    stop: () => environment.cleanup(),
  }
}

export const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000)
