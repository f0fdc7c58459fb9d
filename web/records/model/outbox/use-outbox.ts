import { useEffect, useState } from 'react'
import { sendOperation } from '../book/book-slice.ts'
import { type Store, useAppStore } from '../book/store.ts'
import { nullStore, openEncryptedStore } from './encrypted-store.ts'
import { Outbox } from './outbox.ts'
import type { Tab } from './tab-lock.ts'

/**
 * The outbox of a user, for as long as the component is mounted; give the component the user's `uid` as its key.
 * `outbox` is null until it is loaded, and `openOutbox` returns a promise of it.
 */
export function useOutbox(uid: string, tab: Promise<Tab>) {
  const store = useAppStore()
  const [outbox, setOutbox] = useState<Outbox | null>(null)
  // Loading rewrites the stored entries, so it must run once. StrictMode runs initializers and effects twice.
  const [openOutbox] = useState(() => {
    let loading: Promise<Outbox> | undefined
    return () => {
      loading ??= loadOutbox(uid, store, tab)
      return loading
    }
  })
  useEffect(() => void openOutbox().then(setOutbox), [openOutbox])
  return { outbox, openOutbox }
}

/** Never rejects: without storage the outbox works in memory, and the user can still log out. */
export async function loadOutbox(uid: string, store: Store, tab: Promise<Tab>): Promise<Outbox> {
  const outbox = new Outbox({
    encryptedStore: await tab.then((tab) => openEncryptedStore(uid, tab)).catch(() => nullStore),
    send: (operation, options) => store.dispatch(sendOperation({ operation, options })).unwrap(),
    getBook: () => store.getState().book,
  })
  await outbox.load()
  return outbox
}
