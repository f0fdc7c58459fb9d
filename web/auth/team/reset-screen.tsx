import { useNavigate } from 'react-router'
import { errorMessage, reportError } from '../../backends/messages.ts'
import { hasCode, type TeamService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { type AccountLocationState, forgetLinkToken } from '../account-location.ts'
import styles from '../account-screen.module.css'
import { AccountScreen, useAccountForm } from '../account-screen.tsx'
import { UnusableLink, useCheckedLink } from './link-card.tsx'

/** Where passwords are switched off, trying again is in vain. */
const describeFailure = (failure: unknown) =>
  hasCode(failure, 'sso-only')
    ? errorMessage(failure)
    : t('{problem} Reload the page to try again.', { problem: errorMessage(failure) })

/** Sets a new password by a one-time link. Afterwards the sign-in screen follows. */
export function ResetScreen({ token, team }: { token: string; team: TeamService }) {
  const navigate = useNavigate()
  const { info, failure, isUnusable } = useCheckedLink(team.checkPasswordReset, token)
  const email = info?.email ?? ''
  const form = useAccountForm({
    fixedEmail: email,
    onSubmit: setPassword,
    describeFailure: (error) => reportError('The password was not set:', error),
  })

  function leave(state: AccountLocationState) {
    forgetLinkToken('reset')
    return navigate('/signin', { replace: true, state })
  }

  async function setPassword(_: string, password: string) {
    await team.resetPassword(token, password)
    await leave({ ended: true, email, notice: t('Your new password is set. Please sign in.') })
  }

  if (isUnusable) return <UnusableLink name="reset" value={token} />
  return (
    <AccountScreen
      texts={{ title: t('Set a New Password'), submit: t('Set Password'), busy: t('Setting your password…') }}
      form={form}
      autoComplete={{ password: 'new-password' }}
      status={{
        text: failure ? describeFailure(failure) : '',
      }}
      showsSignedInUser={false}
    >
      <p className={styles.alternative}>
        <button type="button" className={styles.textButton} onClick={() => leave({})}>
          {t('Sign in instead')}
        </button>
      </p>
    </AccountScreen>
  )
}
