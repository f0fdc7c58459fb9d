import { useCallback, useEffect, useRef, useState } from 'react'
import { type Draft, hasUnsavedInput } from '../outbox/draft.ts'
import { type Entry, isUnsaved } from '../outbox/entry.ts'
import type { Outbox } from '../outbox/outbox.ts'

/** Typing is kept when it has paused for this long, in ms; and without a pause, this often. */
const autosaveDelayMs = 150
const maxAutosaveIntervalMs = 1000

/** What stands in the form, kept across a reload. */
export function useDraft(outbox: Outbox, initialDraft: Draft) {
  const [draft, setDraft] = useState(initialDraft)
  const latest = useRef(draft)
  latest.current = draft

  const savedAt = useRef(Date.now())
  const save = useCallback(() => {
    savedAt.current = Date.now()
    void outbox.keepForm(latest.current)
  }, [outbox])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the draft is what this waits for
  useEffect(() => {
    const isOverdue = Date.now() - savedAt.current > maxAutosaveIntervalMs
    const timer = setTimeout(save, isOverdue ? 0 : autosaveDelayMs)
    return () => clearTimeout(timer)
  }, [save, draft])

  // Leaving the page, also inside the app, say to sign in again, must not lose the last words typed.
  useEffect(() => {
    document.addEventListener('visibilitychange', save)
    return () => {
      document.removeEventListener('visibilitychange', save)
      save()
    }
  }, [save])

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
export function useUnloadWarning(outbox: Outbox, entries: readonly Entry[], draft: Draft) {
  const isAtRisk = !outbox.isDurable && (hasUnsavedInput(draft) || entries.some(isUnsaved))
  useEffect(() => {
    if (!isAtRisk) return
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', preventUnload)
    return () => removeEventListener('beforeunload', preventUnload)
  }, [isAtRisk])
}
