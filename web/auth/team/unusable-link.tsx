import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { Logo } from '../../ui/icon.tsx'
import { pageTitle } from '../../ui/messages.ts'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import { forgetLinkToken, type LinkName } from '../account-location.ts'
import styles from '../account-screen.module.css'
import { goToSignIn } from '../messages.ts'
import * as messages from './messages.ts'

/** The screen of a one-time link that has expired, was used or was revoked. */
export function UnusableLink({ name }: { name: LinkName }) {
  const navigate = useNavigate()
  const card = useRef<HTMLDivElement>(null)

  useEffect(() => {
    document.title = pageTitle(messages.unusableTitle)
    card.current?.querySelector('button')?.focus()
  }, [])

  function leave() {
    forgetLinkToken(name)
    return navigate('/signin', { replace: true })
  }

  return (
    <main className={styles.screen}>
      <Logo />
      <div ref={card} className={styles.card}>
        <h1>{messages.unusableTitle}</h1>
        <p>{messages.unusable}</p>
        <Button variant="primary" role="link" onClick={leave}>
          {goToSignIn}
        </Button>
      </div>
      <ThemeSwitch />
    </main>
  )
}
