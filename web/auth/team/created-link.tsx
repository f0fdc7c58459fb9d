import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useServiceList } from '../../backends/use-service-list.ts'
import { t } from '../../language/translate.ts'
import { copyAndClear } from '../../lib/clear-clipboard.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import styles from './created-link.module.css'

interface CopyLinkProps {
  link: string
  hint?: string
  copiedMessage?: string
  /** Takes the focus. */
  isNew?: boolean
}

interface CreatedLinkProps extends CopyLinkProps {
  hint: string
  /** More ways to take the link along. */
  children?: ReactNode
}

/** A one-time link, shown once: the service does not store it. */
export function CreatedLink({ children, ...link }: CreatedLinkProps) {
  return (
    <div className={styles.created}>
      <CopyLink {...link} isNew />
      {children}
    </div>
  )
}

/** A link, and a button that copies it. */
export function CopyLink({
  link,
  hint,
  copiedMessage = t('Copied. Send it to your colleague.'),
  isNew,
}: CopyLinkProps) {
  const [message, setMessage] = useState('')
  const row = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (isNew) row.current?.querySelector('button')?.focus()
  }, [isNew])

  async function copy() {
    setMessage((await copyAndClear(link, false)) ? copiedMessage : t('Select the link and copy it by hand.'))
  }

  return (
    <>
      <div ref={row} className={styles.row}>
        <Field
          label={t('Link')}
          readOnly
          value={link}
          hint={hint}
          onFocus={(event) => event.target.select()}
        />
        <Button variant={isNew ? 'primary' : 'secondary'} onClick={copy}>
          {t('Copy link')}
        </Button>
      </div>
      <p role="status" className={styles.message}>
        {message}
      </p>
    </>
  )
}

interface NewLink {
  id: string
  link: string
}

/** One-time links, as `useServiceList` lists them. `created` is the last one that was made here, until it is revoked. */
export function useLinks<T extends { id: string }>(logMessage: string, read: () => Promise<T[]>) {
  const links = useServiceList(logMessage, read)
  const [created, setCreated] = useState<NewLink | null>(null)
  const isMaking = useRef(false)

  /** Makes one link, however often it is pressed meanwhile. */
  async function make(makeLink: () => Promise<NewLink>) {
    if (isMaking.current) return
    isMaking.current = true
    await links.change('', async () => setCreated(await makeLink()))
    isMaking.current = false
  }

  async function revoke({ id }: T, message: string, revoking: () => Promise<void>) {
    if ((await links.change(message, revoking)) && created?.id === id) setCreated(null)
  }

  return { ...links, created, hideCreated: () => setCreated(null), make, revoke }
}
