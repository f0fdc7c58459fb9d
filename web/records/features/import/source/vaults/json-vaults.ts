import { type Message, msg } from '../../../../../language/translate.ts'
import { LockedError, loadPart, SourceError } from '../sheet.ts'
import type { LockedFile } from './bitwarden-lock.ts'
import { type ProgramSheet, toSheet, type VaultItem } from './vault-items.ts'

/** Returns what is at a path in JSON of whatever shape. */
const at = (json: unknown, ...path: string[]) =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], json)

/** An object of JSON may be none that can be made a text or a number. */
const textAt = (json: unknown, ...path: string[]) => {
  const value = at(json, ...path)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function listAt(json: unknown, ...path: string[]): unknown[] {
  const value = at(json, ...path)
  return Array.isArray(value) ? value : []
}

function findStateReason(isDeleted: unknown, isArchived: unknown): Message | undefined {
  if (isDeleted) return msg('In the recycle bin.')
  return isArchived ? msg('Archived.') : undefined
}

/** The types of Bitwarden's CSV file, by the numbers in its JSON file. */
const bitwardenTypes = ['', 'login', 'note', 'card', 'identity', 'sshKey']

const readBitwarden = (item: unknown): VaultItem => ({
  type: bitwardenTypes[Number(textAt(item, 'type'))] ?? '',
  name: at(item, 'name'),
  username: at(item, 'login', 'username'),
  password: at(item, 'login', 'password'),
  skipReason: findStateReason(at(item, 'deletedDate'), at(item, 'archivedDate')),
})

/** The types of 1Password's categories, by the numbers of those. */
const onePasswordTypes = ['', 'login', 'card', 'note', 'identity', 'password']

function readOnePassword(entry: unknown): VaultItem {
  // Earlier versions wrapped each item.
  const item = at(entry, 'item') ?? entry
  const state = at(item, 'state')
  const fields = listAt(item, 'details', 'loginFields')
  const find = (name: string) =>
    at(
      fields.find((field) => at(field, 'designation') === name),
      'value',
    )
  return {
    type: onePasswordTypes[Number(textAt(item, 'categoryUuid'))] ?? '',
    name: at(item, 'overview', 'title'),
    username: find('username'),
    password: find('password') || at(item, 'details', 'password'),
    skipReason: findStateReason(at(item, 'trashed') || state === 'trashed', state === 'archived'),
  }
}

/** What stands between the items of a 1PIF file. */
const interchangeRule = '***5642bee8-a5ff-11dc-8314-0800200c9a66***'

/** The types of 1Password's earlier versions. */
const interchangeTypes = new Map([
  ['securenotes.SecureNote', 'note'],
  ['wallet.financial.CreditCard', 'card'],
  ['identities.Identity', 'identity'],
])

function readInterchangeItem(item: unknown): VaultItem {
  const content = at(item, 'secureContents')
  const typeName = textAt(item, 'typeName')
  const fields = listAt(content, 'fields')
  const others = listAt(content, 'sections').flatMap((section) => listAt(section, 'fields'))
  const find = (name: string) =>
    at(
      fields.find((field) => at(field, 'designation') === name),
      'value',
    ) ||
    at(content, name) ||
    at(
      others.find((field) => at(field, 'n') === name),
      'v',
    )
  return {
    type: typeName.startsWith('system.') ? '' : (interchangeTypes.get(typeName) ?? 'login'),
    name: at(item, 'title'),
    username: find('username'),
    password: find('password'),
    skipReason: findStateReason(at(item, 'trashed'), false),
  }
}

/** Reads the 1PIF file of 1Password's earlier versions: an item on each line, and a rule below it. Null for other text. */
function parseInterchange(text: string): ProgramSheet | null {
  if (!text.includes(`\n${interchangeRule}`)) return null
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && line !== interchangeRule)
  const items = lines.map(parseObject)
  if (items.includes(null)) throw createDamagedError()
  return toSheet('1Password', items.map(readInterchangeItem))
}

/** The names of the values of Psono begin with the type. */
const readPsono = (folder: unknown): VaultItem[] => [
  ...listAt(folder, 'items').map((item) => {
    const type = textAt(item, 'type')
    const find = (name: string) => at(item, `${type}_${name}`)
    return { type, name: find('title'), username: find('username'), password: find('password') }
  }),
  ...listAt(folder, 'folders').flatMap(readPsono),
]

const readProton = (item: unknown): VaultItem => {
  const content = at(item, 'data', 'content')
  return {
    type: textAt(item, 'data', 'type'),
    name: at(item, 'data', 'metadata', 'name'),
    username: at(content, 'itemEmail') || at(content, 'itemUsername') || at(content, 'username'),
    password: at(content, 'password'),
    skipReason: findStateReason(at(item, 'state') === 2, false),
  }
}

/** The fields of an item have a type and a value. */
function readEnpass(item: unknown): VaultItem {
  const fields = listAt(item, 'fields').filter((field) => !at(field, 'deleted'))
  const find = (type: string) =>
    at(
      fields.find((field) => at(field, 'type') === type && textAt(field, 'value') !== ''),
      'value',
    )
  return {
    type: textAt(item, 'category'),
    name: at(item, 'title'),
    username: find('email') || find('username'),
    password: find('password'),
    skipReason: findStateReason(at(item, 'trashed'), at(item, 'archived')),
  }
}

const isOfEnpass = (item: unknown) =>
  textAt(item, 'category') !== '' && listAt(item, 'fields').some((field) => textAt(field, 'type') !== '')

/** The items of F-Secure are called by their keys. */
const readFSecure = (item: unknown): VaultItem => ({
  type: textAt(item, 'style') === 'creditcard' ? 'card' : 'login',
  name: at(item, 'service'),
  username: at(item, 'username'),
  password: at(item, 'password'),
})

const isOfFSecure = (item: unknown) =>
  typeof at(item, 'service') === 'string' && typeof at(item, 'style') === 'string'

/**
 * Reads the JSON file of a password manager: of Bitwarden, 1Password (1PIF, and the one in a 1PUX file), Proton Pass, Enpass, F-Secure or Psono. Returns
 * null for other text. Throws a `SourceError` if nobody here can read it, and a `LockedError` without the password of a file.
 */
export async function parseJsonVault(text: string, password?: string): Promise<ProgramSheet | null> {
  const content = parseObject(text)
  if (!content) return parseInterchange(text)
  if (at(content, 'encrypted')) {
    if (!at(content, 'passwordProtected'))
      throw new SourceError(
        msg(
          'Only your Bitwarden account can open this file. Export it again, protected with a password or as .csv.',
        ),
      )
    return parseJsonVault(await unlock(content as LockedFile, password))
  }
  const vaults = listAt(content, 'accounts').flatMap((account) => listAt(account, 'vaults'))
  if (vaults.length > 0)
    return toSheet('1Password', vaults.flatMap((vault) => listAt(vault, 'items')).map(readOnePassword))
  if (at(content, 'encrypted') === false && Array.isArray(at(content, 'items')))
    return toSheet('Bitwarden', listAt(content, 'items').map(readBitwarden))
  const protonVaults = Object.values(at(content, 'vaults') ?? {})
  const protonItems = protonVaults.flatMap((vault) => listAt(vault, 'items'))
  if (protonItems.some((item) => at(item, 'data', 'content')))
    return toSheet('Proton Pass', protonItems.map(readProton))
  const enpassItems = listAt(content, 'items')
  if (enpassItems.some(isOfEnpass)) return toSheet('Enpass', enpassItems.map(readEnpass))
  const fSecureItems = Object.values(at(content, 'data') ?? {})
  if (fSecureItems.some(isOfFSecure)) return toSheet('F-Secure', fSecureItems.map(readFSecure))
  const psonoItems = readPsono(content)
  if (psonoItems.some(({ type }) => type.endsWith('_password'))) return toSheet('Psono', psonoItems)
  return null
}

async function unlock(file: LockedFile, password?: string): Promise<string> {
  if (!password) throw new LockedError('')
  const { unlockBitwarden } = await loadPart(import('./bitwarden-lock.ts'))
  const text = open(() => unlockBitwarden(file, password))
  if (text === null) throw new LockedError(msg('This password doesn’t open the file.'))
  return text
}

/** What is no such file is found while it is opened. */
function open(unlock: () => string | null): string | null {
  try {
    return unlock()
  } catch (cause) {
    throw createDamagedError(cause)
  }
}

const createDamagedError = (cause?: unknown) =>
  new SourceError(msg('This JSON file is damaged or incomplete. Export it again.'), { cause })

function parseObject(text: string): unknown {
  if (!/^\s*\{/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
