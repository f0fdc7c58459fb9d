import { useEffect, useEffectEvent, useState } from 'react'
import { type Employee, type SecretFields, secretFieldNames } from '../../../../contract/employees.ts'
import type { PreviousPassword } from '../../../../contract/history.ts'
import { errorMessage } from '../../../backends/messages.ts'
import { hasCode, type PreviousPasswordService } from '../../../backends/ports.ts'
import { copyAndClear } from '../../../lib/clear-clipboard.ts'
import { whenSettled } from '../../../lib/dom.ts'
import { removeMarks } from '../../../lib/isolate.ts'
import { formatEnd } from '../../../lib/times.ts'
import { Button } from '../../../ui/button.tsx'
import { Text } from '../../../ui/message.tsx'
import { copy } from '../../../ui/messages.ts'
import { SecretCell } from '../../../ui/secret-cell.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { capitalize } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { describePerson } from '../../model/history/use-details.ts'
import * as messages from './part-messages.ts'
import styles from './previous-password-list.module.css'

interface PreviousPasswordListProps {
  service: PreviousPasswordService
  /** The edited record, as it is in the book. */
  employee: Employee
  /** Puts the fields into the form. */
  onUse(fields: SecretFields): void
}

/** The passwords that the edited record had before: the latest, and the others on request. Nothing if there is none. */
export function PreviousPasswordList({ service, employee, onUse }: PreviousPasswordListProps) {
  const { email } = useHistory()
  const showToast = useToast()
  const [passwords, setPasswords] = useState<PreviousPassword[]>([])
  const [isExpanded, setExpanded] = useState(false)
  // Without a network there is nothing to show.
  useEffect(() => whenSettled(service.list(employee.id), setPasswords), [service, employee])
  if (passwords.length === 0) return null
  const older = passwords.length - 1

  /** Resolves to undefined, and says why, if the password cannot be read. */
  async function read(key: string) {
    try {
      return await service.read(employee.id, key)
    } catch (error) {
      if (hasCode(error, 'no-longer-kept'))
        setPasswords((listed) => listed.filter((previous) => previous.key !== key))
      showToast(errorMessage(error))
      return
    }
  }

  return (
    <ul className={styles.list} aria-label={messages.previousPasswords}>
      {(isExpanded ? passwords : passwords.slice(0, 1)).map((previous, i) => (
        <li key={previous.key} className={styles.item}>
          <PreviousPasswordItem
            text={messages.previousPassword(
              formatEnd(previous.replacedAt),
              describePerson(previous.replacedBy, email),
            )}
            id={employee.id}
            read={() => read(previous.key)}
            onUse={onUse}
          />
          {i === 0 && older > 0 && (
            <Button variant="ghost" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
              {messages.olderPasswords(older)}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

interface PreviousPasswordItemProps {
  text: string
  id: string
  read(): Promise<SecretFields | undefined>
  onUse(fields: SecretFields): void
}

function PreviousPasswordItem({ text, id, read, onUse }: PreviousPasswordItemProps) {
  const label = removeMarks(text)
  const showToast = useToast()
  const { report } = useHistory()
  const [fields, setFields] = useState<SecretFields>({})
  const [used, setUsed] = useState<SecretFields>()

  async function show() {
    report({ kind: 'reveal', ids: [id] })
    setFields((await read()) ?? {})
  }

  async function copyText() {
    const found = await read()
    if (!found) return
    const isCopied = await copyAndClear(Object.values(found).join('\n'), true)
    if (isCopied) report({ kind: 'copy', ids: [id] })
    showToast(isCopied ? messages.previousCopied : messages.previousNotCopied)
  }

  const putIntoForm = useEffectEvent((found: SecretFields) => {
    onUse(found)
    showToast(messages.previousInForm)
  })
  // In an effect, because the user may have typed, or edit another record, by the time the password is read.
  useEffect(() => {
    if (used) putIntoForm(used)
  }, [used])

  return (
    <>
      <Text>{capitalize(text)}</Text>
      {secretFieldNames.map((name) => (
        <span key={name} className={styles.secret}>
          <SecretCell label={label} value={fields[name] ?? ''} onReveal={show} />
        </span>
      ))}
      <Button translate="no" variant="ghost" aria-label={copy(label)} onClick={copyText}>
        {messages.copyPrevious}
      </Button>
      <Button
        translate="no"
        variant="ghost"
        aria-label={messages.usePrevious.label(label)}
        onClick={async () => setUsed(await read())}
      >
        {messages.usePrevious.text}
      </Button>
    </>
  )
}
