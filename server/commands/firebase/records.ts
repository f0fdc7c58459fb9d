import { collection, type Employee } from '../../../contract/employees.ts'
import { splitIntoParts } from '../../../contract/firestore.ts'
import { formatList, OperatorError } from '../command.ts'
import { compareRecords, type RecordsImportResult } from '../import-records.ts'
import type { ReportProgress } from '../progress.ts'
import { createOrderedIds, originalIdOf } from './ids.ts'
import type { FirebaseProject } from './project.ts'

/** Signs in as a member of the register; answers a token that is good for an hour. */
export async function signIn(project: FirebaseProject, email: string, password: string): Promise<string> {
  const credentials = { email, password: password.normalize('NFC'), returnSecureToken: true }
  const { idToken } = await project.auth('accounts:signInWithPassword', credentials)
  return idToken
}

interface Document {
  name: string
  fields?: Record<string, { stringValue?: string }>
}

/** All records at one moment, in order, under the ids that they had where they came from. */
export async function readRecords(project: FirebaseProject, token: string): Promise<Employee[]> {
  return (await readDocuments(project, token)).map((book) => ({ ...book, id: originalIdOf(book.id) }))
}

async function readDocuments(project: FirebaseProject, token: string): Promise<Employee[]> {
  const structuredQuery = {
    from: [{ collectionId: collection }],
    orderBy: [{ field: { fieldPath: '__name__' }, direction: 'ASCENDING' }],
  }
  const answers: { document?: Document }[] = await project.firestore('runQuery', { structuredQuery }, token)
  return answers.flatMap(({ document }) => (document ? [toEmployee(document)] : []))
}

/** What somebody has put into a document besides three texts is none of ours; what is missing is empty. */
function toEmployee({ name, fields = {} }: Document): Employee {
  const text = (field: string) => fields[field]?.stringValue ?? ''
  const id = name.slice(name.lastIndexOf('/') + 1)
  return { id, eName: text('eName'), email: text('email'), password: text('password') }
}

/**
 * Brings records in their order, in parts that are each whole or not at all. What is there is left as it is, so that the
 * same can be brought again, and goes on where it was stopped. Tells how many of those that were missing are there.
 */
export async function importRecords(
  project: FirebaseProject,
  token: string,
  records: Employee[],
  tell: ReportProgress,
): Promise<RecordsImportResult> {
  const before = indexById(await readRecords(project, token))
  const missing = records.filter(({ id }) => !before.has(id))
  const ids = createOrderedIds(missing.map(({ id }) => id))
  const documents = missing.map((book, i) => ({ ...book, id: ids[i] ?? '' }))
  let done = 0
  tell(done, documents.length)
  for (const part of splitIntoParts(documents)) {
    const writes = part.map((book) => toCreateWrite(project, book))
    await project.firestore('commit', { writes }, token)
    done += part.length
    tell(done, documents.length)
  }
  return compareRecords(records, before, indexById(await readRecords(project, token)))
}

/** Refuses what two imports at the same time have brought twice, since neither saw the other's. */
function indexById(books: Employee[]): Map<string, Employee> {
  const found = Map.groupBy(books, ({ id }) => id)
  const duplicateIds = found.entries().flatMap(([id, { length }]) => (length > 1 ? [id] : []))
  const names = formatList([...duplicateIds])
  if (names)
    throw new OperatorError(`On Firebase these records are there twice; remove one of each: ${names}.`)
  return new Map(books.map((book) => [book.id, book]))
}

function toCreateWrite({ database }: FirebaseProject, { id, ...fields }: Employee) {
  const values = Object.entries(fields).map(([name, stringValue]) => [name, { stringValue }])
  return {
    update: { name: `${database}/documents/${collection}/${id}`, fields: Object.fromEntries(values) },
    currentDocument: { exists: false },
  }
}
