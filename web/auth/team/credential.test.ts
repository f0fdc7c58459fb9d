import { afterEach, expect, test, vi } from 'vitest'
import { fieldNames, fieldRules, optionalFieldNames } from '../../../contract/employees.ts'
import { fieldsWith } from '../../../tests/support/people.ts'
import type { TeamService } from '../../backends/ports.ts'
import { openCredentialLink, sealCredential } from './credential.ts'

afterEach(() => vi.unstubAllGlobals())

const token = 'x'.repeat(43)

async function sealAndOpen(fields: ReturnType<typeof fieldsWith>) {
  vi.stubGlobal('location', { origin: 'https://staffbook.example' })
  vi.stubGlobal('document', { querySelector: () => null })
  const { handover, toLink } = await sealCredential({ id: 'a', ...fields })
  const takeHandover = async () => ({ sealed: handover.sealed, by: 'bob@example.com' })
  const [, secret = ''] = toLink(token).split('=')
  const { lines } = await openCredentialLink({ takeHandover } as unknown as TeamService, secret, 'key')
  return { seen: handover.seen, lines }
}

test('a credential has a line for every field', async () => {
  const fields = fieldsWith('x')
  const { seen, lines } = await sealAndOpen(fields)
  expect(seen).toEqual(fields)
  expect(lines).toEqual(
    fieldNames.map((name) => {
      const { label, isSecret = false } = fieldRules[name]
      return { label, value: fields[name], isSecret }
    }),
  )
})

test.each(optionalFieldNames)('a credential has no line for %s if it is empty', async (name) => {
  const { seen, lines } = await sealAndOpen({ ...fieldsWith('x'), [name]: '' })
  expect(seen[name]).toBe('')
  expect(lines.map(({ label }) => label)).not.toContain(fieldRules[name].label)
})
