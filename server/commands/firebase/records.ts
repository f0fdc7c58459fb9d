import { collection, type Employee } from '../../../contract/employees.ts'
import { splitIntoParts } from '../../../contract/firestore.ts'
import { formatList, OperatorError } from '../command.ts'
import { compareRecords, type RecordsImportResult } from '../import-records.ts'
import type { ReportProgress } from '../progress.ts'
import { createOrderedIds, originalIdOf } from './ids.ts'
import type { FirebaseProject } from './project.ts'

/** Signs in as a member. Returns a token that is valid for an hour. */
export async function signIn(project: FirebaseProject, email: string, password: string): Promise<string> {
  const credentials = { email, password: password.normalize('NFC'), returnSecureToken: true }
  const { idToken } = await project.auth('accounts:signInWithPassword', credentials)
  return idToken
}

interface Document {
  name: string
  fields?: Record<string, { stringValue?: string }>
}

/**
 * Reads all records, in order, with their original ids. Throws an `OperatorError` if any is missing, also because of
 * someone who edits meanwhile.
 */
export async function readRecords(project: FirebaseProject, token: string): Promise<Employee[]> {
  return (await readDocuments(project, token)).map((book) => ({ ...book, id: originalIdOf(book.id) }))
}

/** Pages, because Firestore ends queries that take longer than a minute. */
const recordsPerPage = 1_000

async function readDocuments(project: FirebaseProject, token: string): Promise<Employee[]> {
  const documents: Document[] = []
  for (let isLastPage = false; !isLastPage; ) {
    const page = await readPage(project, token, documents.at(-1))
    documents.push(...page)
    isLastPage = page.length < recordsPerPage
  }
  const count = await countDocuments(project, token)
  if (count !== documents.length) {
    throw new OperatorError(
      `Firebase has ${count} records, but ${documents.length} were read. Run the command again while nobody edits.`,
    )
  }
  return documents.map(toEmployee)
}

const from = [{ collectionId: collection }]

async function readPage(
  project: FirebaseProject,
  token: string,
  last: Document | undefined,
): Promise<Document[]> {
  const structuredQuery = {
    from,
    orderBy: [{ field: { fieldPath: '__name__' }, direction: 'ASCENDING' }],
    limit: recordsPerPage,
    ...(last ? { startAt: { values: [{ referenceValue: last.name }], before: false } } : {}),
  }
  const results = await project.query<{ document?: Document }>('runQuery', { structuredQuery }, token)
  return results.flatMap(({ document }) => document ?? [])
}

async function countDocuments(project: FirebaseProject, token: string): Promise<number> {
  const structuredAggregationQuery = {
    structuredQuery: { from },
    aggregations: [{ alias: 'count', count: {} }],
  }
  const [first] = await project.query<{ result?: { aggregateFields: { count: { integerValue: string } } } }>(
    'runAggregationQuery',
    { structuredAggregationQuery },
    token,
  )
  return Number(first?.result?.aggregateFields.count.integerValue)
}

/** Ignores unknown fields. A missing field is empty. */
function toEmployee({ name, fields = {} }: Document): Employee {
  const text = (field: string) => fields[field]?.stringValue ?? ''
  const id = name.slice(name.lastIndexOf('/') + 1)
  return { id, eName: text('eName'), email: text('email'), password: text('password') }
}

/**
 * Adds the missing records in order, in atomic parts. Does not change existing records, so a repeated import resumes where
 * it stopped. Progress counts the missing records only.
 */
export async function importRecords(
  project: FirebaseProject,
  token: string,
  records: Employee[],
  reportProgress: ReportProgress,
): Promise<RecordsImportResult> {
  const before = indexById(await readRecords(project, token))
  const missing = records.filter(({ id }) => !before.has(id))
  const ids = createOrderedIds(missing.map(({ id }) => id))
  const documents = missing.map((book, i) => ({ ...book, id: ids[i] ?? '' }))
  let done = 0
  reportProgress(done, documents.length)
  for (const part of splitIntoParts(documents)) {
    const writes = part.map((book) => toCreateWrite(project, book))
    await project.firestore('commit', { writes }, token)
    done += part.length
    reportProgress(done, documents.length)
  }
  return compareRecords(records, before, indexById(await readRecords(project, token)))
}

/** Throws if two concurrent imports added the same record. */
function indexById(books: Employee[]): Map<string, Employee> {
  const found = Map.groupBy(books, ({ id }) => id)
  const duplicateIds = found.entries().flatMap(([id, { length }]) => (length > 1 ? [id] : []))
  const names = formatList([...duplicateIds])
  if (names) throw new OperatorError(`Firebase contains these records twice; remove one of each: ${names}.`)
  return new Map(books.map((book) => [book.id, book]))
}

function toCreateWrite({ database }: FirebaseProject, { id, ...fields }: Employee) {
  const values = Object.entries(fields).map(([name, stringValue]) => [name, { stringValue }])
  return {
    update: { name: `${database}/documents/${collection}/${id}`, fields: Object.fromEntries(values) },
    currentDocument: { exists: false },
  }
}
