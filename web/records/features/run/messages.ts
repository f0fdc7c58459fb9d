import { formatRecordCount } from '../../model/outbox/messages.ts'

/** The messages of a run: passwords that are replaced one after the other. */

export const region = 'Passwords to change'
export const step = (position: number, total: number) =>
  `${position.toLocaleString()} of ${total.toLocaleString()}`
export const suggested = 'A new password is suggested. Update saves and copies it.'
/** Follows the name of a record. */
export const copied = 'saved, new password copied.'
export const notCopied = 'saved. Your browser blocked copying: the new password is in the table.'
export const oldCopied = 'Old password copied.'
export const oldNotCopied = 'Your browser blocked copying. The old password is in the table.'
export const passedOver = (count: number) =>
  `${formatRecordCount(count)} skipped because someone changed or deleted ${count === 1 ? 'it' : 'them'}.`

const passwords = (count: number) => (count === 1 ? '1 password' : `${count.toLocaleString()} passwords`)
export const changed = (count: number, total: number) =>
  count === total
    ? `${passwords(count)} changed.`
    : `${count.toLocaleString()} of ${passwords(total)} changed.`
export const changedBack = (count: number) => `${passwords(count)} changed back.`
export const undoAll = 'Undo all'
