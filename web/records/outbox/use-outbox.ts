import { useEffect, useState } from 'react'
import type { BatchOptions } from '../../backends/ports.ts'
import { type Store, useAppStore } from '../../store.ts'
import {
  addEmployee,
  deleteEmployee,
  restoreEmployee,
  updateEmployee,
  writeBatch,
} from '../sync/book-slice.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { nullStore, openEncryptedStore } from './encrypted-store.ts'
import type { OperationResult } from './entry.ts'
import type { Operation } from './operation.ts'
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
    send: (operation, options) => sendOperation(store.dispatch, operation, options),
    getBook: () => store.getState().book,
  })
  try {
    return { outbox, initialDraft: (await outbox.load()) ?? emptyDraft, isFullyLoaded: true }
  } catch {
    return { outbox, initialDraft: emptyDraft, isFullyLoaded: false }
  }
}

/** Executes an operation by dispatching its thunk. Rejects with the thunk's error. */
async function sendOperation(
  dispatch: Store['dispatch'],
  operation: Operation,
  options?: BatchOptions,
): Promise<OperationResult> {
  switch (operation.kind) {
    case 'add':
      await dispatch(addEmployee(operation)).unwrap()
      return
    case 'update':
      return await dispatch(updateEmployee(operation)).unwrap()
    case 'remove':
      await dispatch(deleteEmployee(operation.employee.id)).unwrap()
      return
    case 'restore':
      await dispatch(restoreEmployee(operation.employee)).unwrap()
      return
    case 'import':
    case 'undo-import': {
      const { batch, key } = operation
      return await dispatch(writeBatch({ batch, key, ...options })).unwrap()
    }
  }
}
