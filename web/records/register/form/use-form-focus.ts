import { useLayoutEffect } from 'react'
import { afterPaint } from '../../../lib/dom.ts'
import { isRunning } from '../../model/book/operation.ts'
import type { Editing } from '../../model/editing/use-editing.ts'
import { useFocusTarget } from '../../model/view.ts'
import { findRow, isInViewport, observeHeight, revealRow } from '../elements.ts'

/** Focuses the form when the view asks for it, with the row of the edited record in sight beside it. */
export function useFormFocus({ merged: { draft }, nameInput }: Editing): void {
  const isEditing = draft.editing !== null

  useFocusTarget('form', () => {
    const submitButton = nameInput.current?.form?.querySelector<HTMLElement>('[type=submit]')
    const input = isRunning(draft) ? submitButton : nameInput.current

    function showInput() {
      if (!isInViewport(input)) input?.scrollIntoView({ block: 'center' })
    }

    input?.focus({ preventScroll: true })
    showInput()
    const id = draft.editing?.id
    if (!id) return
    // After the rows have been moved for the form. A low window has room for the field only.
    void afterPaint().then(() => {
      revealRow(findRow(id))
      showInput()
    })
  })

  // `--form-height` is what the form covers above the rows while it edits a record.
  useLayoutEffect(() => {
    const form = nameInput.current?.form
    if (!isEditing || !form) return
    return observeHeight(form, '--form-height')
  }, [nameInput, isEditing])
}
