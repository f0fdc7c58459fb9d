import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { SignedIn } from '../../../../contract/accounts.ts'
import { t } from '../../../language/translate.ts'
import { isolate } from '../../../lib/isolate.ts'
import { describeTime } from '../../../lib/times/times.ts'
import { Button } from '../../../ui/button.tsx'
import { Text } from '../../../ui/message.tsx'
import { useView } from '../../model/view.ts'

/** Tells, until it is dismissed, which colleagues have made reset links for the account that has signed in. */
export function ResetLinkNotice({ resetLinks }: { resetLinks: NonNullable<SignedIn['resetLinks']> }) {
  const [isShown, setShown] = useState(true)
  const { focus } = useView()
  const navigate = useNavigate()
  const { search } = useLocation()
  if (!isShown) return null

  function dismiss() {
    setShown(false)
    // Without the state of the location, which survives a reload.
    void navigate({ search }, { replace: true })
    focus({ on: 'search' })
  }

  return (
    <>
      {resetLinks.map(({ by, at }) => (
        <Text key={`${at} ${by}`}>
          {t(
            '{by} made a link to reset your password {when}. If you didn’t ask for it, change your password.',
            { by: isolate(by), when: describeTime(at) },
          )}{' '}
        </Text>
      ))}
      <Button onClick={dismiss}>{t('OK')}</Button>
    </>
  )
}
