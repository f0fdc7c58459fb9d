import { createDecipheriv } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { edgeCaseEmployees, makeEmployees } from '../tests/support/people.ts'
import { createCode, decryptRecords, readCode, readEncrypted, writeEmergencyFile } from './emergency.ts'
import { type EmployeeFields, fieldNames, fieldOf, fieldRules } from './employees.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function createKey(code = createCode()): Uint8Array {
  const key = readCode(code)
  if (!key) throw new Error('A new code is not valid.')
  return key
}

/** The records of a new file as base64. */
const encryptToBase64 = (key: Uint8Array, records: readonly EmployeeFields[]) =>
  writeEmergencyFile('__RECORDS__', key, records)

describe('a code', () => {
  test('has 125 random bits and a check character, in groups', () => {
    const codes = Array.from({ length: 1_000 }, createCode)
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{6}$/)
    for (const position of Array.from(codes[0] ?? '').keys())
      if (codes[0]?.[position] !== '-')
        expect(new Set(codes.map((code) => code[position])).size).toBe(alphabet.length)
    expect(createKey('0'.repeat(26))).toEqual(new Uint8Array(16))
    // The last 3 bits are always 0.
    const keys = codes.map((code) => createKey(code))
    expect(
      keys.reduce((bits, key) => key.map((byte, i) => byte | (bits[i] ?? 0)), new Uint8Array(16)),
    ).toEqual(new Uint8Array(16).fill(0xff).with(15, 0xf8))
  })

  test('is read in any case, with any spaces and dashes, and with O, I and L as digits', () => {
    for (const code of Array.from({ length: 100 }, createCode)) {
      const plain = code.toLowerCase().replaceAll('-', '')
      const lookalike = plain.replaceAll('0', 'o').replaceAll('1', 'l')
      for (const typed of [plain, ` ${code} `, plain.replace(/.{2}/g, '$& – '), lookalike])
        expect(readCode(typed)).toEqual(createKey(code))
    }
  })

  test('with one wrong, missing or added character, or any two swapped, is not accepted', () => {
    for (let run = 0; run < 5; run++) {
      const code = createCode().replaceAll('-', '')
      for (const i of code.split('').keys()) {
        const put = (text: string) => code.slice(0, i) + text + code.slice(i + 1)
        for (const other of alphabet) {
          if (other !== code[i]) expect(readCode(put(other))).toBeNull()
          expect(readCode(put(`${other}${code[i]}`))).toBeNull()
        }
        for (const wrong of ['', 'U', '$', 'é']) expect(readCode(put(wrong))).toBeNull()
        for (let j = i + 1; j < code.length; j++) {
          const swapped = put(code[j] ?? '').slice(0, j) + code[i] + code.slice(j + 1)
          if (swapped !== code) expect(readCode(swapped)).toBeNull()
        }
      }
    }
    expect(readCode('')).toBeNull()
  })
})

describe('the records in an emergency file', () => {
  test('are what was written, with columns, date, and any text', () => {
    const key = createKey()
    const encrypted = readEncrypted(encryptToBase64(key, edgeCaseEmployees))
    const content = encrypted && decryptRecords(encrypted, key)
    expect(content).toEqual({
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      columns: fieldNames.map((name) => {
        const { label, isSecret = false } = fieldRules[name]
        return { label, isSecret }
      }),
      rows: edgeCaseEmployees.map((record) => fieldNames.map((name) => fieldOf(record, name))),
    })
  })

  test('are AES-128-GCM, which other programs can decrypt', () => {
    const key = createKey()
    const bytes = Buffer.from(encryptToBase64(key, makeEmployees(3)), 'base64')
    const decipher = createDecipheriv('aes-128-gcm', key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(-32, -16))
    const text = Buffer.concat([decipher.update(bytes.subarray(12, -32)), decipher.final()]).toString()
    expect(JSON.parse(text).rows).toHaveLength(3)
  })

  test('open with no other code, and with none of 1,000 guesses', () => {
    const encrypted = readEncrypted(encryptToBase64(createKey(), makeEmployees(3))) ?? new Uint8Array()
    for (let guess = 0; guess < 1_000; guess++) expect(decryptRecords(encrypted, createKey())).toBeNull()
  })

  test('are reported as damaged after any cut and any flipped bit', () => {
    const base64 = encryptToBase64(createKey(), makeEmployees(2))
    expect(readEncrypted(base64)).not.toBeNull()
    for (let end = 0; end < base64.length; end++) expect(readEncrypted(base64.slice(0, end))).toBeNull()
    const bytes = Buffer.from(base64, 'base64')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
      expect(readEncrypted(Buffer.from(changed).toString('base64'))).toBeNull()
    }
  })

  test('contain none of 1,000 known passwords, in clear text, base64 or hexadecimal', () => {
    const records = makeEmployees(1_000)
    const file = encryptToBase64(createKey(), records)
    const bytes = Buffer.from(file, 'base64')
    const texts = [file, bytes.toString('latin1'), bytes.toString('utf16le')]
    for (const { password, email } of records) {
      for (const secret of [password, email].map((text) => Buffer.from(text))) {
        const encodings = [...base64Parts(secret), secret.toString('hex'), secret.toString()]
        for (const text of texts) expect(encodings.filter((part) => text.includes(part))).toEqual([])
      }
    }
  })
})

/** How base64 writes bytes that begin at each third of a group, without what depends on their neighbours. */
function base64Parts(bytes: Buffer): string[] {
  return [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '')
      .slice(shift + 1, -1),
  )
}
