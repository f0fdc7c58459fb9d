import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { Check } from 'typebox/schema'
import { describe, expect, it } from 'vitest'
import { batchSchema, maxBatchBytes } from '../../contract/batches.ts'
import { paths } from '../../contract/protocol.ts'
import { arbitraryFields } from '../../tests/support/arbitraries.ts'
import { measureTurns } from '../../tests/support/measure-turns.ts'
import { ada } from '../../tests/support/people.ts'
import { provideSignedInServer } from '../../tests/support/provide-server.ts'
import { sample } from '../../tests/support/sample.ts'
import { AppError } from '../app-error.ts'
import { parseBatch } from './batch-body.ts'

const fields = arbitraryFields
const employee = fc.record({ id: fc.stringMatching(/^[\w-]{1,9}$/), fields })
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 4 })
const batchText = fc
  .record({
    add: list(fields),
    update: list(fc.record({ seen: employee.map(({ id, fields }) => ({ id, ...fields })), fields })),
    remove: list(employee.map(({ id, fields }) => ({ id, ...fields }))),
  })
  .chain((batch) => fc.constantFrom(JSON.stringify(batch), JSON.stringify(batch, null, 2)))
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.integer({ min: 0, max: 3 }),
  inserted: fc.constantFrom('', ',', ']', '[', '}', '{', '"', '\\', ' ', '1', ',{}', '],[', '\u00e9'),
})

async function* inPieces(bytes: Buffer, pieceLength: number) {
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength)
}

/** The parsed body, or undefined if it is not a batch. */
const parseWhole = (text: string): unknown => {
  try {
    const batch = JSON.parse(text)
    return Check(batchSchema, batch) ? batch : undefined
  } catch {
    return
  }
}

describe('the parser of batches', () => {
  it('accepts and returns what JSON.parse and the schema do, in pieces and slices of any size', async () => {
    const validate = (batch: unknown) => {
      if (!Check(batchSchema, batch)) throw new AppError('invalid-request')
    }
    const pieceLength = fc.constantFrom(1, 7, 100_000)
    const sliceBytes = fc.constantFrom(1, 200, 100_000)
    await fc.assert(
      fc.asyncProperty(
        batchText,
        fc.array(mutation, { maxLength: 2 }),
        pieceLength,
        sliceBytes,
        async (text, mutations, pieceLength, sliceBytes) => {
          const body = mutations.reduce((text, { at, removed, inserted }) => {
            const index = Math.floor(at * text.length)
            return text.slice(0, index) + inserted + text.slice(index + removed)
          }, text)
          const parsed = parseBatch(inPieces(Buffer.from(body), pieceLength), validate, sliceBytes)
          // A mutation may have cut a surrogate pair, which has no form in UTF-8.
          const decoded = Buffer.from(body).toString()
          expect(await parsed.catch(() => undefined)).toEqual(parseWhole(decoded))
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('security: a batch of 64 MB', () => {
  const { server, client } = provideSignedInServer()

  const tail = '],"update":[],"remove":[]}'
  const fill = (head: string, unit: string, end: string) =>
    gzipSync(head + unit.repeat((maxBatchBytes - 100) / unit.length) + end)
  const valid = JSON.stringify(ada)

  const bodies: [title: string, create: () => Buffer, status: number][] = [
    ['empty changes', () => fill('{"add":[', '{},', `{}${tail}`), 400],
    ['deep lists', () => fill('{"add":', '[', ''), 400],
    ['deep objects', () => fill('{"add":[', '{"a":', ''), 400],
    ['empty lists', () => fill('{"add":[', '[],', `[]${tail}`), 400],
    ['numbers', () => fill('{"add":[', '1,', `1${tail}`), 400],
    ['duplicate names in a change', () => fill('{"add":[{', '"a":1,', `"a":1}${tail}`), 400],
    ['duplicate lists', () => fill('{', '"add":[],', '"add":[]}'), 400],
    ['other fields', () => fill('{', '"a":{},', '"a":{}}'), 413],
    ['one long text', () => fill('{"add":[{"email":"', 'x', `"}${tail}`), 413],
    ['spaces', () => fill('{"add":[', ' ', tail), 413],
    ['too many changes', () => fill('{"add":[', `${valid},`, `${valid}${tail}`), 413],
    ['too many removals', () => fill('{"add":[],"update":[],"remove":[', '{"id":"a"},', '{}]}'), 400],
  ]
  const isCorner = ([title]: (typeof bodies)[number]) => title === 'deep lists' || title === 'one long text'
  it.each(sample(bodies, 2, { isCorner }))(
    'of %s blocks the event loop for less than 250 ms',
    { tags: 'large' },
    async (_, create, status) => {
      const body = create()
      expect(body.length).toBeLessThan(400_000)
      const turns = measureTurns()
      const encoding = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      const headers = { cookie: client.cookie, ...encoding, 'idempotency-key': 'k' }
      const response = await server.send('POST', paths.batch, headers, body)
      expect(turns.stop()).toBeLessThan(250)
      expect(response.status).toBe(status)
    },
  )
})
