import { useEffect, useRef, useState } from 'react'
import { newIdempotencyKey } from '../../backends/idempotency-key.ts'
import { errorMessage } from '../../backends/messages.ts'
import { hasCode, type TeamService } from '../../backends/ports.ts'
import { t, translateLabel } from '../../language/translate.ts'
import { isolate } from '../../lib/isolate.ts'
import { useAction } from '../../lib/use-action.ts'
import { useReveal } from '../../lib/use-reveal.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Message, Text } from '../../ui/message.tsx'
import styles from '../account-screen.module.css'
import { type CredentialLine, canEncrypt, openCredentialLink } from './credential.ts'
import { CredentialField } from './credential-field.tsx'
import { incompleteTitle, LinkCard, partMissing } from './link-card.tsx'
import { isWholeLink } from './rewritten-link.ts'

interface CredentialScreenProps {
  /** What the address of the link has behind `#credential=`. */
  secret: string
  team: TeamService
}

type Opened = Awaited<ReturnType<typeof openCredentialLink>> | 'unusable'

/** Shows an employee's credential, once, and only after a press: programs that check links open them too. */
export function CredentialScreen({ secret, team }: CredentialScreenProps) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [key] = useState(newIdempotencyKey)
  const { isBusy, isSlow, problem, run } = useAction(errorMessage)

  async function open() {
    try {
      const { lines, ...origin } = await openCredentialLink(team, secret, key)
      setOpened({ ...origin, lines: lines.map((line) => ({ ...line, label: translateLabel(line.label) })) })
    } catch (error) {
      if (!hasCode(error, 'invalid-link')) throw error
      setOpened('unusable')
    }
  }

  if (opened === 'unusable')
    return (
      <LinkCard title={t('This Link No Longer Works')}>
        <p>{t('It was already used, or is no longer valid. Ask the colleague who sent it for a new one.')}</p>
        <p>{t('If you have not opened it yourself, tell them: someone else may have seen the password.')}</p>
      </LinkCard>
    )
  if (opened) return <OpenedCredential {...opened} />
  if (!isWholeLink({ name: 'credential', value: secret }))
    return (
      <LinkCard title={incompleteTitle()} isOnce>
        <p>{partMissing()}</p>
      </LinkCard>
    )
  const obstacle =
    !canEncrypt() &&
    t(
      'This page can’t be opened safely over plain HTTP. Ask the colleague who sent the link for one that begins with https://.',
    )
  return (
    <LinkCard title={t('Your Sign-In Details')} isOnce>
      <p>
        {obstacle ||
          t(
            'A colleague has handed you a login. It is shown once: press Show when you are ready to save it.',
          )}
      </p>
      <Message role="alert">{problem}</Message>
      {!obstacle && (
        <Button variant="primary" isBusy={isSlow} aria-disabled={isBusy} onClick={() => run(open)} data-first>
          {t('Show')}
        </Button>
      )}
    </LinkCard>
  )
}

function OpenedCredential({ lines, by, isLookAlike }: Exclude<Opened, 'unusable'>) {
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
        () => t('{label} copied.', { label }),
        () => t('Your browser blocked copying. Select the text and copy it by hand.'),
      ),
    )
  }

  const renderCopy = (line: CredentialLine) => (
    <IconButton
      icon="copy"
      aria-label={t('Copy {label}', { label: line.label })}
      onClick={() => copyLine(line)}
    />
  )

  return (
    <LinkCard title={t('Your Sign-In Details')} isOnce>
      <p>
        <Text>
          {t(
            'From {by}, for you alone. Save it now, for example in a password manager: this page can’t show it again.',
            { by: isolate(by) },
          )}
        </Text>
      </p>
      {isLookAlike && (
        <Message role="note">
          {t('Another email looks the same as this one. Ask who has sent you this link.')}
        </Message>
      )}
      <div ref={list} className={styles.lines}>
        {lines.map((line) => (
          <CredentialField key={line.label} {...line} reveal={reveal} copyButton={renderCopy(line)} />
        ))}
      </div>
      <Message role="status" isSuccess>
        {message}
      </Message>
    </LinkCard>
  )
}
