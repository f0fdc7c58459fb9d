import { useCallback, useRef, useState } from 'react'
import type { PasskeyInfo, PasskeyObstacle } from '../../contract/passkeys.ts'
import { hasCode, type IdentityService, type PasskeyService } from '../backends/ports.ts'
import { useServiceList } from '../backends/use-service-list.ts'
import { type Message, msg, t } from '../language/translate.ts'
import { isolate } from '../lib/isolate.ts'
import { describeTime, formatDate } from '../lib/times/times.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import styles from '../ui/list.module.css'
import { ListItem, ListStatus, OnceButton, type OnceItemProps } from '../ui/list.tsx'
import { Text } from '../ui/message.tsx'
import { OwnPasswordForm } from './team/own-password-form.tsx'

const obstacles: Record<PasskeyObstacle | 'no-webauthn', Message> = {
  'plain-http': msg('Passkeys need HTTPS, which this address doesn’t have. Ask your administrator.'),
  'ip-address': msg(
    'Passkeys need a domain name, and this address is an IP address. Ask your administrator.',
  ),
  'no-public-url': msg('Passkeys aren’t set up on this server. Ask your administrator to set PUBLIC_URL.'),
  'no-webauthn': msg('This browser can’t use passkeys.'),
}

interface PasskeysProps {
  identity: IdentityService
  ownEmail: string
  /** The name of this browser, which names a new passkey. */
  browser: string
  passkeys: PasskeyService
  hasPassword: boolean
}

export function Passkeys({ identity, ownEmail, browser, passkeys, hasPassword }: PasskeysProps) {
  const { obstacle, ...passkeyList } = usePasskeyList(passkeys)
  const { list, isGone, change } = passkeyList
  const [isAdding, setAdding] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  function toggle() {
    setAdding(!isAdding)
    button.current?.focus()
  }

  async function add(name: string, password: string) {
    const outcome = await passkeys.create(name, password).then(
      () => t('Passkey “{name}” added.', { name: isolate(name) }),
      (error) => {
        if (hasCode(error, 'cancelled')) return t('Cancelled. No passkey was added.')
        throw error
      },
    )
    toggle()
    await change(outcome, async () => {})
  }

  return (
    <section tabIndex={-1} className={styles.column} aria-label={t('Passkeys')}>
      <h3>{t('Passkeys')}</h3>
      <PasskeyHint isPasswordValid={!!list && !obstacle && hasPassword} obstacle={obstacle} />
      <ul className={styles.list}>
        {list?.map((passkey) => (
          <PasskeyItem
            key={passkey.id}
            item={passkey}
            isDone={isGone(passkey)}
            onClick={() => change(describeRemoved(passkey), () => passkeys.remove(passkey.id))}
          />
        ))}
      </ul>
      {list && !obstacle && (
        <p>
          <Button ref={button} aria-expanded={isAdding} onClick={toggle}>
            {t('Add a passkey')}
          </Button>
        </p>
      )}
      {isAdding && (
        <AddForm
          identity={identity}
          ownEmail={ownEmail}
          initialName={browser}
          onSubmit={add}
          onCancel={toggle}
        />
      )}
      <ListStatus {...passkeyList} />
    </section>
  )
}

function PasskeyHint({ isPasswordValid, obstacle }: { isPasswordValid: boolean; obstacle: string }) {
  return (
    <p className={styles.time}>
      <Text>
        {t('Sign in with your fingerprint, your face or the PIN of your device.')}
        {isPasswordValid && ` ${t('Your password stays valid.')}`}
        {obstacle && ` ${obstacle}`}
      </Text>
    </p>
  )
}

/** The passkeys of the account, and why none can be added, or ''. */
function usePasskeyList(passkeys: PasskeyService) {
  const [obstacle, setObstacle] = useState('')
  const read = useCallback(async () => {
    const { passkeys: present, unavailable } = await passkeys.list()
    setObstacle(unavailable ? t(obstacles[unavailable]) : '')
    return present
  }, [passkeys])
  return { obstacle, ...useServiceList('The passkeys were not read or changed:', read) }
}

function PasskeyItem({ item: passkey, ...button }: OnceItemProps<PasskeyInfo>) {
  const { name } = passkey
  return (
    <ListItem name={isolate(name)} details={[describe(passkey)]}>
      <OnceButton
        {...button}
        verbs={[t('Remove'), t('Passkey removed')]}
        labels={[t('Remove the passkey {name}', { name }), t('Removed the passkey {name}', { name })]}
      />
    </ListItem>
  )
}

const describeRemoved = ({ name }: PasskeyInfo) =>
  t('Passkey “{name}” removed. It can’t sign in any more.', { name: isolate(name) })

function describe({ createdAt, lastUsedAt, isBackedUp }: PasskeyInfo): string {
  const used = lastUsedAt ? t('used {time}', { time: describeTime(lastUsedAt) }) : t('not used yet')
  const place = isBackedUp ? t('synced') : t('on one device')
  return t('Added {date} · {used} · {place}', { date: formatDate(createdAt), used, place })
}

interface AddFormProps {
  identity: IdentityService
  ownEmail: string
  initialName: string
  onSubmit(name: string, password: string): Promise<void>
  onCancel(): void
}

function AddForm({ identity, ownEmail, initialName, onSubmit, onCancel }: AddFormProps) {
  const [name, setName] = useState(initialName)
  return (
    <OwnPasswordForm
      identity={identity}
      dialog="#sessions"
      ownEmail={ownEmail}
      text={t('Your browser then asks where to keep the passkey.')}
      submitLabel={t('Continue')}
      onSubmit={(password) => onSubmit(name.trim() || initialName, password)}
      onCancel={onCancel}
    >
      <Field
        label={t('Name')}
        name="name"
        autoComplete="off"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </OwnPasswordForm>
  )
}
