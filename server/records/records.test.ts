import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { fieldNames } from '../../contract/employees.ts'
import { countHeader, paths, repeatedHeader } from '../../contract/protocol.ts'
import { refusal } from '../../tests/support/http-client.ts'
import { ada, fieldsWith, grace, renamed } from '../../tests/support/people.ts'
import { provideSignedInServer } from '../../tests/support/provide-server.ts'
import { startTestServer } from '../../tests/support/server.ts'
import type { Account } from '../storage/storage.ts'

describe('protocol: books', () => {
  const { server, client } = provideSignedInServer()
  beforeEach(async () => {
    for (const { id } of await client.documents()) await client.remove(id)
  })

  it('GET sends each document on its own line, so that clients can parse incrementally', async () => {
    await client.add(ada)
    await client.add(grace)
    const { body } = await server.send('GET', paths.books, { cookie: client.cookie })
    const lines = body.split('\n')
    expect(lines[0]).toMatch(/^\{"revision":\d+,"documents":\[$/)
    expect(JSON.parse((lines[1] as string).replace(/,$/, ''))).toMatchObject(ada)
    expect(lines.slice(3)).toEqual([']}'])
  })

  it('GET sends the same content with gzip, if accepted, or without', async () => {
    await client.add(ada)
    const rawList = (encoding: string) =>
      server.send('GET', paths.books, { cookie: client.cookie, 'accept-encoding': encoding })
    const [gzip, text] = [await rawList('gzip'), await rawList('identity')]
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(text.headers['content-encoding']).toBeUndefined()
    expect(gunzipSync(gzip.bytes).toString()).toBe(text.body)
    expect(gzip.headers.etag).not.toBe(text.headers.etag)
    expect((await rawList('gzip;q=0')).headers['content-encoding']).toBeUndefined()
    expect((await rawList('br, gzip;q=0.5')).headers['content-encoding']).toBe('gzip')
    expect(gzip.headers.vary).toBe('accept-encoding')
  })

  it('GET returns 304 without a body for the ETag of the unchanged list; a write changes the ETag', async () => {
    await client.add(ada)
    const tag = (await client.list()).headers.get('etag') as string
    const again = await client.get(paths.books, { 'if-none-match': `"x", W/${tag}` })
    expect([again.status, again.body]).toEqual([304, ''])
    await client.add(grace)
    expect((await client.get(paths.books, { 'if-none-match': tag })).status).toBe(200)
  })

  it('GET with `first` returns at least so many of the first records, and counts all', async () => {
    for (let i = 0; i < 3; i++) await client.add(ada)
    const all = await client.list()
    const first = await client.get(`${paths.books}?first=2`)
    expect(first.status).toBe(200)
    expect(first.body.revision).toBe(all.body.revision)
    expect(first.body.documents.length).toBeGreaterThanOrEqual(2)
    expect(all.body.documents.slice(0, first.body.documents.length)).toEqual(first.body.documents)
    expect(first.headers.get(countHeader)).toBe('3')
    // The list is something else, so no ETag of it matches.
    expect(first.headers.get('etag')).toBeNull()
    const tag = all.headers.get('etag') as string
    expect((await client.get(`${paths.books}?first=2`, { 'if-none-match': tag })).status).toBe(200)
    for (const value of ['0', '-1', 'x', '1001'])
      expect((await client.get(`${paths.books}?first=${value}`)).status, value).toBe(400)
  })

  it('POST returns 201, the id only, and the revision', async () => {
    const { status, body, headers } = await client.add(ada)
    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.stringMatching(/^[A-Za-z0-9_-]{20}$/) })
    expect(Number(headers.get('revision'))).toBe((await client.list()).body.revision)
  })

  it('POST with the same key says that it is repeated, also after the record was changed or removed', async () => {
    const first = await client.add(ada, 'twice')
    expect(first.headers.get(repeatedHeader)).toBeNull()
    const { id } = first.body
    const change = [() => undefined, () => client.update(id, grace), () => client.remove(id)]
    for (const act of change) {
      await act()
      const { status, body, headers } = await client.add(ada, 'twice')
      expect([status, body, headers.get(repeatedHeader)]).toEqual([201, { id }, 'yes'])
    }
  })

  it('POST with the same key and other content returns 422 and the id, also after the record was changed or removed', async () => {
    expect((await client.add(ada, 'not a token')).status).toBe(400)
    const { id } = (await client.add(ada, 'reused')).body
    const expected = { code: 'key-reused', message: expect.stringContaining('idempotency key'), id }
    const other = await client.add(grace, 'reused')
    expect([other.status, other.body]).toEqual([422, expected])
    expect(await client.documents()).toEqual([{ id, ...ada }])
    await client.update(id, grace)
    expect((await client.add(grace, 'reused')).body).toEqual(expected)
    await client.remove(id)
    expect((await client.add(grace, 'reused')).body).toEqual(expected)
    for (const name of fieldNames) {
      const changed = await client.add({ ...ada, [name]: fieldsWith('other')[name] }, 'reused')
      expect(changed.body, name).toEqual(expected)
    }
    const reordered = { password: ada.password, email: ada.email, eName: ada.eName }
    expect(await client.add(reordered, 'reused')).toMatchObject({ status: 201, body: { id } })
    expect(await client.documents()).toEqual([])
  })

  it('PATCH returns 409 conflict with the current record if both have changed the same field', async () => {
    const first = (await client.add(grace)).body.id
    const { id } = (await client.add(ada)).body
    const current = { ...ada, eName: 'Ada Byron', email: 'byron@example.com' }
    const theirs = await client.update(id, current)
    expect([theirs.status, theirs.body]).toEqual([200, { id }])
    const mine = await client.update(id, { ...ada, eName: 'Ada King', password: 'mine', seen: ada })
    const conflict = { code: 'conflict', document: { id, ...current }, after: first }
    expect([mine.status, mine.body]).toEqual([409, { ...conflict, message: expect.any(String) }])
    expect(mine.headers.get('revision')).toBe(theirs.headers.get('revision'))
    expect(await client.documents()).toContainEqual({ id, ...current })
    await client.remove(id)
    expect((await client.update(id, { ...ada, seen: ada })).body.code).toBe('not-found')
  })

  it('PATCH accepts what was seen of a record of maximum size, and validates it like a stored one', async () => {
    const { id } = (await client.add(ada)).body
    const escaped = '\u0001'.repeat(10_000)
    const longest = { eName: escaped, email: `${'a'.repeat(9_996)}@b.c`, password: escaped }
    const update = { ...longest, seen: { eName: escaped, email: escaped, password: escaped } }
    expect((await client.update(id, update)).body.code).toBe('conflict')
    expect((await client.update(id, { ...ada, seen: { ...ada, email: '' } })).status).toBe(200)
    for (const [seen, field] of [
      [{ ...ada, email: 'x'.repeat(10_001) }, 'seen/email'],
      [{ ...ada, id }, 'seen/id'],
      [{ eName: ada.eName, email: ada.email }, 'seen/password'],
      [null, 'seen'],
    ] as const) {
      expect(await client.update(id, { ...ada, seen })).toMatchObject({ status: 400, body: { field } })
    }
    expect(await client.add({ ...ada, seen: ada })).toMatchObject({ status: 400, body: { field: 'seen' } })
  })

  it('says how full the register is from 90 percent on, and refuses what does not fit with 507', async () => {
    const oneByte = { eName: 'a', email: 'a@b', password: 'x' }
    const small = await startTestServer({ maxBytes: 10 * 105 })
    const keeper = await small.signIn()
    for (let i = 0; i < 8; i++) await keeper.add(oneByte)
    expect((await keeper.list()).headers.get('register-used')).toBeNull()
    await keeper.add(oneByte)
    expect((await keeper.list()).headers.get('register-used')).toBe('90')
    const { id } = (await keeper.add(oneByte)).body
    expect((await keeper.list()).headers.get('register-used')).toBe('100')
    for (const response of [
      await keeper.add(oneByte),
      await keeper.update(id, { ...oneByte, password: 'xx' }),
      await keeper.writeBatch({ add: [oneByte] }),
    ])
      expect(response).toMatchObject(refusal(507, 'register-full'))
  })

  it('DELETE returns 204 without a body, and 404 the second time', async () => {
    const { id } = (await client.add(ada)).body
    const removed = await client.remove(id)
    expect([removed.status, removed.body]).toEqual([204, ''])
    expect(removed.headers.get('revision')).toMatch(/^\d+$/)
    expect((await client.remove(id)).body.code).toBe('not-found')
  })

  it('PATCH, DELETE and PUT with the same key do not do again what others have undone', async () => {
    const { id } = (await client.add(ada)).body
    const update = (key: string) => client.update(id, { ...grace, seen: ada }, key)
    expect(await update('change')).toMatchObject({ status: 200, body: { id, ...grace } })
    expect((await update('change')).headers.get(repeatedHeader)).toBeNull()
    await client.update(id, ada)
    const changed = await update('change')
    expect([changed.status, changed.body, changed.headers.get(repeatedHeader)]).toEqual([
      ...[200, { id, ...ada }],
      'yes',
    ])

    expect((await client.remove(id, 'change')).status).toBe(204)
    expect(await update('change')).toMatchObject({ status: 200, body: { id, ...ada } })
    expect(await client.restore(id, ada, 'change')).toMatchObject({ status: 200, body: { id } })
    const removed = await client.remove(id, 'change')
    expect([removed.status, removed.headers.get(repeatedHeader)]).toEqual([204, 'yes'])
    expect(await client.documents()).toEqual([{ id, ...ada }])

    await client.remove(id)
    const restored = await client.restore(id, ada, 'change')
    expect([restored.status, restored.headers.get(repeatedHeader)]).toEqual([200, 'yes'])
    expect(await client.documents()).toEqual([])
  })

  it('PATCH with the same key changes the record again with other fields, or from another account', async () => {
    const { id } = (await client.add(ada)).body
    const other = await server.signIn('other@example.com')
    await client.update(id, grace, 'change')
    await client.update(id, ada, 'change')
    expect(await client.documents()).toEqual([{ id, ...ada }])
    await other.update(id, grace, 'change')
    expect(await client.documents()).toEqual([{ id, ...grace }])
  })

  it('PUT returns 200 if repeated, 409 if the record has other fields, 404 if the id was never used', async () => {
    const { id } = (await client.add(ada)).body
    expect(await client.restore(id, ada)).toMatchObject({ status: 200, body: { id, after: null } })
    expect(await client.restore(id, grace)).toMatchObject({ status: 409, body: { code: 'id-in-use' } })
    expect((await client.restore('never-seen', ada)).status).toBe(404)
  })

  it('a request for another account than that of the session returns 401 and changes nothing', async () => {
    const as = (account: string) => client.call('POST', paths.books, ada, { account })
    expect(await as('another')).toMatchObject({ status: 401, body: { code: 'not-signed-in' } })
    expect(await client.documents()).toEqual([])
    expect((await as(await client.uid())).status).toBe(201)
  })

  it('a request names its account percent-encoded, as imported ones may have a uid that no header can hold', async () => {
    for (const [i, uid] of ['用户-1', 'zoë', ' a b ', '50%', 'a,b;"c"'].entries()) {
      const [known] = await server.storage.accounts.list()
      const email = `imported${i}@x.y`
      await server.storage.accounts.add({ ...(known as Account), uid, email, emailKey: email })
      const imported = server.connect()
      expect((await imported.signIn(email)).body.uid).toBe(uid)
      const as = (account: string) => imported.call('POST', paths.books, ada, { account })
      expect((await as(encodeURIComponent(uid))).status).toBe(201)
      expect((await as(encodeURIComponent(`${uid}x`))).status).toBe(401)
    }
  })

  it('a request without a live session returns 401 not-signed-in', async () => {
    const anonymous = server.connect()
    // The body is not read before the session is checked.
    expect((await anonymous.post(paths.books, '{ no JSON')).body.code).toBe('not-signed-in')
    const madeUp = await anonymous.get(paths.books, { cookie: 'session=made-up' })
    expect(madeUp).toMatchObject({ status: 401, body: { code: 'not-signed-in' } })
  })

  it.each([
    ['a missing field', { eName: 'a', email: 'a@b' }, 'password', 'password is missing.'],
    ['an empty field', { ...ada, eName: '' }, 'eName', 'eName is missing.'],
    ['a number', { ...ada, eName: 5 }, 'eName', 'eName must be a string.'],
    ['null', { ...ada, password: null }, 'password', 'password must be a string.'],
    ['an unknown field', { ...ada, salary: '1' }, 'salary', 'salary is not a field of this request.'],
    ['an id', { ...ada, id: 'x' }, 'id', 'id is not a field of this request.'],
    ['an invalid email', { ...ada, email: 'ada' }, 'email', 'email is not valid.'],
    ['a long field', renamed('x'.repeat(10_001)), 'eName', 'eName is longer than 10000 characters.'],
    ['a lone surrogate', renamed('\ud800'), 'eName', 'eName holds text that is not valid Unicode.'],
    ['an array', [ada], undefined, 'The body must be a JSON object.'],
  ])('%s returns 400 and names the field', async (_, fields, field, message) => {
    const { id } = (await client.add(ada)).body
    for (const response of [
      await client.add(fields),
      await client.update(id, fields),
      await client.restore(id, fields),
    ]) {
      expect(response.status).toBe(400)
      expect(response.body).toEqual({ code: 'invalid-request', message, ...(field ? { field } : {}) })
    }
  })

  it.each([
    ['Latin-1', [0xf6]],
    ['a sequence that is cut short', [0xe2, 0x82]],
    ['an overlong sequence', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a byte beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
  ])('bytes that are not UTF-8 (%s) return 400', async (_, bytes) => {
    const { id } = (await client.add(ada)).body
    const before = (await client.list()).body
    const record = JSON.stringify({ ...ada, password: 'gr?er' })
    const json = { 'content-type': 'application/json', 'idempotency-key': `${bytes}` }
    for (const [method, path, text] of [
      ['POST', paths.books, record],
      ['PATCH', paths.book(id), record],
      ['PUT', paths.book(id), record],
      ['POST', paths.batch, `{"add":[${record}],"update":[],"remove":[]}`],
    ] as const) {
      const body = Buffer.from(text.replace('?', String.fromCharCode(...bytes)), 'latin1')
      const headers = { cookie: client.cookie, ...json }
      const response = await server.send(method, path, headers, body)
      const error = { code: 'invalid-request', message: 'The body is not valid UTF-8.' }
      expect([response.status, JSON.parse(response.body)]).toEqual([400, error])
    }
    expect((await client.list()).body).toEqual(before)
  })

  it('a request without a body may name the content type JSON', async () => {
    const json = { 'content-type': 'application/json' }
    const { id } = (await client.add(ada)).body
    expect((await client.call('DELETE', paths.book(id), undefined, json)).status).toBe(204)
    const missing = await client.post(paths.books, undefined, json)
    expect([missing.status, missing.body.message]).toEqual([400, 'The body must be a JSON object.'])
    const batch = { ...json, 'idempotency-key': 'none' }
    expect((await client.post(paths.batch, undefined, batch)).status).toBe(400)
  })

  it('an invalid id returns 400', async () => {
    for (const id of ['a b', 'a.b', 'x'.repeat(65), '%00'])
      expect(await client.remove(id)).toMatchObject({ status: 400, body: { field: 'id' } })
  })
})

it('data on disk: the first fields stay in their places, because encrypted records have no names of fields', () => {
  expect(fieldNames.slice(0, 3)).toEqual(['eName', 'email', 'password'])
})
