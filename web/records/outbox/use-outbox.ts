import { useEffect, useState } from 'react'
import { type Store, useAppStore } from '../../store.ts'
import { sendOperation } from '../sync/book-slice.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { nullStore, openEncryptedStore } from './encrypted-store.ts'
import { Outbox } from './outbox.ts'
import type { Tab } from './tab-lock.ts'

export interface LoadedOutbox {
  outbox: Outbox
  /** The form's draft before the last reload. */
  initialDraft: Draft
  /** False if the stored entries could not be read. They stay in the encrypted store until the next load. */
  isFullyLoaded: boolean
}

/**
 * The outbox of a user, for as long as the component is mounted; give the component the user's `uid` as its key.
 * `loadedOutbox` is null until the outbox is loaded, and `openOutbox` returns a promise of it.
 */
export function useOutbox(uid: string, tab: Promise<Tab>) {
  const store = useAppStore()
  const [loadedOutbox, setLoadedOutbox] = useState<LoadedOutbox | null>(null)
  // Loading rewrites the stored entries, so it must run once. StrictMode runs initializers and effects twice.
  const [openOutbox] = useState(() => {
    let loading: Promise<LoadedOutbox> | undefined
    return () => {
      loading ??= loadOutbox(uid, store, tab)
      return loading
    }
  })
  useEffect(() => void openOutbox().then(setLoadedOutbox), [openOutbox])
  return { loadedOutbox, openOutbox }
}

/** Never rejects: without storage the outbox works in memory, and the user can still log out. */
export async function loadOutbox(uid: string, store: Store, tab: Promise<Tab>): Promise<LoadedOutbox> {
  const outbox = new Outbox({
    encryptedStore: await tab.then((tab) => openEncryptedStore(uid, tab)).catch(() => nullStore),
    send: (operation, options) => store.dispatch(sendOperation({ operation, options })).unwrap(),
    getBook: () => store.getState().book,
  })
  try {
    return { outbox, initialDraft: (await outbox.load()) ?? emptyDraft, isFullyLoaded: true }
  } catch {
    return { outbox, initialDraft: emptyDraft, isFullyLoaded: false }
  }
}
