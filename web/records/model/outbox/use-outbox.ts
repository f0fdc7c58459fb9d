import { useEffect, useState } from 'react'
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
      loading ??= findUnstored(uid, store) ?? loadOutbox(uid, store, tab)
      return loading
    }
  })
  useEffect(() => void openOutbox().then(setOutbox), [openOutbox])
  return { outbox, openOutbox }
}

/** The last outbox of each user of this page. */
const opened = new WeakMap<Store, Map<string, Outbox>>()

/** The outbox of a session that has ended, if only this page has its unsaved changes. */
function findUnstored(uid: string, store: Store): Promise<Outbox> | undefined {
  const outbox = opened.get(store)?.get(uid)
  if (outbox && !outbox.isDurable && outbox.countUnsaved() > 0) return Promise.resolve(outbox)
}

/** Never rejects: without storage the outbox works in memory, and the user can still log out. */
export async function loadOutbox(uid: string, store: Store, tab: Promise<Tab>): Promise<Outbox> {
  const outbox = new Outbox({
    encryptedStore: await tab.then((tab) => openEncryptedStore(uid, tab)).catch(() => nullStore),
    send: (operation, options) => store.dispatch(sendOperation({ operation, options })).unwrap(),
    getBook: () => store.getState().book,
  })
  await outbox.load()
  opened.set(store, (opened.get(store) ?? new Map()).set(uid, outbox))
  return outbox
}
