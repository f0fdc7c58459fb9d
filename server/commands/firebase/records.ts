import { collection, type Employee } from '../../../contract/employees.ts'
import { partsOf } from '../../../contract/firestore.ts'
import { listed, OperatorError } from '../command.ts'
import { type BroughtRecords, compare } from '../import-records.ts'
import type { Tell } from '../progress.ts'
import { idsInOrder, originOf } from './ids.ts'
import type { Project } from './project.ts'

/** Signs in as a member of the register; answers a token that is good for an hour. */
export async function signIn(project: Project, email: string, password: string): Promise<string> {
  const credentials = { email, password: password.normalize('NFC'), returnSecureToken: true }
  const { idToken } = await project.auth('accounts:signInWithPassword', credentials)
  return idToken
}

interface Document {
  name: string
  fields?: Record<string, { stringValue?: string }>
}

/** All records at one moment, in order, under the ids that they had where they came from. */
export async function readRecords(project: Project, token: string): Promise<Employee[]> {
  return (await readDocuments(project, token)).map((book) => ({ ...book, id: originOf(book.id) }))
}

async function readDocuments(project: Project, token: string): Promise<Employee[]> {
  const structuredQuery = {
    from: [{ collectionId: collection }],
    orderBy: [{ field: { fieldPath: '__name__' }, direction: 'ASCENDING' }],
  }
  const answers: { document?: Document }[] = await project.firestore('runQuery', { structuredQuery }, token)
  return answers.flatMap(({ document }) => (document ? [employeeOf(document)] : []))
}

/** What somebody has put into a document besides three texts is none of ours; what is missing is empty. */
function employeeOf({ name, fields = {} }: Document): Employee {
  const text = (field: string) => fields[field]?.stringValue ?? ''
  const id = name.slice(name.lastIndexOf('/') + 1)
  return { id, eName: text('eName'), email: text('email'), password: text('password') }
}

/**
 * Brings records in their order, in parts that are each whole or not at all. What is there is left as it is, so that the
 * same can be brought again, and goes on where it was stopped. Tells how many of those that were missing are there.
 */
export async function bringRecords(
  project: Project,
  token: string,
  wanted: Employee[],
  tell: Tell,
): Promise<BroughtRecords> {
  const before = byId(await readRecords(project, token))
  const missing = wanted.filter(({ id }) => !before.has(id))
  const ids = idsInOrder(missing.map(({ id }) => id))
  const documents = missing.map((book, i) => ({ ...book, id: ids[i] ?? '' }))
  let done = 0
  tell(done, documents.length)
  for (const part of partsOf(documents)) {
    const writes = part.map((book) => creationOf(project, book))
    await project.firestore('commit', { writes }, token)
    done += part.length
    tell(done, documents.length)
  }
  return compare(wanted, before, byId(await readRecords(project, token)))
}

/** Refuses what two imports at the same time have brought twice, since neither saw the other's. */
function byId(books: Employee[]): Map<string, Employee> {
  const found = Map.groupBy(books, ({ id }) => id)
  const twice = found.entries().flatMap(([id, { length }]) => (length > 1 ? [id] : []))
  const names = listed([...twice])
  if (names)
    throw new OperatorError(`On Firebase these records are there twice; remove one of each: ${names}.`)
  return new Map(books.map((book) => [book.id, book]))
}

function creationOf({ database }: Project, { id, ...fields }: Employee) {
  const values = Object.entries(fields).map(([name, stringValue]) => [name, { stringValue }])
  return {
    update: { name: `${database}/documents/${collection}/${id}`, fields: Object.fromEntries(values) },
    currentDocument: { exists: false },
  }
}
