import type { MergedDraft } from './merge-draft.ts'
import * as words from './words.ts'

interface EditMessageProps {
  merged: MergedDraft
  wasDeleted: boolean
}

/** Reports what somebody else has done to the record in the form. What was typed stays. */
export function EditMessage({ merged: { conflicts, updated }, wasDeleted }: EditMessageProps) {
  if (wasDeleted) return words.wasDeleted
  if (conflicts.length > 0) {
    const conflict = words.conflict(conflicts.map(({ name }) => name))
    return updated.length > 0 ? `${conflict} ${words.alsoUpdated(updated)}` : conflict
  }
  return updated.length > 0 && words.wasUpdated(updated)
}
