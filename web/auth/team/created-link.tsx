import { useEffect, useRef, useState } from 'react'
import { copyAndClear } from '../../lib/clear-clipboard.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import listStyles from '../../ui/list.module.css'
import * as messages from './messages.ts'
import styles from './team-dialog.module.css'

/** The link, shown once: the service does not store it. */
export function CreatedLink({ link, hint }: { link: string; hint: string }) {
  const [message, setMessage] = useState('')
  const row = useRef<HTMLDivElement>(null)

  useEffect(() => row.current?.querySelector('button')?.focus(), [])

  async function copy() {
    const isCopied = await copyAndClear(link, false)
    setMessage(isCopied ? messages.copied : messages.notCopied)
  }

  return (
    <div className={styles.created}>
      <div ref={row} className={styles.form}>
        <Field
          label={messages.link}
          readOnly
          secret={link}
          hint={hint}
          onFocus={(event) => event.target.select()}
        />
        <Button variant="primary" onClick={copy}>
          {messages.copyLink}
        </Button>
      </div>
      <p role="status" className={listStyles.time}>
        {message}
      </p>
    </div>
  )
}
