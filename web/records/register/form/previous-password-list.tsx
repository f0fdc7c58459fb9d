import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import {
  type Employee,
  type FieldName,
  type SecretFields,
  secretFieldNames,
} from '../../../../contract/employees.ts'
import type { PreviousPassword } from '../../../../contract/history.ts'
import { errorMessage } from '../../../backends/messages.ts'
import { hasCode, type PreviousPasswordService } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import { copyAndClear } from '../../../lib/clear-clipboard.ts'
import { whenSettled } from '../../../lib/dom.ts'
import { removeMarks } from '../../../lib/isolate.ts'
import { formatEnds } from '../../../lib/times/times.ts'
import { Button } from '../../../ui/button.tsx'
import { Text } from '../../../ui/message.tsx'
import { SecretCell } from '../../../ui/secret-cell.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { captionOf } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { describePerson } from '../../model/history/use-details.ts'
import panelStyles from './password-field.module.css'
import styles from './previous-password-list.module.css'

interface PreviousPasswordListProps {
  service: PreviousPasswordService
  /** The edited record, as it is in the book. */
  employee: Employee
  onUse(fields: SecretFields): void
}

/** A button with the number of the passwords that the edited record had before, which opens them. Nothing if there is none. */
export function PreviousPasswordList({ service, employee, onUse }: PreviousPasswordListProps) {
  const { email } = useHistory()
  const showToast = useToast()
  const panel = useRef<HTMLDivElement>(null)
  const panelId = useId()
  const [passwords, setPasswords] = useState<PreviousPassword[]>([])
  const [isOpen, setOpen] = useState(false)
  const use = usePutIntoForm(onUse)
  // Without a network there is nothing to show.
  useEffect(() => whenSettled(service.list(employee.id), setPasswords), [service, employee])
  if (passwords.length === 0) return null
  const ends = formatEnds(passwords.map(({ replacedAt }) => replacedAt))

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
    <>
      <button type="button" popoverTarget={panelId} aria-expanded={isOpen}>
        <Text>
          {t('{count, plural, one {# previous password} other {# previous passwords}}', {
            count: passwords.length,
          })}
        </Text>
      </button>
      <div
        ref={panel}
        id={panelId}
        popover="auto"
        className={`${panelStyles.panel} ${styles.panel}`}
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && (
          <ul className={styles.list} aria-label={t('Previous passwords')}>
            {passwords.map((previous, index) => (
              <li key={previous.key} className={styles.item}>
                <PreviousPasswordItem
                  until={ends[index] ?? ''}
                  by={describePerson(previous.replacedBy, email)}
                  id={employee.id}
                  read={() => read(previous.key)}
                  onUse={(fields) => {
                    use(fields)
                    panel.current?.hidePopover()
                  }}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

interface PreviousPasswordItemProps {
  until: string
  /** With marks, as in `isolate`. */
  by: string
  id: string
  read(): Promise<SecretFields | undefined>
  onUse(fields: SecretFields | undefined): void
}

function PreviousPasswordItem({ until, by, id, read, onUse }: PreviousPasswordItemProps) {
  const label = { until, by: removeMarks(by) }
  const showToast = useToast()
  const { report } = useHistory()
  const [fields, setFields] = useState<SecretFields>({})

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
      <p className={styles.until}>
        <Text>{t('Until {until}, changed by {by}', { until, by })}</Text>
      </p>
      {secretFieldNames.map((name) => (
        <span key={name} className={styles.secret}>
          <SecretCell
            label={withCaption(name, t('Previous password, until {until} by {by}', label))}
            showLabel={withCaption(name, t('Show previous password, until {until} by {by}', label))}
            caption={captionOf(name)}
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
        onClick={async () => onUse(await read())}
      >
        {t('Use again')}
      </Button>
    </>
  )
}

/** Says which of several secrets a label is of. */
function withCaption(name: FieldName, label: string): string {
  const caption = captionOf(name)
  return caption ? `${caption}: ${label}` : label
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
