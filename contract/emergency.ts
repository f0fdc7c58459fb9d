import { gcm } from '@noble/ciphers/aes.js'
import { bytesToUtf8, concatBytes, managedNonce, randomBytes, utf8ToBytes } from '@noble/ciphers/utils.js'
import { type EmployeeFields, fieldNames, fieldOf, fieldRules } from './employees.ts'

/** What browsers and Node have. */
declare const btoa: (binary: string) => string
declare const atob: (base64: string) => string

/** The content of an emergency file. It names its columns, so that any version of the page can show it. */
export interface EmergencyContent {
  /** ISO 8601. */
  createdAt: string
  columns: { label: string; isSecret: boolean }[]
  rows: string[][]
}

/** Crockford's base32: 5 bits a character, without I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 25

/** Returns a new code of 125 random bits and a check character, in groups for reading. */
export function createCode(): string {
  const values = [...randomBytes(codeLength)].map((byte) => byte % alphabet.length)
  const code = [...values, double(addUp(values))].map((value) => alphabet[value]).join('')
  return code.replace(/.{5}(?=.{5})/g, '$&-')
}

/**
 * The sum of the values in GF(32), each weighted by another power of 2. With the right check character it is 0: every wrong
 * character and every two swapped ones change it.
 */
const addUp = (values: number[]) => values.reduce((sum, value) => double(sum) ^ value, 0)
const double = (value: number) => (value << 1) ^ (value < 16 ? 0 : 0b100101)

/**
 * Returns the AES key of a typed code: its 125 bits and three zeros. Ignores case, spaces and dashes, and reads O as 0, I and L
 * as 1. Null if a character is missing or wrong.
 */
export function readCode(typed: string): Uint8Array | null {
  const characters = typed
    .toUpperCase()
    .replace(/[\s\p{P}]/gu, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
  const values = [...characters].map((character) => alphabet.indexOf(character))
  if (values.length !== codeLength + 1 || values.includes(-1) || addUp(values) !== 0) return null
  const bits = values.slice(0, codeLength).map((value) => value.toString(2).padStart(5, '0'))
  return Uint8Array.from(`${bits.join('')}000`.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/** AES-128-GCM; the nonce of 96 random bits is before the text. */
const encryption = managedNonce(gcm)

/** Where the viewer (`web/emergency/viewer.html`) has the encrypted records. */
const placeholder = '__RECORDS__'

/** Returns an emergency file: the viewer with the records, encrypted with the key of a code. */
export function writeEmergencyFile(viewer: string, key: Uint8Array, records: readonly EmployeeFields[]) {
  const content: EmergencyContent = {
    createdAt: new Date().toISOString(),
    columns: fieldNames.map((name) => ({
      label: fieldRules[name].label,
      isSecret: fieldRules[name].isSecret === true,
    })),
    rows: records.map((record) => fieldNames.map((name) => fieldOf(record, name))),
  }
  const encrypted = encryption(key).encrypt(utf8ToBytes(JSON.stringify(content)))
  return viewer.replace(placeholder, toBase64(concatBytes(encrypted, checksum(encrypted))))
}

/** Returns the encrypted records of a file; null if they were cut or changed. */
export function readEncrypted(base64: string): Uint8Array | null {
  try {
    const bytes = fromBase64(base64)
    const [encrypted, sum] = [bytes.subarray(0, -checksumLength), bytes.subarray(-checksumLength)]
    return checksum(encrypted).join() === sum.join() ? encrypted : null
  } catch {
    return null
  }
}

/** Returns the content of a file; null if it has another key. */
export function decryptRecords(encrypted: Uint8Array, key: Uint8Array): EmergencyContent | null {
  try {
    return JSON.parse(bytesToUtf8(encryption(key).decrypt(encrypted)))
  } catch {
    return null
  }
}

const checksumLength = 16

/** Tells a damaged file from a wrong code. It has no secret: whoever changes a file on purpose fails at the encryption. */
function checksum(bytes: Uint8Array): Uint8Array {
  return gcm(new Uint8Array(16), new Uint8Array(12), bytes).encrypt(new Uint8Array())
}

/** Bytes that are converted at once. A multiple of 3, so that only the end is padded. */
const chunkLength = 3 * 8192

function toBase64(bytes: Uint8Array): string {
  let base64 = ''
  for (let start = 0; start < bytes.length; start += chunkLength)
    base64 += btoa(String.fromCharCode(...bytes.subarray(start, start + chunkLength)))
  return base64
}

/** Throws if the text is not base64. */
function fromBase64(base64: string): Uint8Array {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}
