import { useEffect, useMemo, useState } from 'react'
import type { Store } from '../../store.ts'
import { useAppStore } from '../../store-hooks.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { nullStore, openEncryptedStore, type Tab } from './encrypted-store.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { sendOperation } from './send-operation.ts'

/** What this user had on the desk: unsaved changes, and what stood in the form. */
export interface LoadedOutbox {
  outbox: Outbox
  initialDraft: Draft
  /** False where what was left could not be read, and may be the next time. */
  isFullyLoaded: boolean
}

/** Opens the user's outbox; null until it is open. Nothing can be typed before that, so nothing can be lost. */
export function useOutbox(uid: string, tab: Promise<Tab>) {
  const store = useAppStore()
  const [loadedOutbox, setLoadedOutbox] = useState<LoadedOutbox | null>(null)
  const outboxPromise = useMemo(() => loadOutbox(uid, store, tab), [uid, store, tab])
  useEffect(() => {
    let isCancelled = false
    outboxPromise.then((opened) => {
      if (!isCancelled) setLoadedOutbox(opened)
    })
    return () => {
      isCancelled = true
    }
  }, [outboxPromise])
  return { open: loadedOutbox, opening: outboxPromise }
}

/** Never rejects: whatever the browser keeps or does not keep, there is a page to work on, and a way to log out. */
export async function loadOutbox(uid: string, store: Store, tab: Promise<Tab>): Promise<LoadedOutbox> {
  const outbox = createOutbox({
    encryptedStore: await tab.then((tab) => openEncryptedStore(uid, tab)).catch(() => nullStore),
    send: (operation, options) => sendOperation(store.dispatch, operation, options),
    getBook: () => store.getState().book,
  })
  try {
    return { outbox, initialDraft: (await outbox.load()) ?? emptyDraft, isFullyLoaded: true }
  } catch {
    return { outbox, initialDraft: emptyDraft, isFullyLoaded: false }
  }
}
