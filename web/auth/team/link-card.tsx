import { type ReactNode, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { Logo } from '../../ui/icon.tsx'
import { pageTitle } from '../../ui/messages.ts'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import { forgetLinkToken, type LinkName } from '../account-location.ts'
import styles from '../account-screen.module.css'
import { goToSignIn } from '../messages.ts'
import * as messages from './messages.ts'

/** A screen that a link opens, other than a form. The focus is on the first button, otherwise on the card. */
export function LinkCard({ title, children }: { title: string; children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null)

  useEffect(() => {
    document.title = pageTitle(title)
    const first = card.current?.querySelector<HTMLElement>('[data-first]') ?? card.current
    first?.focus()
  }, [title])

  return (
    <main className={styles.screen}>
      <Logo />
      <div ref={card} className={styles.card} tabIndex={-1}>
        <h1>{title}</h1>
        {children}
      </div>
      <ThemeSwitch />
    </main>
  )
}

/** The screen of a one-time link that has expired, was used or was revoked. */
export function UnusableLink({ name }: { name: LinkName }) {
  const navigate = useNavigate()

  function leave() {
    forgetLinkToken(name)
    return navigate('/signin', { replace: true })
  }

  return (
    <LinkCard title={messages.unusableTitle}>
      <p>{messages.unusable}</p>
      <Button variant="primary" role="link" onClick={leave} data-first>
        {goToSignIn}
      </Button>
    </LinkCard>
  )
}
