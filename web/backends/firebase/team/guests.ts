import { type Auth, deleteUser, signInAnonymously, type User } from 'firebase/auth'
import { doc, type Firestore, getDocFromServer, serverTimestamp } from 'firebase/firestore'
import type { TakenHandover } from '../../../../contract/handovers.ts'
import { t } from '../../../language/translate.ts'
import { loadLookAlikes } from '../../load-look-alikes.ts'
import { hasCode, ServiceError } from '../../ports.ts'
import { createServiceError } from '../../service-error.ts'
import { toServiceError } from '../errors.ts'
import { read } from '../firestore.ts'
import { createTransactions } from '../transactions.ts'
import { entryIds, handoversOf, hashSecret, log, sealedOf, wipe } from './members.ts'

export type Guests = ReturnType<typeof createGuests>

/**
 * Who opens a hand-over: an anonymous account of Firebase, made for it and then deleted. `auth` and `db` are of an app of its own,
 * so that whoever is signed in stays signed in.
 */
export function createGuests(auth: Auth, db: Firestore) {
  const runTransaction = createTransactions(db)
  const taken = new Map<string, TakenHandover>()
  let isAllowed = false
  /** Ends the account that has opened a link. */
  let ending: Promise<void> = Promise.resolve()

  /** Uses up the link. Also resolves if it can't be used: this account may have, and lost the response. */
  async function claim(id: string, token: string, { uid }: User) {
    const opening = { takenBy: uid, openedAt: serverTimestamp(), secret: token }
    await runTransaction((transaction) => {
      transaction.update(doc(handoversOf(db), id), opening)
      log(db, transaction, { kind: 'open-hand-over', by: null, link: id }, entryIds(id).opened)
    }).catch((error) => {
      if (!hasCode(error, 'not-allowed')) throw error
    })
  }

  async function readSealed(id: string): Promise<TakenHandover> {
    const sealed = await read(db, () => getDocFromServer(doc(sealedOf(db), id))).catch((error) => {
      throw hasCode(error, 'not-allowed') ? createServiceError('invalid-link') : error
    })
    if (!sealed.exists()) throw createServiceError('invalid-link')
    return { sealed: sealed.get('text'), by: sealed.get('by') }
  }

  return {
    /** Rejects where nobody could open a link, because anonymous sign-in is off in the project. */
    async requireAllowed() {
      if (isAllowed) return
      await deleteUser(await enter(auth)).catch(() => {})
      isAllowed = true
    },

    async takeHandover(token: string, key: string): Promise<TakenHandover> {
      const known = taken.get(token + key)
      if (known) return known
      await ending
      // Before the link is used up.
      const { isImitation } = await loadLookAlikes()
      const id = await hashSecret(token)
      const user = await enter(auth)
      await claim(id, token, user)
      try {
        const sealed = await readSealed(id)
        // An account that is no member sees no other emails.
        const link: TakenHandover = isImitation(sealed.by) ? { ...sealed, isLookAlike: true } : sealed
        taken.set(token + key, link)
        // In the background: if it fails, the page of a member wipes it after its time.
        ending = runTransaction((transaction) => wipe(db, transaction, id))
          .finally(() => deleteUser(user))
          .catch(() => {})
        return link
      } catch (error) {
        if (hasCode(error, 'invalid-link')) await deleteUser(user).catch(() => {})
        throw error
      }
    },
  }
}

async function enter(auth: Auth): Promise<User> {
  try {
    return (await signInAnonymously(auth)).user
  } catch (error) {
    const problem = toServiceError(error)
    if (problem.code !== 'sign-up-closed') throw problem
    const reason = t(
      'There are no links to credentials here: anonymous sign-in is off in the Firebase project.',
    )
    throw new ServiceError('not-allowed', reason)
  }
}
