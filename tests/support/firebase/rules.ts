import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  initializeTestEnvironment,
  type RulesTestContext,
  type TokenOptions,
} from '@firebase/rules-unit-testing'
import {
  type DocumentReference,
  deleteDoc,
  doc,
  type Firestore,
  type FirestoreError,
  getDocFromServer,
  getDocsFromServer,
  type Query,
  setDoc,
  setLogLevel,
} from 'firebase/firestore'
import { inject } from 'vitest'

export const shippedRules = readFileSync('firestore.rules', 'utf8')

/** The rules with another text in place of one that they must have: else a test of what differs would test nothing. */
export function changeRules(text: string, replacement: string): string {
  if (!shippedRules.includes(text)) throw new Error(`The rules have no “${text}”.`)
  return shippedRules.replace(text, replacement)
}

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

/** Repeats a read while an emulator on a busy machine does not answer: the SDK gives up after 10 s. Writes wait for ever. */
async function repeat<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if ((error as FirestoreError).code !== 'unavailable') throw error
      await sleep(500)
    }
  }
}

export const getDoc = (reference: DocumentReference) => repeat(() => getDocFromServer(reference))
export const getDocs = (all: Query) => repeat(() => getDocsFromServer(all))

export const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000)
