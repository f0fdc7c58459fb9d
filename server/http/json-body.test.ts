import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { measureTurns } from '../../tests/support/measure-turns.ts'
import { provideSignedInServer } from '../../tests/support/provide-server.ts'
import { parseJsonBytes } from './json-body.ts'

describe('the parser of bodies', () => {
  it('returns what JSON.parse does, whatever brackets, commas and backslashes strings have', () => {
    const text = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', 'é', 'a') })
    const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })
    fc.assert(
      fc.property(fc.oneof(value, fc.array(text), fc.dictionary(text, text)), (body) => {
        expect(parseJsonBytes(Buffer.from(JSON.stringify(body)))).toEqual(JSON.parse(JSON.stringify(body)))
      }),
    )
  })

  it('takes a text full of brackets and commas', () => {
    const body = JSON.stringify({ password: '[{,"\\'.repeat(50_000) })
    expect(parseJsonBytes(Buffer.from(body))).toEqual(JSON.parse(body))
  })
})

describe('security: a body of 4 MB', () => {
  const { server, client } = provideSignedInServer()

  const bytes = 4 * 2 ** 20 - 100
  const fill = (unit: string) => unit.repeat(Math.floor(bytes / unit.length))
  const objects = Array.from({ length: bytes / 16 }, (_, i) => `{"${i.toString(36)}":0}`).join()

  it.each([
    ['deep lists that never end', fill('[')],
    ['deep lists', `${fill('[').slice(bytes / 2)}${fill(']').slice(bytes / 2)}`],
    ['deep objects', fill('{"":')],
    ['deep lists in a field', `{"handovers":${fill('[')}`],
    ['empty lists', `[${fill('[],')}[]]`],
    ['objects with names of their own', `[${objects}]`],
    ['names', `{${objects.replaceAll(/[{}]/g, '')}}`],
    ['backslashes outside of a text', fill('\\[')],
  ])('of %s is refused at once', async (_, body) => {
    const turns = measureTurns()
    const headers = { cookie: client.cookie, 'content-type': 'application/json' }
    const response = await server.send('POST', paths.sheets, headers, Buffer.from(body))
    expect(turns.stop()).toBeLessThan(100)
    expect([response.status, response.body]).toEqual([400, expect.stringContaining('invalid-request')])
  })
})
