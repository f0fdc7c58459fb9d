import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { fieldsOf } from '../../contract/employees.ts'
import { carry, type End } from '../../scripts/move/carry.ts'
import { openFile, openFirebase, openServer } from '../../scripts/move/ends.ts'
import { firebaseAccounts } from '../../server/operator/firebase-accounts.ts'
import { cheapHash, startTestServer, type TestServer } from '../../server/testing.ts'
import { type BackendUnderTest, newPerson, signedIn } from '../../web/services/client-under-test.ts'
import { adminOf } from './admin.ts'
import { startBackend } from './backend.ts'
import { demoKey } from './demo-key.ts'

const person = newPerson()
const ask = async () => person
const employees = Array.from({ length: 900 }, (_, i) => ({
  eName: `Person ${i} "日本" 👩‍💻\n`,
  email: `person${i}@example.com`,
  password: ` =1+${i}\t`,
}))

let backend: BackendUnderTest
let server: TestServer
let folder: string
let ends: End[]

beforeEach(async () => {
  ends = []
  folder = mkdtempSync(join(tmpdir(), 'staffbook-move-'))
  server = await startTestServer()
  backend = await startBackend()
  await signedIn(backend, person)
  await fetch(`${server.url}/api/identity/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
})
afterEach(async () => {
  for (const end of ends) await end.close()
  await backend.stop()
  await server.stop()
  rmSync(folder, { recursive: true })
})

async function firebase() {
  const { project, auth, firestore } = inject('emulators')
  const emulators = { auth: `127.0.0.1:${auth}`, firestore: `127.0.0.1:${firestore}` }
  return opened(await openFirebase({ apiKey: demoKey, projectId: project, emulators }, ask))
}
const ours = async () => opened(await openServer(server.url, ask))
const file = () => openFile(join(folder, 'register.json'))

function opened(end: End): End {
  ends.push(end)
  return end
}

describe('moving a register', () => {
  test('from our server to Firebase and back to another one: the same records in the same order', async () => {
    const from = await ours()
    await from.append(employees)
    const hosted = await firebase()
    expect(await carry(from, hosted)).toEqual({ records: 900, brought: 900 })
    expect((await hosted.list()).map(fieldsOf)).toEqual(employees)
    const target = file()
    expect(await carry(hosted, target)).toEqual({ records: 900, brought: 900 })
    expect(await target.list()).toEqual(employees)
    expect(statSync(join(folder, 'register.json')).mode & 0o777).toBe(0o600)
  })

  test('stopped in the middle and said again, it brings what is missing', async () => {
    const [from, hosted] = [file(), await firebase()]
    await from.append(employees)
    await hosted.append(employees.slice(0, 400))
    expect(await carry(from, hosted)).toEqual({ records: 900, brought: 500 })
    expect((await hosted.list()).map(fieldsOf)).toEqual(employees)
  })

  test('a register that holds anything else is left alone', async () => {
    const [from, to] = [file(), await ours()]
    await from.append(employees)
    await to.append(employees.slice(1, 2))
    await expect(carry(from, to)).rejects.toThrow('holds other records already')
    expect(await to.list()).toHaveLength(1)
  })

  test('the accounts go to Firebase’s import with their argon2id hashes', async () => {
    const { users, ...how } = firebaseAccounts(await server.storage.accounts.list())
    expect(how).toEqual({
      hashAlgorithm: 'ARGON2',
      argon2Parameters: {
        hashType: 'ARGON2_ID',
        version: 'VERSION_13',
        hashLengthBytes: 32,
        parallelism: 1,
        iterations: cheapHash.passes,
        memoryCostKib: cheapHash.memory,
      },
    })
    const admin = adminOf(inject('emulators'))
    await admin.reset()
    expect(await admin.importAccounts({ ...how, users })).toEqual([])
    const imported = await admin.accountOf(person.email)
    expect(imported).toMatchObject({ localId: users[0]?.localId, passwordHash: users[0]?.passwordHash })
    // The emulator keeps the hash and can't check it; that a person gets in is left to the reset mail here.
    await admin.followResetMail(person.email, person.password)
    const client = await backend.connect()
    expect(await client.identity.signIn(person.email, person.password)).toMatchObject({
      uid: users[0]?.localId,
    })
  })

  test('a file that is no register is refused, by the field that is wrong', async () => {
    const from = file()
    await from.append([{ ...employees[0], email: 'nobody' } as never])
    await expect(carry(from, await ours())).rejects.toThrow('the email of employee 1 is not valid')
    expect(readFileSync(join(folder, 'register.json'), 'utf8')).toContain('nobody')
  })
})
