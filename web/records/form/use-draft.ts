import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Draft, hasUnsavedInput } from '../outbox/draft.ts'
import { type Entry, isUnsaved } from '../outbox/entry.ts'
import type { Outbox } from '../outbox/outbox.ts'

/** The draft is stored when typing pauses for this long, in ms; and without a pause, at this interval. */
const autosaveDelayMs = 150
const maxAutosaveIntervalMs = 1000

/** The content of the form. It survives a reload. */
export function useDraft(outbox: Outbox, initialDraft: Draft) {
  const [draft, setDraft] = useState(initialDraft)
  const lastSaveTime = useRef<number>(null)

  const save = useEffectEvent(() => {
    lastSaveTime.current = Date.now()
    void outbox.saveForm(draft)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the draft restarts the timer
  useEffect(() => {
    lastSaveTime.current ??= Date.now()
    const isOverdue = Date.now() - lastSaveTime.current > maxAutosaveIntervalMs
    const timer = setTimeout(save, isOverdue ? 0 : autosaveDelayMs)
    return () => clearTimeout(timer)
  }, [draft])

  // Leaving the page, also for another screen of the app, must not lose what was typed since the last save.
  useEffect(() => {
    const handleVisibilityChange = () => save()
    document.addEventListener('visibilitychange', handleVisibilityChange)
    return () => {
      document.removeEventListener('visibilitychange', handleVisibilityChange)
      save()
    }
  }, [])

  /** Puts another draft into the form. The outbox stores the present one as an entry. */
  function replaceDraft(next: Draft) {
    void outbox.stashDraft(draft)
    setDraft(next)
  }
  return { draft, setDraft, replaceDraft }
}

/** Makes the browser ask before the page is left with unsaved changes that are not stored. */
export function useUnloadWarning(outbox: Outbox, entries: readonly Entry[], draft: Draft) {
  const isAtRisk = !outbox.isDurable && (hasUnsavedInput(draft) || entries.some(isUnsaved))
  useEffect(() => {
    if (!isAtRisk) return
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', preventUnload)
    return () => removeEventListener('beforeunload', preventUnload)
  }, [isAtRisk])
}
