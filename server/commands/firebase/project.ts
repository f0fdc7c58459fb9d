import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { type FirebaseConfig, readFirebaseConfig } from '../../../contract/firebase.ts'
import { OperatorError } from '../command.ts'

/** Reads the project from the environment, or else from a file of variables. Throws an `OperatorError` if neither has one. */
export function readProjectConfig(environment: NodeJS.ProcessEnv, file: URL): FirebaseConfig {
  const variables = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  try {
    return readFirebaseConfig({ ...variables, ...environment })
  } catch (error) {
    throw new OperatorError((error as Error).message)
  }
}

/** The HTTP interfaces of Firebase Auth and Cloud Firestore. Calls reject with an `OperatorError`. */
export interface FirebaseProject {
  /** The name of the database, a prefix of all document names. */
  database: string
  /** Calls Firebase Auth without credentials. */
  // biome-ignore lint/suspicious/noExplicitAny: a response of another program, of which a few fields are read
  auth(method: string, body: object): Promise<any>
  /** Calls Cloud Firestore as the user of the token. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  firestore(method: string, body: object, token: string): Promise<any>
  /** Runs a query as the user of the token. Also rejects if the query failed after its first results. */
  query<T>(method: string, body: object, token: string): Promise<T[]>
}

export function connectProject({ apiKey, projectId, emulators }: FirebaseConfig): FirebaseProject {
  const auth = `${emulators ? `http://${emulators.auth}/` : 'https://'}identitytoolkit.googleapis.com/v1/`
  const firestore = emulators ? `http://${emulators.firestore}/v1/` : 'https://firestore.googleapis.com/v1/'
  const database = `projects/${projectId}/databases/(default)`
  const postToFirestore: FirebaseProject['firestore'] = (method, body, token) =>
    postJson(`${firestore}${database}/documents:${method}`, body, { authorization: `Bearer ${token}` })
  return {
    database,
    auth: (method, body) => postJson(auth + method, body, { 'x-goog-api-key': apiKey }),
    firestore: postToFirestore,
    async query(method, body, token) {
      const results = await postToFirestore(method, body, token)
      if (!Array.isArray(results)) throw incompleteResponseError(firestore)
      // Firestore streams the results, so an error can follow them after status 200.
      const failed = results.find((result) => Object(result).error)
      if (failed) throw new OperatorError(errorMessageFor(failed, 200))
      return results
    },
  }
}

/** Long enough for a page of large records. */
const callTimeoutMs = 120_000

async function postJson(url: string, body: object, headers: Record<string, string>) {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(callTimeoutMs),
  }).catch((error) => {
    throw new OperatorError(`${new URL(url).host} can't be reached: ${error.cause?.message ?? error.message}`)
  })
  const content = await response.json().catch(() => undefined)
  if (!response.ok) throw new OperatorError(errorMessageFor(content, response.status))
  if (content === undefined) throw incompleteResponseError(url)
  return content
}

const incompleteResponseError = (url: string) =>
  new OperatorError(`${new URL(url).host} sent an incomplete response. Run the command again.`)

const errorMessages: [pattern: RegExp, message: string][] = [
  [
    /INVALID_LOGIN_CREDENTIALS|INVALID_PASSWORD|EMAIL_NOT_FOUND|USER_DISABLED/,
    'The account does not exist, or the password is wrong.',
  ],
  [
    /PERMISSION_DENIED/,
    'Firebase denied access. Check that the account is a member and that the rules of this version are deployed.',
  ],
  [/UNAUTHENTICATED|INVALID_ID_TOKEN/, 'The token is invalid or has expired. Run the command again.'],
  [/ALREADY_EXISTS/, 'Another import added the same records at the same time. Run the command again.'],
  [
    /UNAVAILABLE|INTERNAL|DEADLINE_EXCEEDED|ABORTED/,
    'Firebase is unavailable. Run the command again; an import resumes where it stopped.',
  ],
  [
    /TOO_MANY_ATTEMPTS|RESOURCE_EXHAUSTED|EXCEED_LIMIT|QUOTA/,
    'The quota of the Firebase project is exhausted. Run the command again later.',
  ],
]

/** Uses only the code of Firebase's error, because its message may repeat the request. */
function errorMessageFor(content: unknown, status: number): string {
  const [body] = [content].flat()
  const { status: kind = status, message = '', details = [] } = Object(Object(body).error)
  const [code] = /^[A-Z]+(_[A-Z]+)+/.exec(String(message)) ?? []
  const [reason] = [details].flat().flatMap((detail) => Object(detail).reason ?? [])
  const known = errorMessages.find(([pattern]) => pattern.test(code ?? '') || pattern.test(String(kind)))
  return known?.[1] ?? `Firebase rejected the request: ${code ?? reason ?? kind}.`
}
