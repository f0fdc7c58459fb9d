import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadEnv } from 'vite'
import { maxBatchSize } from '../../contract/batches.ts'
import { type EmployeeFields, fieldsOf, wrongField } from '../../contract/employees.ts'
import { type FirebaseConfig, readFirebaseConfig } from '../../web/services/firebase/config.ts'
import { createFirebase } from '../../web/services/firebase/create.ts'
import { newKey } from '../../web/services/key.ts'
import type { Services } from '../../web/services/ports.ts'
import { createSelfHosted } from '../../web/services/self-hosted/create.ts'
import { root } from '../terminal.ts'
import { type End, MoveError } from './carry.ts'

/** Who signs in on a service; nobody does on a file. */
export type AskCredentials = () => Promise<{ email: string; password: string }>

/** Opens `firebase`, the address of a Staffbook server, or else a file. Rejects with a `ServiceError` or a `MoveError`. */
export async function openEnd(name: string, ask: AskCredentials): Promise<End> {
  if (name === 'firebase') return openFirebase(configured(), ask)
  if (/^https?:/.test(name)) return openServer(name, ask)
  return openFile(name)
}

function configured(): FirebaseConfig {
  try {
    return readFirebaseConfig(loadEnv('production', root, 'VITE_'))
  } catch (error) {
    throw new MoveError((error as Error).message)
  }
}

export async function openFirebase(config: FirebaseConfig, ask: AskCredentials): Promise<End> {
  const { close, ...services } = createFirebase(config, { name: newKey() })
  return openService('firebase', services, ask, close)
}

export async function openServer(address: string, ask: AskCredentials): Promise<End> {
  const fetch = withCookie()
  const base = address.replace(/\/$/, '')
  const services = createSelfHosted({ fetch, base, upload: (url, init) => fetch(url, init) })
  return openService(address, services, ask, async () => {})
}

async function openService(
  name: string,
  { identity, documents }: Services,
  ask: AskCredentials,
  close: () => Promise<void>,
): Promise<End> {
  const { email, password } = await ask()
  await identity.signIn(email, password)
  return {
    name,
    list: () => documents.list(),
    async append(employees) {
      for (let start = 0; start < employees.length; start += maxBatchSize) {
        const add = employees.slice(start, start + maxBatchSize).map(fieldsOf)
        await documents.writeBatch({ add, update: [], remove: [] }, newKey())
      }
    },
    async close() {
      await identity.signOut()
      await close()
    },
  }
}

/** A JSON file that only its owner may read: the passwords stand in it as they are. */
export function openFile(path: string): End {
  function list(): EmployeeFields[] {
    return existsSync(path) ? employeesOf(JSON.parse(readFileSync(path, 'utf8')), path) : []
  }
  return {
    name: path,
    list: async () => list(),
    async append(employees) {
      const text = JSON.stringify({ employees: [...list(), ...employees].map(fieldsOf) }, null, 1)
      writeFileSync(path, `${text}\n`, { mode: 0o600 })
    },
    close: async () => {},
  }
}

function employeesOf(content: { employees?: unknown }, path: string): EmployeeFields[] {
  const { employees } = content
  if (!Array.isArray(employees)) throw new MoveError(`${path} is no register: it has no list of employees.`)
  employees.forEach((employee, i) => {
    const field = wrongField(Object(employee))
    if (field) throw new MoveError(`${path}: the ${field} of employee ${i + 1} is not valid.`)
  })
  return employees.map(fieldsOf)
}

/** `fetch` that keeps the session's cookie, as a browser does. */
function withCookie(): typeof globalThis.fetch {
  let cookie = ''
  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(input, { ...init, headers })
    const [set] = response.headers.getSetCookie()
    if (set) cookie = set.slice(0, set.indexOf(';'))
    return response
  }
}
