import type { ActivityEntry, ActivityGroup, ActivityKind } from '../../../../contract/activity/activity.ts'
import { type Message, msg, t } from '../../../language/translate.ts'
import { isolate } from '../../../lib/isolate.ts'
import { describePerson } from '../history/use-details.ts'

const texts: Record<ActivityKind, Message> = {
  add: msg('Added {records}'),
  change: msg('Changed {records}'),
  delete: msg('Deleted {records}'),
  restore: msg('Restored {records}'),
  import: msg('Imported {records}'),
  reveal: msg('Looked at a password of {records}'),
  copy: msg('Copied a password of {records}'),
  export: msg('Exported {records}'),
  'export-passwords': msg('Exported {records}, with passwords'),
  emergency: msg('Made an emergency file with {records}'),
  'hand-over': msg('Made a link to the credential of {records}'),
  'revoke-hand-over': msg('Revoked the link to the credential of {records}'),
  'open-hand-over': msg('The link to the credential of {records} was opened'),
  'expire-hand-over': msg('The link to the credential of {records} expired unopened'),
  'sign-up': msg('Signed up'),
  invite: msg('Made an invitation'),
  'revoke-invitation': msg('Revoked an invitation'),
  'accept-invitation': msg('Joined, invited by {account}'),
  'remove-account': msg('Removed {account}'),
  'let-in-account': msg('Let {account} back in'),
  'add-account': msg('Added the account {account}'),
  'sign-in': msg('Signed in'),
  'sign-in-first': msg('Signed in for the first time'),
  'sign-in-new-browser': msg('Signed in from a new browser'),
  'refuse-sign-in': msg('{count, plural, one {# sign-in} other {# sign-ins}} to {account} refused'),
  'end-sessions': msg('Ended {count, plural, one {# session} other {# sessions}}'),
  'create-reset-link': msg('Made a reset link for {account}'),
  'use-reset-link': msg('Set a new password with a reset link'),
  'change-password': msg('Changed the account’s password'),
  'add-passkey': msg('Added a passkey'),
  'remove-passkey': msg('Removed a passkey'),
  'connect-sso': msg('Connected the account to single sign-on'),
  'disconnect-sso': msg('Disconnected {account} from single sign-on'),
  'reset-password': msg('Reset the password of {account}'),
  'revoke-sessions': msg('Ended all sessions of {account}'),
  backup: msg('Made a backup'),
  'restore-backup': msg('Restored a backup'),
  'change-key': msg('Changed the records’ key'),
  'doubt-clock': msg('The server’s clock may be wrong'),
  'confirm-clock': msg('Confirmed the server’s clock'),
}

/** The operator has removed it from an account. */
const removedPasskeyOf = msg('Removed a passkey of {account}')

/** The text of a kind. `records` describes those that it is about. */
export function describeKind(
  { kind, account }: ActivityEntry,
  records: string,
  count: number | undefined,
  ownEmail: string,
): string {
  const values = {
    records: isolate(records),
    // A sentence with "by" has a person, the others an address.
    account: kind === 'accept-invitation' ? describePerson(account, ownEmail) : isolate(account ?? ''),
    count: count ?? 1,
  }
  return t(kind === 'remove-passkey' && account ? removedPasskeyOf : texts[kind], values)
}

/** What is known of the author of an entry that nobody who was signed in has made; undefined of other entries. */
export function describeStranger({ kind, account }: ActivityEntry, ownEmail: string): string | undefined {
  if (kind === 'open-hand-over' || kind === 'expire-hand-over')
    return t('link made by {account}', { account: describePerson(account, ownEmail) })
  if (kind === 'refuse-sign-in') return t('nobody knows who tried')
  if (kind === 'doubt-clock') return t('noticed by the server')
}

/** Who did it, or what is known of that. */
export const describeAuthor = (entry: ActivityEntry, ownEmail: string): string =>
  describeStranger(entry, ownEmail) ?? t('by {account}', { account: describePerson(entry.by, ownEmail) })

export const groupLabels: Record<ActivityGroup, Message> = {
  records: msg('Records'),
  secrets: msg('Passwords seen'),
  links: msg('Links'),
  people: msg('People'),
  'sign-ins': msg('Sign-ins'),
  files: msg('Files'),
}
