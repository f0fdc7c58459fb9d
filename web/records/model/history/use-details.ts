import { useEffect, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import type { RecordDetails } from '../../../../contract/history.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import { whenSettled } from '../../../lib/dom.ts'
import { isolate } from '../../../lib/isolate.ts'
import { describeTime } from '../../../lib/times/times.ts'
import { useHistory } from './history.ts'

/** `by` is an email; undefined stands for the operator. */
export function describePerson(by: string | undefined, ownEmail: string): string {
  if (by === undefined) return t('your administrator')
  return by === ownEmail ? t('you') : isolate(by)
}

/**
 * One line about the last change of a record, empty if nothing is known, and a short one that only says when. Read again when `cause`
 * changes; undefined at first.
 */
export function useDetails(service: HistoryService, employee: Employee, cause: unknown) {
  const { email } = useHistory()
  const [details, setDetails] = useState<Partial<RecordDetails>>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cause has changed what the service knows
  useEffect(
    () => whenSettled(service.details([employee.id]), ([found]) => setDetails(found ?? {})),
    [service, employee, cause],
  )
  return details && describeDetails(details, email)
}

function describeDetails(details: Partial<RecordDetails>, ownEmail: string) {
  const { changedAt, changedBy, passwordChangedAt, handedOverAt, openedAt } = details
  const by = describePerson(changedBy, ownEmail)
  const isSameChange = changedAt !== undefined && passwordChangedAt === changedAt
  const [when, passwordWhen, handedOver, opened] = [changedAt, passwordChangedAt, handedOverAt, openedAt].map(
    (time) => time && describeTime(time),
  )
  const line = [
    when &&
      (isSameChange
        ? t('Changed {when} by {by}, password included', { when, by })
        : t('Changed {when} by {by}', { when, by })),
    passwordWhen && !isSameChange && t('password changed {when}', { when: passwordWhen }),
    handedOver &&
      (opened
        ? t('handed over {when}, opened {opened}', { when: handedOver, opened })
        : t('handed over {when}, not opened yet', { when: handedOver })),
  ]
    .filter(Boolean)
    .join(' · ')
  return { line, short: when && t('Changed {when}', { when }) }
}
