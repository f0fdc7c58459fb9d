import { useEffect, useEffectEvent, useState } from 'react'
import type { SignedIn } from '../../contract/accounts.ts'
import { hasCode, type PasskeyService } from '../backends/ports.ts'
import { whenIdle } from '../lib/run-when-idle.ts'
import styles from './account-screen.module.css'
import type { AccountScreenState, Submission } from './account-screen.tsx'
import { passkeyInstead } from './dialog-messages.ts'

interface PasskeySignInProps extends AccountScreenState {
  loadPasskeys(): Promise<PasskeyService>
  /** Waits for the sign-in, and opens /form. */
  enter(signIn: Promise<SignedIn>): Submission
}

/**
 * Lets the browser suggest passkeys in the email field, except while something is being submitted, and offers a button for who
 * does not see them there. Shows nothing where there are no passkeys.
 */
export function PasskeySignIn({ isSubmitting, submit, loadPasskeys, enter }: PasskeySignInProps) {
  const [isOffered, setOffered] = useState(false)
  const [inDialog, setInDialog] = useState(false)

  async function choose(signal: AbortSignal) {
    if (!inDialog) await whenIdle()
    if (signal.aborted) return null
    const passkeys = await loadPasskeys()
    return passkeys.choose({ inDialog, signal, onOffered: () => setOffered(true) })
  }

  const signIn = useEffectEvent(async (signal: AbortSignal) => {
    const choice = await choose(signal).catch((error) => {
      // Nobody has asked for suggestions, or misses them.
      const isQuiet = !inDialog || hasCode(error, 'cancelled')
      return isQuiet ? null : () => Promise.reject(error)
    })
    if (signal.aborted) return
    setInDialog(false)
    if (choice) submit(() => enter(choice()))
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: chooses again elsewhere
  useEffect(() => {
    if (isSubmitting) return
    const choosing = new AbortController()
    void signIn(choosing.signal)
    return () => choosing.abort()
  }, [isSubmitting, inDialog])

  return (
    isOffered && (
      <p>
        <button type="button" className={styles.textButton} onClick={() => setInDialog(true)}>
          {passkeyInstead}
        </button>
      </p>
    )
  )
}
