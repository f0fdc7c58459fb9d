import { useEffect } from 'react'
import type { IdentityPolicy } from '../../../contract/accounts.ts'
import type { SsoService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { listen } from '../../lib/dom.ts'
import { isolate } from '../../lib/isolate.ts'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/message.tsx'
import { useAccountLocation } from '../account-location.ts'
import screenStyles from '../account-screen.module.css'
import type { AccountForm } from '../account-screen.tsx'
import { leaveFor } from './intent.ts'
import styles from './sso-sign-in.module.css'

interface SsoSignInProps {
  provider: NonNullable<IdentityPolicy['sso']>
  sso: SsoService
  form: AccountForm
}

/** A button below the form that goes to the provider, and says so if there is no other way. */
export function SsoSignIn({ provider, sso, form }: SsoSignInProps) {
  const account = useAccountLocation()
  const name = isolate(provider.name)

  // The browser shows the page as it was left, if one goes back to it.
  useEffect(() => {
    const reload = ({ persisted }: PageTransitionEvent) => persisted && location.reload()
    return listen(window, 'pageshow', reload)
  }, [])

  const leave = async () => leaveFor(await sso.begin(), { account })

  return (
    <div className={`${styles.part} ${screenStyles.sso}`}>
      <Button
        variant={provider.only ? 'primary' : 'secondary'}
        className={styles.button}
        isBusy={provider.only === true && form.isSlow}
        onClick={() => void form.run(leave)}
      >
        <Text>{t('Sign in with {name}', { name })}</Text>
      </Button>
      {provider.only && <p>{t('Passwords and passkeys are switched off here.')}</p>}
    </div>
  )
}
