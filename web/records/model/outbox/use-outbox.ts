import { useEffect, useState } from 'react'
import { readStoredUser } from '../../../auth/stored-user.tsx'
import { listen } from '../../../lib/dom.ts'
import { sendOperation } from '../book/book-slice.ts'
import { type Store, useAppStore } from '../book/store.ts'
import { nullStore, openEncryptedStore } from './encrypted-store.ts'
import { Outbox } from './outbox.ts'
import type { Tab } from './tab-lock.ts'

/** The outbox of a user, whose `uid` must be the component's key: null until loaded. `openOutbox` returns a promise of it. */
export function useOutbox(uid: string, tab: Promise<Tab>) {
  const store = useAppStore()
  const [outbox, setOutbox] = useState<Outbox | null>(null)
  // Loading rewrites the stored entries, so it must run once. StrictMode runs initializers and effects twice.
  const [openOutbox] = useState(() => {
    let loading: Promise<Outbox> | undefined
    return () => {
      loading ??= openOutboxOf(uid, store, tab)
      return loading
    }
  })
  useEffect(() => {
    void openOutbox().then(setOutbox)
    return () => leaveOutbox(uid, openOutbox())
  }, [openOutbox, uid])
  return { outbox, openOutbox }
}

/**
 * Returns the outbox of a user whose session has ended, if only this page has something that it has not stored, or deleted; else
 * loads one, and ends the earlier one, which may still be sending: it would store what it is sending as not saved after this one
 * has sent it again. Those of others are left: they were still signed in when their page was.
 */
export function openOutboxOf(uid: string, store: Store, tab: Promise<Tab>): Promise<Outbox> {
  const outboxes = openedOutboxes.get(store) ?? new Map<string, Promise<Outbox>>()
  openedOutboxes.set(store, outboxes)
  for (const each of outboxes) leaveOutbox(...each)
  const opening = replaceOutbox(outboxes.get(uid), () => loadOutbox(uid, store, tab))
  outboxes.set(uid, opening)
  return opening
}

async function replaceOutbox(earlier: Promise<Outbox> | undefined, load: () => Promise<Outbox>) {
  const outbox = await earlier
  await outbox?.saveForm()
  if (outbox && !outbox.isDurable && !outbox.isEnded) return outbox
  outbox?.end()
  return load()
}

/**
 * Call when the page of this user is left. Where the session has ended, the user is still stored, and may sign in again. If another one
 * has signed in, what only this page has stays in it, until they come back.
 */
export function leaveOutbox(uid: string, outbox: Promise<Outbox>): void {
  if (!isStored(uid))
    void outbox.then((outbox) => (!outbox.isDurable && outbox.countUnsaved() > 0) || outbox.end())
}

const isStored = (uid: string) => readStoredUser()?.uid === uid

/** The last outbox of each user of this page. */
export const openedOutboxes = new WeakMap<Store, Map<string, Promise<Outbox>>>()

/** Never rejects: without storage the outbox works in memory, and the user can still log out. */
export async function loadOutbox(uid: string, store: Store, tab: Promise<Tab>): Promise<Outbox> {
  const isWanted = () => isStored(uid)
  const outbox: Outbox = new Outbox({
    encryptedStore: await tab.then((tab) => openEncryptedStore(uid, tab, isWanted)).catch(() => nullStore),
    // A tab that was frozen may not know yet who has signed in.
    send: (operation, options, key) =>
      isWanted()
        ? store.dispatch(sendOperation({ operation, options, key, outbox, isWanted })).unwrap()
        : Promise.reject({ code: 'not-signed-in' }),
    getBook: () => store.getState().book,
  })
  warnBeforeLoss(outbox)
  await outbox.load()
  return outbox
}

/** Makes the browser ask before the page is closed while only it has unsaved changes, also on the account screens. */
function warnBeforeLoss(outbox: Outbox): void {
  let stop: (() => void) | undefined
  outbox.subscribe(() => {
    const isAtRisk = !outbox.isDurable && outbox.countUnsaved() > 0
    if (isAtRisk) stop ??= listen(globalThis.window, 'beforeunload', (event) => event.preventDefault())
    else if (stop) stop = void stop()
  })
}
