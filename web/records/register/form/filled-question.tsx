import type { FieldName } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { Text } from '../../../ui/message.tsx'
import { listNouns } from '../../model/fields.ts'

/** Asks about the fields that a program has filled in; without any, about the password of the own account. */
export const FilledQuestion = ({ names }: { names: readonly FieldName[] | null }) => (
  <Text>
    {names
      ? t(
          'Your browser or a password manager filled in the {fields}. To save that, press the button again.',
          {
            fields: listNouns(names, 'conjunction'),
          },
        )
      : t('This is the password of your own account. To save it for this record, press the button again.')}
  </Text>
)
