import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { type FirebaseConfig, readFirebaseConfig } from '../../../contract/firebase.ts'
import { OperatorError } from '../command.ts'

/** The project that the environment names or, where it is silent, a file of variables. Throws an `OperatorError`. */
export function readProjectConfig(environment: NodeJS.ProcessEnv, file: URL): FirebaseConfig {
  const variables = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  try {
    return readFirebaseConfig({ ...variables, ...environment })
  } catch (error) {
    throw new OperatorError((error as Error).message)
  }
}

/** Firebase's two services, as any program may call them. A call rejects with an `OperatorError`. */
export interface FirebaseProject {
  /** The name of the database, as documents' names begin. */
  database: string
  /** Calls Firebase Auth without credentials. */
  // biome-ignore lint/suspicious/noExplicitAny: a response of another program, of which a few fields are read
  auth(method: string, body: object): Promise<any>
  /** Calls Cloud Firestore as the user of the token. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  firestore(method: string, body: object, token: string): Promise<any>
}

export function connectProject({ apiKey, projectId, emulators }: FirebaseConfig): FirebaseProject {
  const auth = `${emulators ? `http://${emulators.auth}/` : 'https://'}identitytoolkit.googleapis.com/v1/`
  const firestore = emulators ? `http://${emulators.firestore}/v1/` : 'https://firestore.googleapis.com/v1/'
  const database = `projects/${projectId}/databases/(default)`
  return {
    database,
    auth: (method, body) => postJson(auth + method, body, { 'x-goog-api-key': apiKey }),
    firestore: (method, body, token) =>
      postJson(`${firestore}${database}/documents:${method}`, body, { authorization: `Bearer ${token}` }),
  }
}

/** Milliseconds in which Firebase must have answered; a large register takes its time to be read. */
const callTimeoutMs = 120_000

async function postJson(url: string, body: object, headers: Record<string, string>) {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(callTimeoutMs),
  }).catch((error) => {
    throw new OperatorError(`${new URL(url).host} can't be reached: ${error.cause?.message ?? error.message}`)
  })
  const content = await answer.json().catch(() => undefined)
  if (answer.ok) return content
  throw new OperatorError(errorMessageFor(content, answer.status))
}

const errorMessages: [pattern: RegExp, words: string][] = [
  [
    /INVALID_LOGIN_CREDENTIALS|INVALID_PASSWORD|EMAIL_NOT_FOUND|USER_DISABLED/,
    'There is no such account, or its password is wrong.',
  ],
  [
    /PERMISSION_DENIED/,
    'Firebase does not allow this. Is the account a member, are the rules of this version published, is the token the owner’s?',
  ],
  [/UNAUTHENTICATED|INVALID_ID_TOKEN/, 'The token is not good, or not good any more. Say the command again.'],
  [/ALREADY_EXISTS/, 'Somebody else has brought the same meanwhile. Say the command again.'],
  [
    /UNAVAILABLE|INTERNAL|DEADLINE_EXCEEDED|ABORTED/,
    'Firebase did not do it. Say the command again: it goes on where it was.',
  ],
  [
    /TOO_MANY_ATTEMPTS|RESOURCE_EXHAUSTED|EXCEED_LIMIT|QUOTA/,
    'Firebase’s quota is used up. Say the command again later.',
  ],
]

/** Of what Firebase says only the code goes on: its words may repeat what was sent. */
function errorMessageFor(content: unknown, status: number): string {
  const [answer] = [content].flat()
  const { status: kind = status, message = '', details = [] } = Object(Object(answer).error)
  const [code] = /^[A-Z]+(_[A-Z]+)+/.exec(String(message)) ?? []
  const [reason] = [details].flat().flatMap((detail) => Object(detail).reason ?? [])
  const known = errorMessages.find(([pattern]) => pattern.test(code ?? '') || pattern.test(String(kind)))
  return known?.[1] ?? `Firebase refused: ${code ?? reason ?? kind}.`
}
