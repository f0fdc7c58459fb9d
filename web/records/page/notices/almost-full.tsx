import { t } from '../../../language/translate.ts'
import { Text } from '../../../ui/message.tsx'

/** Says how full a register with a limit is. */
export function AlmostFull({ percent }: { percent: number }) {
  return (
    <Text>
      {t(
        'The register is {percent, number}% full. Delete records that nobody needs, or ask your administrator for more room.',
        { percent },
      )}
    </Text>
  )
}
