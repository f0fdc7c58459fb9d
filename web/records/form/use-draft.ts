import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { actAfter, listen } from '../../lib/dom.ts'
import { type Draft, hasUnsavedInput } from '../outbox/draft.ts'
import { type Entry, isUnsaved } from '../outbox/entry.ts'
import type { Outbox } from '../outbox/outbox.ts'

/** The draft is stored when the user stops typing for `autosaveDelayMs`, and at least every `maxAutosaveIntervalMs`. */
const autosaveDelayMs = 150
const maxAutosaveIntervalMs = 1_000

/** The form's draft, stored so that a reload restores it. */
export function useDraft(outbox: Outbox, initialDraft: Draft) {
  const [draft, setDraft] = useState(initialDraft)
  const lastSaveTime = useRef<number>(null)

  const save = useEffectEvent(() => {
    lastSaveTime.current = Date.now()
    void outbox.saveForm(draft)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the draft restarts the timer
  useEffect(() => {
    outbox.setForm(draft)
    lastSaveTime.current ??= Date.now()
    const isOverdue = Date.now() - lastSaveTime.current > maxAutosaveIntervalMs
    return actAfter(isOverdue ? 0 : autosaveDelayMs, save)
  }, [draft])

  // Save when the page is hidden or this component is unmounted, so that input since the last autosave is not lost.
  useEffect(() => {
    const stopListening = listen(document, 'visibilitychange', () => save())
    return () => {
      stopListening()
      save()
    }
  }, [])

  /** Replaces the form's draft. The outbox stores the previous one as an entry. */
  function replaceDraft(next: Draft) {
    void outbox.stashDraft(draft)
    setDraft(next)
  }
  return { draft, setDraft, replaceDraft }
}

/** Makes the browser ask for confirmation before the page is closed with unsaved changes that are not stored. */
export function useUnloadWarning(outbox: Outbox, entries: readonly Entry[], draft: Draft) {
  const isAtRisk = !outbox.isDurable && (hasUnsavedInput(draft) || entries.some(isUnsaved))
  useEffect(() => {
    if (isAtRisk) return listen(window, 'beforeunload', (event) => event.preventDefault())
  }, [isAtRisk])
}
