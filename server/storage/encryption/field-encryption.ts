import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { EmployeeFields } from '../../../contract/employees.ts'

export type SealedField = string | Uint8Array
export type SealedFields = [eName: SealedField, email: SealedField, password: SealedField]

/** How a record's fields lie in the database. */
export interface Sealing {
  seal(id: string, fields: EmployeeFields): SealedFields
  /** Throws where the fields were not sealed for this id with this key. */
  open(id: string, row: Record<keyof EmployeeFields, unknown>): EmployeeFields
}

/** 32 bytes. */
export type RecordsKey = Uint8Array

/** Plain text, as the specification says, where there is no key. */
export function sealingWith(key: RecordsKey | undefined): Sealing {
  return key ? encrypted(key) : plain
}

const plain: Sealing = {
  seal: (_id, { eName, email, password }) => [eName, email, password],
  open: (_id, { eName, email, password }) => ({
    eName: String(eName),
    email: String(email),
    password: String(password),
  }),
}

/**
 * AES-256-GCM with a random nonce. The three fields are one sealed text in the first column, bound to the record's id
 * so that it opens nowhere else; the other two columns hold empty blobs.
 */
function encrypted(key: RecordsKey): Sealing {
  return {
    seal: (id, { eName, email, password }) => [
      sealText(key, id, JSON.stringify([eName, email, password])),
      empty,
      empty,
    ],
    open(id, row) {
      const [eName, email, password] = JSON.parse(openText(key, id, row.eName as Uint8Array))
      return { eName, email, password }
    },
  }
}

const empty = new Uint8Array(0)
const nonceLength = 12
const tagLength = 16

export function sealText(key: RecordsKey, boundTo: string, text: string): Uint8Array {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

export function openText(key: RecordsKey, boundTo: string, sealed: Uint8Array): string {
  const end = sealed.length - tagLength
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength))
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(end))
  return decipher.update(sealed.subarray(nonceLength, end), undefined, 'utf8') + decipher.final('utf8')
}
