import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { User } from '../../contract/accounts.ts'
import type { Store } from '../store.ts'
import { type Draft, emptyDraft, isWorthKeeping } from './draft.ts'
import { createOutbox, type Entry, type Outbox } from './outbox.ts'
import { sendOperation } from './send-operation.ts'
import { openVault, type Tab } from './vault.ts'

/** Typing is kept when it has paused for this long, in ms. */
const typingPause = 150

const noEntries: readonly Entry[] = []
const noSubscription = () => () => {}

/** What a person has on the desk: the form they type in, and what is not saved yet. Kept across a reload. */
export interface Desk {
  outbox: Outbox | null
  entries: readonly Entry[]
  draft: Draft
  setDraft(draft: Draft): void
  /** Takes something else into the form; what was typed there is put aside. */
  replaceDraft(draft: Draft): void
}

export function useDesk(user: User, store: Store, tab: Promise<Tab>): Desk {
  const [outbox, setOutbox] = useState<Outbox | null>(null)
  const [draft, setDraft] = useState(emptyDraft)
  const entries = useSyncExternalStore(
    outbox?.subscribe ?? noSubscription,
    outbox?.entries ?? (() => noEntries),
  )

  useEffect(() => {
    let left = false
    async function open() {
      const vault = await openVault(user.uid, await tab)
      const opened = createOutbox({
        vault,
        send: (operation) => sendOperation(store.dispatch, operation),
        currentBook: () => store.getState().book,
      })
      const typedBefore = await opened.open()
      if (left) return
      setDraft(typedBefore ?? emptyDraft)
      setOutbox(opened)
    }
    void open()
    return () => {
      left = true
    }
  }, [user.uid, store, tab])

  useKeepingTheForm(outbox, draft)
  useWarningBeforeLoss(outbox, entries, draft)

  const current = useRef(draft)
  current.current = draft
  const replaceDraft = useCallback(
    (next: Draft) => {
      void outbox?.putAside(current.current)
      setDraft(next)
    },
    [outbox],
  )
  return { outbox, entries, draft, setDraft, replaceDraft }
}

function useKeepingTheForm(outbox: Outbox | null, draft: Draft) {
  useEffect(() => {
    const timer = setTimeout(() => void outbox?.keepForm(draft), typingPause)
    return () => clearTimeout(timer)
  }, [outbox, draft])

  // Leaving the page inside the app, say to sign in again, must not lose the last words typed.
  const latest = useRef({ outbox, draft })
  latest.current = { outbox, draft }
  useEffect(() => () => void latest.current.outbox?.keepForm(latest.current.draft), [])
}

/** Where nothing can be kept across a reload, the browser asks before the page is left with something unsaved. */
function useWarningBeforeLoss(outbox: Outbox | null, entries: readonly Entry[], draft: Draft) {
  const isAtRisk =
    outbox !== null &&
    !outbox.lasting &&
    (isWorthKeeping(draft) || entries.some(({ state }) => state !== 'deleted'))
  useEffect(() => {
    if (!isAtRisk) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isAtRisk])
}
