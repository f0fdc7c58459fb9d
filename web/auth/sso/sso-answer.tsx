import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { SignedIn } from '../../../contract/accounts.ts'
import { hasCode, type SsoService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { tabStorage } from '../../lib/stored-state.ts'
import { forgetLinkToken, useAccountLocation } from '../account-location.ts'
import type { AccountForm } from '../account-screen.tsx'
import { storeUser } from '../stored-user.tsx'
import { takeIntent } from './intent.ts'

interface SsoAnswerProps {
  /** The query with which the provider has sent the browser back. */
  answer: string
  sso: SsoService
  form: AccountForm
  /** Waits for the sign-in, and opens /form. */
  enter(signIn: Promise<SignedIn>): Promise<void>
}

/** Signs in with the answer of the provider, or confirms what the visitor was about to do. Without a network it waits for one. */
export function SsoAnswer({ answer, sso, form, enter }: SsoAnswerProps) {
  const navigate = useNavigate()
  const { search } = useAccountLocation()
  const isSent = useRef(false)

  async function finish() {
    const { confirming } = takeIntent()
    if (confirming) {
      await whenOnline(() => sso.finishConfirmation(answer)).catch((error) => {
        // Who has cancelled there goes back to the dialog, which asks again.
        if (!hasCode(error, 'sso-cancelled')) throw error
      })
      return navigate(`/form${confirming.search}${confirming.dialog}`, { replace: true })
    }
    const invitation = tabStorage.read('invite') ?? undefined
    const { tookOver, ...signedIn } = await whenOnline(() => sso.finish(answer, invitation))
    forgetLinkToken('invite')
    if (!tookOver) return enter(Promise.resolve(signedIn))
    const { resetLink: _, resetLinks: __, ...user } = signedIn
    storeUser(user)
    const notice = t('Your account now signs in this way. Its password and passkeys no longer work.')
    await navigate('/signin', { replace: true, state: { notice, search } })
  }

  const send = useEffectEvent(() => void form.run(finish))
  useEffect(() => {
    if (!isSent.current) send()
    isSent.current = true
  }, [])
  return null
}

/** The browser may notice this much later than a request that there is no network, in ms. */
const noticeMs = 1_000

/** Repeats a request that has not reached the service, as soon as there is a network again. */
async function whenOnline<T>(request: () => Promise<T>): Promise<T> {
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return await request()
    } catch (error) {
      if (!hasCode(error, 'offline') || (isRepeated && navigator.onLine)) throw error
      if (navigator.onLine) await new Promise((resolve) => setTimeout(resolve, noticeMs))
      if (!navigator.onLine)
        await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
    }
  }
}
