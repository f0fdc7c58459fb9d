import { type Employee, type FieldName, fieldOf, fieldRules } from '../../../contract/employees.ts'
import { t } from '../../language/translate.ts'
import { copyAndClear } from '../../lib/clear-clipboard.ts'
import { isolate } from '../../lib/isolate.ts'
import { capitalize, displayName, fieldViews } from './fields.ts'
import { useHistory } from './history/history.ts'

/** Returns a function that copies a field. A copied password is cleared later, also after logout. `onEnd` gets the outcome. */
export function useCopyField(onEnd: (outcome: string) => void) {
  const { report } = useHistory()

  return async (employee: Employee, field: FieldName) => {
    const { isSecret } = fieldRules[field]
    const noun = t(fieldViews[field].noun)
    const isCopied = await copyAndClear(fieldOf(employee, field), isSecret === true)
    if (!isCopied) {
      onEnd(
        isSecret
          ? t('Your browser blocked copying. Show the {field} and copy it by hand.', { field: noun })
          : t('Your browser blocked copying. Select the {field} and copy it by hand.', { field: noun }),
      )
      return
    }
    if (isSecret) report({ kind: 'copy', ids: [employee.id] })
    const name = isolate(displayName(employee))
    onEnd(t('{field} of {name} copied.', { field: capitalize(noun), name }))
  }
}
