import { useEffect, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import type { RecordDetails } from '../../../../contract/history.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { whenSettled } from '../../../lib/dom.ts'
import { isolate } from '../../../lib/isolate.ts'
import { describeTime } from '../../../lib/times.ts'
import { useHistory } from './history.ts'
import * as messages from './messages.ts'

/** `by` is an email; undefined stands for the operator. */
export function describePerson(by: string | undefined, ownEmail: string): string {
  if (by === undefined) return messages.operator
  return by === ownEmail ? messages.you : isolate(by)
}

/**
 * One line about the last change of a record, read again whenever the record or `cause` changes: empty if the service knows
 * nothing, undefined until it has responded, and without a network.
 */
export function useDetails(service: HistoryService, employee: Employee, cause: unknown): string | undefined {
  const { email } = useHistory()
  const [details, setDetails] = useState<Partial<RecordDetails>>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cause has changed what the service knows
  useEffect(
    () => whenSettled(service.details([employee.id]), ([found]) => setDetails(found ?? {})),
    [service, employee, cause],
  )
  return details && describeDetails(details, email)
}

function describeDetails(details: Partial<RecordDetails>, ownEmail: string): string {
  const { changedAt, changedBy, passwordChangedAt, handedOverAt, openedAt } = details
  const change = changedAt && messages.changed(describeTime(changedAt), describePerson(changedBy, ownEmail))
  const isSameChange = change && passwordChangedAt === changedAt
  return [
    isSameChange ? `${change}, ${messages.withPassword}` : change,
    passwordChangedAt && !isSameChange && messages.passwordChanged(describeTime(passwordChangedAt)),
    handedOverAt && messages.handedOver(describeTime(handedOverAt), openedAt && describeTime(openedAt)),
  ]
    .filter(Boolean)
    .join(' · ')
}
