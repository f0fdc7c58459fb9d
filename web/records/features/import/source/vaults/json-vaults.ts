import * as messages from '../../messages.ts'
import { LockedError, SourceError } from '../parse-sheet.ts'
import type { LockedFile } from './bitwarden-lock.ts'
import { type ProgramSheet, toSheet, type VaultItem } from './vault-items.ts'

interface BitwardenItem {
  type: number
  name: string
  login: { username: string | null; password: string | null } | null
  deletedDate: string | null
  archivedDate: string | null
}

/** The types of the CSV file for the numbers in a JSON file. */
const bitwardenTypes: Record<number, string> = {
  1: 'login',
  2: 'note',
  3: 'card',
  4: 'identity',
  5: 'sshKey',
}

const readBitwarden = (item: Partial<BitwardenItem>): VaultItem => ({
  type: bitwardenTypes[item.type ?? 0] ?? '',
  name: item.name,
  username: item.login?.username,
  password: item.login?.password,
  skipReason: findStateReason(item.deletedDate, item.archivedDate),
})

/** Of an `export.data`, the JSON in a 1PUX file. Earlier versions wrapped each item. */
interface OnePasswordItem {
  item?: OnePasswordItem
  state: string
  trashed: boolean
  categoryUuid: string
  overview: { title: string }
  details: { loginFields: { designation: string; value: string }[]; password: string }
}

const onePasswordTypes: Record<string, string> = {
  '001': 'login',
  '002': 'card',
  '003': 'note',
  '004': 'identity',
  '005': 'password',
  '114': 'sshKey',
}

function readOnePassword({ item: wrapped, ...own }: Partial<OnePasswordItem>): VaultItem {
  const { categoryUuid = '', overview, details, state, trashed }: Partial<OnePasswordItem> = wrapped ?? own
  const findValue = (name: string) =>
    toList(details?.loginFields).find(({ designation }) => designation === name)?.value
  return {
    type: onePasswordTypes[categoryUuid] ?? '',
    name: overview?.title,
    username: findValue('username'),
    password: findValue('password') || details?.password,
    skipReason: findStateReason(trashed || state === 'trashed', state === 'archived'),
  }
}

interface EnpassItem {
  category: string
  title: string
  archived: number
  trashed: number
  fields: { type: string; value: string; deleted: number }[]
}

function readEnpass(item: Partial<EnpassItem>): VaultItem {
  const findValue = (name: string) =>
    toList(item.fields).find(({ type, value, deleted }) => type === name && value && !deleted)?.value
  return {
    type: item.category ?? '',
    name: item.title,
    username: findValue('email') ?? findValue('username'),
    password: findValue('password'),
    skipReason: findStateReason(item.trashed, item.archived),
  }
}

interface PsonoFolder {
  folders: PsonoFolder[]
  /** Names of the values begin with the type. */
  items: Record<string, string>[]
}

function readPsono({ folders, items }: Partial<PsonoFolder>): VaultItem[] {
  const own = toList(items).map(({ type = '', name, ...values }) => ({
    type,
    name: values[`${type}_title`] ?? name,
    username: values[`${type}_username`],
    password: values[`${type}_password`],
  }))
  return [...own, ...toList(folders).flatMap(readPsono)]
}

function findStateReason(isDeleted: unknown, isArchived: unknown): string | undefined {
  if (isDeleted) return messages.isRecycled
  return isArchived ? messages.isArchived : undefined
}

/** Lists the objects in what should be a list of objects. */
const toList = <T>(value: readonly T[] | null | undefined): Partial<T>[] =>
  Array.isArray(value) ? value.map((item) => item ?? {}) : []

interface Account {
  vaults: { items: OnePasswordItem[] }[]
}

/** What is in a file, if it is of one of the programs. */
type Content = Partial<LockedFile> & {
  encrypted?: boolean
  passwordProtected?: boolean
  accounts?: Account[]
  items?: unknown[]
}

/**
 * Reads the JSON file of a password manager: of Bitwarden, 1Password (the one in a 1PUX file), Enpass or Psono. Returns null if
 * the text is not JSON. Throws a `SourceError` for other JSON, and a `LockedError` without the password of a file.
 */
export async function parseJsonVault(text: string, password?: string): Promise<ProgramSheet | null> {
  const content = parseObject(text)
  if (!content) return null
  if (content.encrypted) {
    if (!content.passwordProtected) throw new SourceError(messages.isEncrypted)
    return parseJsonVault(await unlock(content as LockedFile, password))
  }
  const items = toList(content.items)
  if (content.encrypted === false && Array.isArray(content.items))
    return toSheet('Bitwarden', items.map(readBitwarden))
  if (Array.isArray(content.accounts)) {
    const vaults = toList(content.accounts).flatMap(({ vaults }) => toList(vaults))
    return toSheet('1Password', vaults.flatMap(({ items }) => toList(items)).map(readOnePassword))
  }
  if (items.some((item) => 'category' in item)) return toSheet('Enpass', items.map(readEnpass))
  const psonoItems = readPsono(content as Partial<PsonoFolder>)
  if (psonoItems.some(({ type }) => type.endsWith('_password'))) return toSheet('Psono', psonoItems)
  throw new SourceError(messages.isOtherJson)
}

async function unlock(file: LockedFile, password?: string): Promise<string> {
  if (!password) throw new LockedError('')
  const { unlockBitwarden } = await import('./bitwarden-lock.ts')
  const text = unlockBitwarden(file, password)
  if (text === null) throw new LockedError(messages.wrongFilePassword)
  return text
}

function parseObject(text: string): Content | null {
  if (!/^\s*\{/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
