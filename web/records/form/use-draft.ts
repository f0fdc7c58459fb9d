import { useCallback, useEffect, useRef, useState } from 'react'
import { type Draft, isWorthKeeping } from '../outbox/draft.ts'
import { type Entry, isUnsaved } from '../outbox/entry.ts'
import type { Outbox } from '../outbox/outbox.ts'

/** Typing is kept when it has paused for this long, in ms; and without a pause, this often. */
const typingPause = 150
const typingLimit = 1000

/** What stands in the form, kept across a reload. */
export function useDraft(outbox: Outbox, typedBefore: Draft) {
  const [draft, setDraft] = useState(typedBefore)
  const latest = useRef(draft)
  latest.current = draft

  const keptAt = useRef(Date.now())
  const keep = useCallback(() => {
    keptAt.current = Date.now()
    void outbox.keepForm(latest.current)
  }, [outbox])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the draft is what this waits for
  useEffect(() => {
    const isOverdue = Date.now() - keptAt.current > typingLimit
    const timer = setTimeout(keep, isOverdue ? 0 : typingPause)
    return () => clearTimeout(timer)
  }, [keep, draft])

  // Leaving the page, also inside the app, say to sign in again, must not lose the last words typed.
  useEffect(() => {
    document.addEventListener('visibilitychange', keep)
    return () => {
      document.removeEventListener('visibilitychange', keep)
      keep()
    }
  }, [keep])

  /** Takes something else into the form; what was typed there is put aside. */
  const replaceDraft = useCallback(
    (next: Draft) => {
      void outbox.putAside(latest.current)
      setDraft(next)
    },
    [outbox],
  )
  return { draft, setDraft, replaceDraft }
}

/** Where nothing can be kept across a reload, the browser asks before the page is left with something unsaved. */
export function useWarningBeforeLoss(outbox: Outbox, entries: readonly Entry[], draft: Draft) {
  const isAtRisk = !outbox.lasting && (isWorthKeeping(draft) || entries.some(isUnsaved))
  useEffect(() => {
    if (!isAtRisk) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isAtRisk])
}
