import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { IdentityPolicy } from '../../contract/accounts.ts'
import { errorMessage } from '../backends/messages.ts'
import { hasCode, type IdentityService } from '../backends/ports.ts'
import { t } from '../language/translate.ts'
import { loadOnReturn } from '../lib/dom.ts'
import { lazyPart, OnDemand } from '../ui/lazy-part.tsx'
import { Link } from '../ui/link.tsx'
import { useAccountLocation } from './account-location.ts'
import styles from './account-screen.module.css'
import { AccountScreen, type AccountScreenProps, useAccountForm } from './account-screen.tsx'

const SsoSignIn = lazyPart(() => import('./sso/sso-sign-in.tsx'), 'SsoSignIn')

interface SignUpFormProps extends Pick<AccountScreenProps, 'status'> {
  identity: IdentityService
  policy: IdentityPolicy | null
  fixedEmail?: string | undefined
  createAccount(email: string, password: string): Promise<unknown>
}

export function SignUpForm({ identity, policy, status, fixedEmail, createAccount }: SignUpFormProps) {
  const navigate = useNavigate()
  const { ended, email, search } = useAccountLocation()
  const form = useAccountForm({ fixedEmail, onSubmit: signUp, describeFailure: describe })

  /** The message of a service that is not open doesn’t say for whom it is, in all languages but English. */
  function describe(error: unknown): string {
    const message = describeFailure(error)
    return (hasCode(error, 'sign-up-closed') && policy && describeRestriction(policy)) || message
  }

  async function signUp(email: string, password: string) {
    await createAccount(email, password)
    await navigate('/signin', { state: { newAccount: email, ended, search } })
  }

  return (
    <AccountScreen
      texts={{ title: t('Create Your Account'), submit: t('Sign Up'), busy: t('Creating your account…') }}
      form={form}
      autoComplete={{ password: 'new-password' }}
      status={status}
    >
      <p className={styles.alternative}>
        {t('Have an account?')}{' '}
        <Link to="/signin" state={{ ended, email, search }}>
          {t('Sign in')}
        </Link>
      </p>
      <OnDemand isOptional>
        {identity.sso && policy?.sso && <SsoSignIn provider={policy.sso} sso={identity.sso} form={form} />}
      </OnDemand>
    </AccountScreen>
  )
}

/** Logs the whole error, as section 8 of the specification requires. */
function describeFailure(error: unknown): string {
  console.error('Sign-up failed:', error)
  return errorMessage(error)
}

/** Null until the policy is known. While it can't be read, signing up itself tells. */
export function usePolicy(identity: IdentityService): IdentityPolicy | null {
  const [policy, setPolicy] = useState<IdentityPolicy | null>(null)
  useEffect(() => loadOnReturn(async () => (await identity.policy?.()) ?? null, setPolicy), [identity])

  // The service worker's copy of the page may be older than the settings.
  useEffect(() => {
    if (!policy) return
    const { dataset } = document.documentElement
    const ended = [!policy.sso?.only && 'sso-only', policy.signUp === 'open' && 'sign-up-restricted']
    const holds = (name: string) => !ended.includes(name)
    dataset.policy = (dataset.policy ?? '').split(' ').filter(holds).join(' ')
  }, [policy])

  return policy
}

/** What a visitor without an invitation must know before filling in the form; undefined if anyone may sign up. */
export function describeRestriction(policy: IdentityPolicy): string | undefined {
  if (policy.signUp === 'closed') return t('Sign-up is closed. Ask your administrator for an account.')
  return policy.signUp === 'invited' ? t('You need an invitation. Ask a colleague for a link.') : undefined
}
