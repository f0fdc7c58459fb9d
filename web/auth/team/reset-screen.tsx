import { useNavigate } from 'react-router'
import { errorMessage, reportError } from '../../backends/messages.ts'
import type { TeamService } from '../../backends/ports.ts'
import { type AccountLocationState, forgetLinkToken } from '../account-location.ts'
import styles from '../account-screen.module.css'
import { AccountScreen } from '../account-screen.tsx'
import { UnusableLink, useCheckedLink } from './link-card.tsx'
import * as messages from './messages.ts'

interface ResetScreenProps {
  token: string
  team: TeamService
}

/** Sets a new password by a one-time link. Afterwards the sign-in screen follows. */
export function ResetScreen({ token, team }: ResetScreenProps) {
  const navigate = useNavigate()
  const { info, failure, isUnusable } = useCheckedLink(team.checkPasswordReset, token)
  const email = info?.email ?? ''

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
      title={messages.resetTitle}
      submitLabel={messages.setPassword}
      busyMessage={messages.settingPassword}
      passwordAutoComplete="new-password"
      fixedEmail={email}
      statusMessage={failure ? messages.reloadToRetry(errorMessage(failure)) : ''}
      showsSignedInUser={false}
      alternative={
        <button type="button" className={styles.textButton} onClick={() => leave({})}>
          {messages.signInInstead}
        </button>
      }
      onSubmit={setPassword}
      describeFailure={(error) => reportError('The password was not set:', error)}
    />
  )
}
