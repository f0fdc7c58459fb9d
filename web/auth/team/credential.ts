import {
  completeFields,
  type Employee,
  fieldNames,
  fieldOf,
  fieldRules,
} from '../../../contract/employees.ts'
import type { TeamService } from '../../backends/ports.ts'
import { pageAddress } from '../../lib/page-address.ts'

/** One line of a credential, as its link shows it. */
export interface CredentialLine {
  label: string
  value: string
  isSecret: boolean
}

/** The part of a link behind `#credential=`: the token, which the service knows, and the key, which it never has. */
const linkPattern = /^([\w-]{43})\.([\w-]{43})$/

/** Browsers encrypt only over HTTPS and on localhost. */
export const canEncrypt = () => globalThis.crypto?.subtle !== undefined

const algorithm = { name: 'AES-GCM', length: 256 }
const ivLength = 12

/** Encrypts a credential with a key of its own, for a link with a token. */
export async function sealCredential(employee: Employee) {
  const lines = fieldNames.flatMap((name): CredentialLine[] => {
    const { label, isSecret = false } = fieldRules[name]
    const value = fieldOf(employee, name)
    return value === '' ? [] : [{ label, value, isSecret }]
  })
  const key = await crypto.subtle.generateKey(algorithm, true, ['encrypt'])
  const iv = crypto.getRandomValues(new Uint8Array(ivLength))
  const text = new TextEncoder().encode(JSON.stringify(lines))
  const encrypted = await crypto.subtle.encrypt({ ...algorithm, iv }, key, text)
  const bytes = [...iv, ...new Uint8Array(encrypted)]
  const base64 = btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''))
  const sealed = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  // The same base64url of the key.
  const { k } = await crypto.subtle.exportKey('jwk', key)
  return {
    handover: { record: employee.id, seen: completeFields(employee), sealed },
    toLink: (token: string) => `${pageAddress()}#credential=${token}.${k}`,
  }
}

/** Uses up the link; for some minutes, the same `takeKey` opens it again. Rejects as `takeHandover`. */
export async function openCredentialLink(team: TeamService, secret: string, takeKey: string) {
  const [, token = '', k = ''] = linkPattern.exec(secret) ?? []
  const { sealed, by, isLookAlike = false } = await team.takeHandover(token, takeKey)
  const base64 = sealed.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const key = await crypto.subtle.importKey('jwk', { kty: 'oct', k }, algorithm, false, ['decrypt'])
  const iv = bytes.subarray(0, ivLength)
  const text = await crypto.subtle.decrypt({ ...algorithm, iv }, key, bytes.subarray(ivLength))
  return { lines: JSON.parse(new TextDecoder().decode(text)) as CredentialLine[], by, isLookAlike }
}
