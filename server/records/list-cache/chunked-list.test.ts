import { hash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNightly } from '../../../tests/support/nightly.ts'
import { Chunk } from './chunk.ts'
import { ChunkedList } from './chunked-list.ts'

describe('the chunked list', () => {
  it('keeps no more memory than the text of a packed chunk', () => {
    const packed = Chunk.of([{ seq: 1, revision: 1, line: '{"id":"é"}' }]).pack()
    expect(packed.buffer.byteLength).toBe(packed.length)
  })

  it('equals a plain list after any sequence of changes, in text, gzip, revisions and neighbours', async () => {
    const change = fc.record({
      seq: fc.integer({ min: 1, max: 3_000 }),
      remove: fc.boolean(),
      isReadFirst: fc.boolean(),
      text: fc.string({ unit: 'binary' }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 200 }),
        fc.integer({ min: 0, max: 1_500 }),
        async (changes, initial) => {
          const list = new ChunkedList()
          const model = new Map<number, { revision: number; line: string }>()
          let revision = 0
          const written = (seq: number, text: string) => {
            const entry = { revision: ++revision, line: JSON.stringify({ id: `id${seq}`, text }) }
            model.set(seq, entry)
            return { seq, ...entry }
          }
          list.append(Array.from({ length: initial }, (_, i) => written(i * 2, 'initial')))
          const since = revision
          for (const { seq, remove, isReadFirst, text } of changes) {
            if (isReadFirst) await list.toGzip('[', ']')
            if (!remove) {
              const { revision, line } = written(seq, text)
              list.save(seq, revision, line)
            } else if (model.delete(seq)) list.remove(seq, ++revision)
          }
          const inOrder = [...model].sort(([a], [b]) => a - b)
          const expected = `[${inOrder.map(([, { line }]) => line).join(',\n')}]`
          expect((await list.toJson('[', ']')).toString()).toBe(expected)
          expect(gunzipSync(await list.toGzip('[', ']')).toString()).toBe(expected)
          expect([...list.entriesNewerThan(since)]).toEqual(
            inOrder.filter(([, { revision }]) => revision > since).map(([seq, entry]) => ({ seq, ...entry })),
          )
          const first = JSON.parse((await list.first(50).toJson('[', ']')).toString())
          expect(first.length).toBeGreaterThanOrEqual(Math.min(50, model.size))
          expect(first).toEqual(JSON.parse(expected).slice(0, first.length))
          for (const [i, [seq]] of inOrder.entries())
            expect(list.idBefore(seq)).toBe(i === 0 ? null : `id${inOrder[i - 1]?.[0]}`)
        },
      ),
      { numRuns: isNightly ? 400 : 15 },
    )
  })

  it('is at most 8 % larger than the whole list compressed at once', async () => {
    const names = ['Ada Lovelace', 'Grace Hopper', 'Zoë Müller', 'Łukasz Nowak', 'José García', 'Priya Chen']
    const list = new ChunkedList()
    list.append(
      Array.from({ length: 2_000 }, (_, seq) => {
        const [id, password] = ['id', 'password'].map((use) => hash('sha256', use + seq, 'base64url'))
        const eName = names[seq % names.length] as string
        const email = `${eName.replace(' ', '.')}${seq}@example.com`
        const fields = { id: id?.slice(0, 20), eName, email, password: password?.slice(0, 16) }
        return { seq, revision: seq, line: JSON.stringify(fields) }
      }),
    )
    const wholeBytes = gzipSync(await list.toJson('[', ']')).length
    expect((await list.toGzip('[', ']')).length / wholeBytes).toBeLessThan(1.08)
  })
})
