import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { hasCode } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { whenSettled } from '../../lib/dom.ts'
import { Button } from '../../ui/button.tsx'
import { forgetLinkToken } from '../account-location.ts'
import styles from '../account-screen.module.css'
import { CardScreen, type CardScreenProps } from '../account-screen.tsx'
import type { LinkContent } from '../link-address.ts'
import { isWholeLink } from './rewritten-link.ts'

/** A screen that a link opens, other than a form. The focus is on the first button, otherwise on the card. */
export function LinkCard({ title, children, ...props }: Omit<CardScreenProps, 'focused'>) {
  return (
    <CardScreen title={title} focused="[data-first], [tabindex]:not(:has([data-first]))" {...props}>
      <div className={styles.card} tabIndex={-1}>
        <h1>{title}</h1>
        {children}
      </div>
    </CardScreen>
  )
}

/** What `check` tells about a one-time link, or why it can't; neither until it has been checked. An empty token is unusable. */
export function useCheckedLink<Info>(check: (token: string) => Promise<Info>, token: string) {
  const [checked, setChecked] = useState<{ info?: Info; failure?: unknown }>({})
  useEffect(() => {
    setChecked({})
    if (token === '') return
    return whenSettled(
      check(token),
      (info) => setChecked({ info }),
      (failure) => setChecked({ failure }),
    )
  }, [check, token])
  return { ...checked, isUnusable: token === '' || hasCode(checked.failure, 'invalid-link') }
}

export const incompleteTitle = () => t('This Link Is Incomplete')

/** What to do with a link that a program has cut. */
export const partMissing = () =>
  t('Part of the link is missing. Copy the whole link into the address bar, or ask for it again.')

/** The screen of a one-time link that has expired, was used or was revoked, or of which a part is missing. */
export function UnusableLink(link: LinkContent) {
  const navigate = useNavigate()
  const isWhole = isWholeLink(link)

  function leave() {
    forgetLinkToken(link.name)
    return navigate('/signin', { replace: true })
  }

  return (
    <LinkCard title={isWhole ? t('This Link No Longer Works') : incompleteTitle()}>
      <p>
        {isWhole
          ? t('It has expired or was used. Ask a colleague or your administrator for a new one.')
          : partMissing()}
      </p>
      <Button variant="primary" role="link" onClick={leave} data-first>
        {t('Sign in')}
      </Button>
    </LinkCard>
  )
}
