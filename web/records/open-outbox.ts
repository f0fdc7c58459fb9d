import { useEffect, useMemo, useState } from 'react'
import type { Store } from '../store.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { sendOperation } from './send-operation.ts'
import { openVault, type Tab } from './vault.ts'

/** What this user had on the desk: unsaved changes, and what stood in the form. */
export interface OpenOutbox {
  outbox: Outbox
  typedBefore: Draft
}

/** Opens the user's outbox; null until it is open. Nothing can be typed before that, so nothing can be lost. */
export function useOutbox(uid: string, store: Store, tab: Promise<Tab>) {
  const [open, setOpen] = useState<OpenOutbox | null>(null)
  const opening = useMemo(() => openOutbox(uid, store, tab), [uid, store, tab])
  useEffect(() => {
    let left = false
    opening.then((opened) => {
      if (!left) setOpen(opened)
    })
    return () => {
      left = true
    }
  }, [opening])
  return { open, opening }
}

async function openOutbox(uid: string, store: Store, tab: Promise<Tab>): Promise<OpenOutbox> {
  const outbox = createOutbox({
    vault: await openVault(uid, await tab),
    send: (operation, options) => sendOperation(store.dispatch, operation, options),
    currentBook: () => store.getState().book,
  })
  return { outbox, typedBefore: (await outbox.open()) ?? emptyDraft }
}
