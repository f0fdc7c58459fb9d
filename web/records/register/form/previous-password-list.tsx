import { useEffect, useEffectEvent, useState } from 'react'
import { type Employee, type SecretFields, secretFieldNames } from '../../../../contract/employees.ts'
import type { PreviousPassword } from '../../../../contract/history.ts'
import { errorMessage } from '../../../backends/messages.ts'
import { hasCode, type PreviousPasswordService } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import { copyAndClear } from '../../../lib/clear-clipboard.ts'
import { whenSettled } from '../../../lib/dom.ts'
import { removeMarks } from '../../../lib/isolate.ts'
import { formatEnd } from '../../../lib/times.ts'
import { Button } from '../../../ui/button.tsx'
import { Text } from '../../../ui/message.tsx'
import { SecretCell } from '../../../ui/secret-cell.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useHistory } from '../../model/history/history.ts'
import { describePerson } from '../../model/history/use-details.ts'
import styles from './previous-password-list.module.css'

interface PreviousPasswordListProps {
  service: PreviousPasswordService
  /** The edited record, as it is in the book. */
  employee: Employee
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
    <ul className={styles.list} aria-label={t('Previous passwords')}>
      {(isExpanded ? passwords : passwords.slice(0, 1)).map((previous, i) => (
        <li key={previous.key} className={styles.item}>
          <PreviousPasswordItem
            until={formatEnd(previous.replacedAt)}
            by={describePerson(previous.replacedBy, email)}
            id={employee.id}
            read={() => read(previous.key)}
            onUse={onUse}
          />
          {i === 0 && older > 0 && (
            <Button variant="ghost" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
              {t('{count, plural, other {# older}}', { count: older })}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

interface PreviousPasswordItemProps {
  until: string
  /** With marks, as in `isolate`. */
  by: string
  id: string
  read(): Promise<SecretFields | undefined>
  onUse(fields: SecretFields): void
}

function PreviousPasswordItem({ until, by, id, read, onUse }: PreviousPasswordItemProps) {
  const label = { until, by: removeMarks(by) }
  const showToast = useToast()
  const { report } = useHistory()
  const [fields, setFields] = useState<SecretFields>({})
  const use = usePutIntoForm(onUse)

  async function show() {
    report({ kind: 'reveal', ids: [id] })
    setFields((await read()) ?? {})
  }

  async function copyText() {
    const found = await read()
    if (!found) return
    const isCopied = await copyAndClear(Object.values(found).join('\n'), true)
    if (isCopied) report({ kind: 'copy', ids: [id] })
    showToast(
      isCopied
        ? t('Previous password copied.')
        : t('Your browser refused to copy. Show the password instead.'),
    )
  }

  return (
    <>
      <Text>{t('Previous password, until {until} by {by}', { until, by })}</Text>
      {secretFieldNames.map((name) => (
        <span key={name} className={styles.secret}>
          <SecretCell
            label={t('Previous password, until {until} by {by}', label)}
            showLabel={t('Show previous password, until {until} by {by}', label)}
            value={fields[name] ?? ''}
            onReveal={show}
          />
        </span>
      ))}
      <Button
        translate="no"
        variant="ghost"
        aria-label={t('Copy previous password, until {until} by {by}', label)}
        onClick={copyText}
      >
        {t('Copy')}
      </Button>
      <Button
        translate="no"
        variant="ghost"
        aria-label={t('Use again: previous password, until {until} by {by}', label)}
        onClick={async () => use(await read())}
      >
        {t('Use again')}
      </Button>
    </>
  )
}

/** Returns a function that puts a password into the form. In an effect: by the time it is read, the form may have changed. */
function usePutIntoForm(onUse: (fields: SecretFields) => void) {
  const showToast = useToast()
  const [used, use] = useState<SecretFields>()
  const putIntoForm = useEffectEvent((found: SecretFields) => {
    onUse(found)
    showToast(t('The previous password is in the form. Press Update to save it.'))
  })
  useEffect(() => {
    if (used) putIntoForm(used)
  }, [used])
  return use
}
