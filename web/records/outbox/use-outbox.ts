import { useEffect, useMemo, useState } from 'react'
import type { Store } from '../../store.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { forgetfulVault, openVault, type Tab } from './encrypted-store.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { sendOperation } from './send-operation.ts'

/** What this user had on the desk: unsaved changes, and what stood in the form. */
export interface OpenOutbox {
  outbox: Outbox
  typedBefore: Draft
  /** False where what was left could not be read, and may be the next time. */
  isWhole: boolean
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

/** Never rejects: whatever the browser keeps or does not keep, there is a page to work on, and a way to log out. */
export async function openOutbox(uid: string, store: Store, tab: Promise<Tab>): Promise<OpenOutbox> {
  const outbox = createOutbox({
    vault: await tab.then((tab) => openVault(uid, tab)).catch(() => forgetfulVault),
    send: (operation, options) => sendOperation(store.dispatch, operation, options),
    currentBook: () => store.getState().book,
  })
  try {
    return { outbox, typedBefore: (await outbox.open()) ?? emptyDraft, isWhole: true }
  } catch {
    return { outbox, typedBefore: emptyDraft, isWhole: false }
  }
}
