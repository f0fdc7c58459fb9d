import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Employee, pickFields } from '../../contract/employees.ts'
import { createOrderedIds } from '../../server/commands/firebase/ids.ts'
import { newIdempotencyKey } from '../../web/backends/idempotency-key.ts'
import { connectSignedIn, newCredentials, type TestClient } from '../support/backend-client.ts'
import { runCommand } from '../support/faults/command-line.ts'
import { createFirebaseAdmin } from '../support/firebase/admin.ts'
import { type FirebaseBackend, startBackend } from '../support/firebase/backend.ts'
import { demoKey } from '../support/firebase/demo-key.ts'
import { startGateway } from '../support/firebase/gateway.ts'

const grace = { eName: 'Grace Hopper', email: 'grace@example.com', password: 'nanoseconds' }

/** Records of our own server, whose ids are not in order. */
const employees = Array.from({ length: 900 }, (_, i) => ({
  id: `${((i * 7919) % 900).toString(36).padStart(20, 'aZ-_')}${i % 2 ? '-2s' : ''}`,
  eName: `Person ${i} "日本" 👩‍💻\n`,
  email: `person${i}@example.com`,
  password: ` =1+${i}\t`,
}))

describe('moving records to Firebase and back', { timeout: 120_000 }, () => {
  let home: string
  let backend: FirebaseBackend
  let page: TestClient
  let person: ReturnType<typeof newCredentials>
  const createAdmin = () => createFirebaseAdmin(inject('emulators'))

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'staffbook-move-'))
    backend = await startBackend()
    person = newCredentials()
    page = await connectSignedIn(backend, person)
  })
  afterEach(async () => {
    await backend.stop()
    rmSync(home, { recursive: true })
  })

  const filePath = (name: string) => join(home, name)
  const readEmployees = (name: string): Employee[] => JSON.parse(readFileSync(filePath(name), 'utf8')).books

  function writeJson(name: string, content: object): string {
    writeFileSync(filePath(name), JSON.stringify(content))
    return filePath(name)
  }

  function environment(): Record<string, string> {
    const { project, auth, firestore } = inject('emulators')
    return {
      VITE_FIREBASE_API_KEY: demoKey,
      VITE_FIREBASE_PROJECT_ID: project,
      VITE_FIREBASE_AUTH_EMULATOR: `127.0.0.1:${auth}`,
      VITE_FIREBASE_FIRESTORE_EMULATOR: `127.0.0.1:${firestore}`,
    }
  }

  const staffbook = (args: string[], input = person.password, changed = {}) =>
    runCommand(['--data', filePath('data'), '--json', ...args], {
      input,
      environment: { ...environment(), ...changed },
    })

  test('to Firebase and back: retains ids, fields and order, and includes records added on Firebase', async () => {
    await staffbook(['import', writeJson('first.json', { books: employees, accounts: [] })])
    await staffbook(['export', filePath('there.json')])
    const there = await staffbook(['firebase', 'import', person.email, filePath('there.json')])
    expect([there.code, there.err, there.json()]).toEqual([0, '', { brought: 900, there: 0, kept: [] }])
    expect((await page.documents.list()).map(pickFields)).toEqual(employees.map(pickFields))

    const id = await page.documents.add(grace, newIdempotencyKey())
    const back = await staffbook(['firebase', 'export', person.email, filePath('back.json')])
    expect([back.code, back.err]).toEqual([0, ''])
    expect(readEmployees('back.json')).toEqual([...employees, { id, ...grace }])
    const home = await staffbook(['import', filePath('back.json')])
    expect(home.json().records).toEqual({ brought: 1, there: 900, kept: [] })

    await staffbook(['export', filePath('home.json')])
    expect(readEmployees('home.json')).toEqual(readEmployees('back.json'))
    const again = await staffbook(['firebase', 'import', person.email, filePath('home.json')])
    expect(again.json()).toEqual({ brought: 0, there: 901, kept: [] })
  })

  test('to another Firebase project: retains the ids created by the page', async () => {
    for (const eName of ['First', 'Second', 'Third'])
      await page.documents.add({ ...grace, eName }, newIdempotencyKey())
    const listed = await page.documents.list()
    await staffbook(['firebase', 'export', person.email, filePath('register.json')])
    for (const { id } of listed) await page.documents.remove(id)
    const back = await staffbook(['firebase', 'import', person.email, filePath('register.json')])
    expect(back.json()).toEqual({ brought: 3, there: 0, kept: [] })
    expect(await page.documents.list()).toEqual(listed)
  })

  test('an interrupted and repeated import adds the remaining records, in order and without duplicates', async () => {
    const many = Array.from({ length: 4_000 }, (_, i) => ({
      id: `${9_999 - i}`,
      ...grace,
      eName: `Person ${i}`,
    }))
    const file = writeJson('register.json', { books: many, accounts: [] })
    let commits = 0
    const gateway = await startGateway(inject('emulators').firestore, (response) => {
      commits += response.body.includes('commitTime') ? 1 : 0
      // The third part is committed, but its response is lost.
      return commits < 3 ? response : { status: 503, body: '{"error": {"status": "UNAVAILABLE"}}' }
    })
    const behind = { VITE_FIREBASE_FIRESTORE_EMULATOR: `127.0.0.1:${gateway.port}` }
    const begun = await staffbook(['firebase', 'import', person.email, file], person.password, behind)
    await gateway.stop()
    expect([begun.code, begun.err]).toEqual([
      1,
      expect.stringContaining('an import resumes where it stopped'),
    ])
    const rest = await staffbook(['firebase', 'import', person.email, file])
    expect(rest.json()).toEqual({ brought: 2_800, there: 1_200, kept: [] })
    expect((await page.documents.list()).map(pickFields)).toEqual(many.map(pickFields))
  })

  test('an import skips and reports a record that exists with other fields', async () => {
    const file = writeJson('register.json', { books: employees.slice(0, 2), accounts: [] })
    await staffbook(['firebase', 'import', person.email, file])
    const [first] = await page.documents.list()
    await page.documents.update(first?.id ?? '', grace)
    const again = await staffbook(['firebase', 'import', person.email, file])
    expect([again.code, again.json()]).toEqual([1, { brought: 0, there: 1, kept: [employees[0]?.id] }])
    expect((await page.documents.list()).map(pickFields)[0]).toEqual(grace)
  })

  test('an import reports records that concurrent imports have duplicated', async () => {
    const [first = '', second = ''] = [1, 2].flatMap((time) => createOrderedIds(['a'], time))
    for (const id of [first, second]) await page.documents.restore({ id, ...grace })
    const file = writeJson('register.json', { books: [{ id: 'a', ...grace }], accounts: [] })
    const { code, err } = await staffbook(['firebase', 'import', person.email, file])
    expect([code, err]).toEqual([1, expect.stringContaining('twice; remove one of each: a.')])
  })

  test('an export reports invalid records, which Firebase’s console can create', async () => {
    const { project, firestore } = inject('emulators')
    const url = `http://127.0.0.1:${firestore}/v1/projects/${project}/databases/(default)/documents/books?documentId=x`
    const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' }
    await fetch(url, { method: 'POST', headers, body: '{"fields": {"eName": {"integerValue": "1"}}}' })
    const exported = await staffbook(['firebase', 'export', person.email, filePath('register.json')])
    expect([exported.code, exported.json()]).toMatchObject([1, { records: 1, notValid: ['books/0/eName'] }])
  })

  test('error messages contain neither passwords nor tokens', async () => {
    const file = writeJson('register.json', { books: employees.slice(0, 2), accounts: [] })
    const importArgs = ['firebase', 'import', person.email, file]
    const closed = '127.0.0.1:1'
    const cases: [args: string[], input: string, changed: Record<string, string>, words: string][] = [
      [importArgs, 'not my password', {}, 'The account does not exist, or the password is wrong.'],
      [importArgs, person.password, { VITE_FIREBASE_API_KEY: '' }, 'VITE_FIREBASE_API_KEY is missing'],
      [importArgs, person.password, { VITE_FIREBASE_AUTH_EMULATOR: closed }, "127.0.0.1:1 can't be reached"],
      [
        importArgs,
        person.password,
        { VITE_FIREBASE_FIRESTORE_EMULATOR: closed },
        "127.0.0.1:1 can't be reached",
      ],
    ]
    for (const [args, input, changed, words] of cases) {
      const { code, out, err } = await staffbook(args, input, changed)
      expect([code, out, err]).toEqual([1, '', expect.stringContaining(words)])
      for (const secret of [person.password, 'not my password', demoKey]) expect(err).not.toContain(secret)
    }
    const rules = readFileSync('firestore.rules', 'utf8')
    await createAdmin().setRules(rules.replace('return signedInWithPassword();', 'return false;'))
    try {
      const { code, err } = await staffbook(importArgs)
      expect([code, err]).toEqual([1, expect.stringContaining('Firebase denied access.')])
    } finally {
      await createAdmin().setRules(rules)
    }
    expect(await page.documents.list()).toEqual([])
  })
})
