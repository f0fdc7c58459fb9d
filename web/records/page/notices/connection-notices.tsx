import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { t } from '../../../language/translate.ts'
import buttonStyles from '../../../ui/button.module.css'
import { Link } from '../../../ui/link.tsx'
import { Text } from '../../../ui/message.tsx'
import type { ConnectionStatus } from '../../model/book/sync-employees.ts'
import styles from './signed-out.module.css'

interface SignedOutProps {
  email: string
  /** The number of unsaved changes that a later visit finds. */
  kept: number
}

/** Stands where the records were: says that the session has ended, what is kept, and leads to the sign-in. */
function SignedOut({ email, kept }: SignedOutProps) {
  const { search } = useLocation()
  const panel = useRef<HTMLDivElement>(null)
  // What is half typed keeps the focus.
  useEffect(() => {
    const focused = document.activeElement
    if (!focused?.matches('input') || !focused.checkVisibility()) panel.current?.querySelector('a')?.focus()
  }, [])
  return (
    <div ref={panel} className={styles.panel}>
      <h1 className={styles.title}>
        <Text>{t('You’ve been signed out')}</Text>
      </h1>
      <p>
        <Text>{t('Sign in to see the records.')}</Text>
      </p>
      {kept > 0 && (
        <p>
          <Text>
            {t('{count, plural, one {# unsaved change is kept.} other {# unsaved changes are kept.}}', {
              count: kept,
            })}
          </Text>
        </p>
      )}
      <Link
        to="/signin"
        state={{ ended: true, email, search }}
        className={`${buttonStyles.button} ${buttonStyles.primary} ${styles.signIn}`}
      >
        {t('Sign in')}
      </Link>
    </div>
  )
}

interface ConnectionAlertProps extends SignedOutProps {
  connectionStatus: ConnectionStatus
  /** Whether the browser has given all that it has stored. */
  isFullyLoaded: boolean
}

/** Says what needs the user: the session has ended, has no access to the records, or what is stored can't be read. */
export function ConnectionAlert({ connectionStatus, isFullyLoaded, ...props }: ConnectionAlertProps) {
  return (
    <>
      {connectionStatus === 'signed-out' && <SignedOut {...props} />}
      <Text>
        {!isFullyLoaded &&
          `${t('Unsaved changes from your last visit can’t be read right now. Reload the page to try again.')} `}
        {connectionStatus === 'forbidden' &&
          t('Your account doesn’t have access to this register. Ask your administrator.')}
      </Text>
    </>
  )
}

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
