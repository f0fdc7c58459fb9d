import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { hasCode } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { whenSettled } from '../../lib/dom.ts'
import { Button } from '../../ui/button.tsx'
import { forgetLinkToken, type LinkName } from '../account-location.ts'
import styles from '../account-screen.module.css'
import { CardScreen, type CardScreenProps } from '../account-screen.tsx'

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

/** What `check` tells about a one-time link, or why it can't; neither until it has been checked. */
export function useCheckedLink<Info>(check: (token: string) => Promise<Info>, token: string) {
  const [checked, setChecked] = useState<{ info?: Info; failure?: unknown }>({})
  useEffect(() => {
    setChecked({})
    return whenSettled(
      check(token),
      (info) => setChecked({ info }),
      (failure) => setChecked({ failure }),
    )
  }, [check, token])
  return { ...checked, isUnusable: hasCode(checked.failure, 'invalid-link') }
}

/** The screen of a one-time link that has expired, was used or was revoked. */
export function UnusableLink({ name }: { name: LinkName }) {
  const navigate = useNavigate()

  function leave() {
    forgetLinkToken(name)
    return navigate('/signin', { replace: true })
  }

  return (
    <LinkCard title={t('This Link No Longer Works')}>
      <p>{t('It has expired or was used. Ask a colleague or your administrator for a new one.')}</p>
      <Button variant="primary" role="link" onClick={leave} data-first>
        {t('Sign in')}
      </Button>
    </LinkCard>
  )
}
