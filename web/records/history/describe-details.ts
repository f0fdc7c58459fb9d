import type { RecordDetails } from '../../../contract/history.ts'
import { describeTime } from '../../lib/times.ts'
import * as messages from './messages.ts'

/** `by` is an email; undefined stands for the operator. */
export function describePerson(by: string | undefined, ownEmail: string): string {
  if (by === undefined) return messages.operator
  return by === ownEmail ? messages.you : by
}

/** One line about the last change of a record; undefined if the service knows nothing. */
export function describeDetails(
  details: RecordDetails | null | undefined,
  ownEmail: string,
): string | undefined {
  const { changedAt, changedBy, passwordChangedAt, handedOverAt, openedAt } = details ?? {}
  const change = changedAt && messages.changed(describeTime(changedAt), describePerson(changedBy, ownEmail))
  const isSameChange = change && passwordChangedAt === changedAt
  return (
    [
      isSameChange ? `${change}, ${messages.withPassword}` : change,
      passwordChangedAt && !isSameChange && messages.passwordChanged(describeTime(passwordChangedAt)),
      handedOverAt && messages.handedOver(describeTime(handedOverAt), openedAt && describeTime(openedAt)),
    ]
      .filter(Boolean)
      .join(' · ') || undefined
  )
}
