import { useNavigate } from 'react-router'
import { errorMessage, reportError } from '../../backends/messages.ts'
import type { TeamService } from '../../backends/ports.ts'
import { type AccountLocationState, forgetLinkToken } from '../account-location.ts'
import styles from '../account-screen.module.css'
import { AccountScreen, useAccountForm } from '../account-screen.tsx'
import { UnusableLink, useCheckedLink } from './link-card.tsx'
import * as messages from './messages.ts'

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
    await leave({ ended: true, email, notice: messages.passwordSet })
  }

  if (isUnusable) return <UnusableLink name="reset" />
  return (
    <AccountScreen
      texts={messages.reset}
      form={form}
      autoComplete={{ password: 'new-password' }}
      status={{ text: failure ? messages.reloadToRetry(errorMessage(failure)) : '' }}
      showsSignedInUser={false}
    >
      <p className={styles.alternative}>
        <button type="button" className={styles.textButton} onClick={() => leave({})}>
          {messages.signInInstead}
        </button>
      </p>
    </AccountScreen>
  )
}
