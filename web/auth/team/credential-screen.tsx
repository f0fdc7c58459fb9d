import { useEffect, useRef, useState } from 'react'
import { newIdempotencyKey } from '../../backends/idempotency-key.ts'
import { errorMessage } from '../../backends/messages.ts'
import { hasCode, type TeamService } from '../../backends/ports.ts'
import { isolate } from '../../lib/isolate.ts'
import { useAction } from '../../lib/use-action.ts'
import { useReveal } from '../../lib/use-reveal.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { FieldWithButtons, PasswordInput } from '../../ui/field.tsx'
import { Message, Text } from '../../ui/message.tsx'
import { copy } from '../../ui/messages.ts'
import styles from '../account-screen.module.css'
import { type CredentialLine, canEncrypt, isWholeLink, openCredentialLink } from './credential.ts'
import * as messages from './credential-messages.ts'
import { LinkCard } from './link-card.tsx'

interface CredentialScreenProps {
  /** What the address of the link has behind `#credential=`. */
  secret: string
  team: TeamService
}

type Opened = { lines: CredentialLine[]; by: string } | 'unusable'

/** Shows an employee's credential, once, and only after a press: programs that check links open them too. */
export function CredentialScreen({ secret, team }: CredentialScreenProps) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [key] = useState(newIdempotencyKey)
  const { isBusy, isSlow, problem, run } = useAction(errorMessage)

  async function open() {
    try {
      setOpened(await openCredentialLink(team, secret, key))
    } catch (error) {
      if (!hasCode(error, 'invalid-link')) throw error
      setOpened('unusable')
    }
  }

  if (opened === 'unusable')
    return (
      <LinkCard title={messages.unusableTitle}>
        <p>{messages.unusable}</p>
        <p>{messages.openedByOther}</p>
      </LinkCard>
    )
  if (opened) return <OpenedCredential {...opened} />
  const obstacle = isWholeLink(secret) ? !canEncrypt() && messages.needsHttps : messages.incomplete
  return (
    <LinkCard title={messages.title}>
      <p>{obstacle || messages.beforeShow}</p>
      <Message role="alert">{problem}</Message>
      {!obstacle && (
        <Button variant="primary" isBusy={isSlow} aria-disabled={isBusy} onClick={() => run(open)} data-first>
          {messages.show}
        </Button>
      )}
    </LinkCard>
  )
}

function OpenedCredential({ lines, by }: Exclude<Opened, 'unusable'>) {
  const [message, setMessage] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const reveal = useReveal(list)
  const { show } = reveal

  useEffect(() => show(true), [show])

  async function copyLine({ label, value }: CredentialLine) {
    // `lib/clipboard.ts` is in the chunk of /form, and for plain HTTP too, which this screen is not.
    const copying = navigator.clipboard.writeText(value)
    setMessage(
      await copying.then(
        () => messages.copied(label),
        () => messages.notCopied,
      ),
    )
  }

  const renderCopy = (line: CredentialLine) => (
    <IconButton icon="copy" aria-label={copy(line.label)} onClick={() => copyLine(line)} />
  )

  return (
    <LinkCard title={messages.title}>
      <p>
        <Text>{messages.shown(isolate(by))}</Text>
      </p>
      <div ref={list} className={styles.lines}>
        {lines.map((line) => {
          const { label, value, isSecret } = line
          const field = { label, secret: value, readOnly: true }
          const button = renderCopy(line)
          return isSecret ? (
            <PasswordInput {...field} key={label} reveal={reveal} extraButtons={button} />
          ) : (
            <FieldWithButtons {...field} key={label} buttons={button} />
          )
        })}
      </div>
      <Message role="status" isSuccess>
        {message}
      </Message>
    </LinkCard>
  )
}
