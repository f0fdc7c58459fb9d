import type { Employee } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { Text } from '../../../ui/message.tsx'
import type { MergedDraft } from '../../model/editing/merge-draft.ts'
import { listNouns } from '../../model/fields.ts'
import { useLastChange } from '../../model/history/use-last-change.ts'

interface OthersEditsProps {
  merged: MergedDraft
  /** The record as it is in the book; undefined if somebody has deleted it. */
  employee: Employee | undefined
}

/** Says what somebody else, or the user in another tab, has done to the record in the form. What was typed stays. */
export function OthersEdits({ merged, employee }: OthersEditsProps) {
  const change = useLastChange(employee)
  if (!employee)
    return <Text>{t('This record was deleted while you were editing. Your text is still here.')}</Text>
  const { conflicts, updated } = merged
  if (!change) return null
  const isConflict = conflicts.length > 0
  const changed = isConflict ? conflicts.map(({ name }) => name) : updated
  const newer = { fields: listNouns(updated, 'conjunction'), count: isConflict ? updated.length : 0 }
  const sentences = [
    t(
      '{who, select, you {You changed the {fields} in another tab at {time}.} other {{by} changed the {fields} at {time}.} someone {Someone else changed the {fields}.}}',
      { ...change, fields: listNouns(changed, 'conjunction') },
    ),
    isConflict ? t('Keep which?') : t('The form is up to date.'),
    newer.count > 0 &&
      t(
        '{count, plural, one {The new {fields} is already here.} other {The new {fields} are already here.}}',
        newer,
      ),
  ]
  return (
    <>
      {sentences.map(
        (sentence, index) =>
          sentence && (
            // biome-ignore lint/suspicious/noArrayIndexKey: a sentence keeps its place
            <span key={index}>
              <Text>{`${sentence} `}</Text>
            </span>
          ),
      )}
    </>
  )
}
