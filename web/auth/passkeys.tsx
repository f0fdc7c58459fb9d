import { useCallback, useRef, useState } from 'react'
import type { PasskeyInfo } from '../../contract/passkeys.ts'
import { hasCode, type PasskeyService } from '../backends/ports.ts'
import { useServiceList } from '../backends/use-service-list.ts'
import { isolate } from '../lib/isolate.ts'
import { describeTime, formatDate } from '../lib/times.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import styles from '../ui/list.module.css'
import { ListItem, ListStatus, OnceButton } from '../ui/list.tsx'
import * as messages from './dialog-messages.ts'
import { OwnPasswordForm } from './team/own-password-form.tsx'

interface PasskeysProps {
  ownEmail: string
  /** The name of this browser, which names a new passkey. */
  browser: string
  passkeys: PasskeyService
}

/** Lists the passkeys of the signed-in account, adds one, and removes them. */
export function Passkeys({ ownEmail, browser, passkeys }: PasskeysProps) {
  const [obstacle, setObstacle] = useState('')
  const read = useCallback(async () => {
    const { passkeys: present, unavailable } = await passkeys.list()
    setObstacle(unavailable ? messages.passkeyObstacles[unavailable] : '')
    return present
  }, [passkeys])
  const passkeyList = useServiceList('The passkeys were not read or changed:', read)
  const { list, isGone, change } = passkeyList
  const [isAdding, setAdding] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  function toggle() {
    setAdding(!isAdding)
    button.current?.focus()
  }

  async function add(name: string, password: string) {
    const adding = passkeys.create(name, password)
    const outcome = await adding.then(
      () => messages.passkeyAdded(name),
      (error) => {
        if (hasCode(error, 'cancelled')) return messages.noPasskeyAdded
        throw error
      },
    )
    toggle()
    await change(outcome, async () => {})
  }

  return (
    <section tabIndex={-1} className={styles.column} aria-label={messages.passkeys}>
      <h3>{messages.passkeys}</h3>
      <p className={styles.time}>{messages.aboutPasskeys}</p>
      <ul className={styles.list}>
        {list?.map((passkey) => (
          <ListItem key={passkey.id} name={isolate(passkey.name)} details={[describe(passkey)]}>
            <OnceButton
              verbs={messages.remove}
              label={(verb) => messages.removeLabel(verb, passkey.name)}
              isDone={isGone(passkey)}
              onClick={() => change(messages.passkeyRemoved(passkey.name), () => passkeys.remove(passkey.id))}
            />
          </ListItem>
        ))}
      </ul>
      {obstacle && <p>{obstacle}</p>}
      {list && !obstacle && (
        <p>
          <Button ref={button} aria-expanded={isAdding} onClick={toggle}>
            {messages.addPasskey}
          </Button>
        </p>
      )}
      {isAdding && <AddForm ownEmail={ownEmail} initialName={browser} onSubmit={add} onCancel={toggle} />}
      <ListStatus {...passkeyList} />
    </section>
  )
}

function describe({ createdAt, lastUsedAt, isBackedUp }: PasskeyInfo): string {
  const used = lastUsedAt ? messages.used(describeTime(lastUsedAt)) : messages.neverUsed
  const place = isBackedUp ? messages.isSynced : messages.onOneDevice
  return `${messages.added(formatDate(createdAt))} · ${used} · ${place}`
}

interface AddFormProps {
  ownEmail: string
  initialName: string
  onSubmit(name: string, password: string): Promise<void>
  onCancel(): void
}

function AddForm({ ownEmail, initialName, onSubmit, onCancel }: AddFormProps) {
  const [name, setName] = useState(initialName)
  return (
    <OwnPasswordForm
      ownEmail={ownEmail}
      text={messages.addingText}
      submitLabel={messages.toContinue}
      onSubmit={(password) => onSubmit(name.trim() || initialName, password)}
      onCancel={onCancel}
    >
      <Field
        label={messages.passkeyName}
        name="name"
        autoComplete="off"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </OwnPasswordForm>
  )
}
