import { uidSchema } from '../../../contract/accounts.ts'
import { restoredSchema } from '../../../contract/batches.ts'
import { maxListedDeleted } from '../../../contract/deletions.ts'
import { employeeSchema, secretFieldsSchema } from '../../../contract/employees.ts'
import {
  type DeletedEmployee,
  type DeletedList,
  deletedListSchema,
  deletionSchema,
  type ExposedRecords,
  exposedRecordsSchema,
  maxDetailIds,
  maxRecordEvents,
  type PreviousPassword,
  previousPasswordSchema,
  type RecordDetails,
  type RecordEvent,
  recordDetailsSchema,
  recordEventSchema,
} from '../../../contract/history.ts'
import { arrayOf, countSchema, objectOf, timestampSchema } from '../../../contract/json-schema.ts'
import { idempotencyKeyHeader, paths } from '../../../contract/protocol.ts'
import { AppError } from '../../app-error.ts'
import { toResponse } from '../../http/json-body.ts'
import type { Api } from '../../http/validation.ts'
import type { RecordActivity, StoredPrevious } from '../../storage/history.ts'
import type { HistoryStorage } from '../../storage/storage.ts'
import { createMutex } from '../../yield-to-event-loop.ts'
import { createCatchUp } from '../live-list.ts'
import {
  digestRequest,
  idParamsSchema,
  keySchema,
  type RecordRouteOptions,
  requireWritten,
} from '../routes.ts'
import { activityRoutes } from './activity-routes.ts'
import { createCostlyReads, maxWaiting } from './costly-reads.ts'
import { restoreDeletion } from './retention.ts'

const maxDeletedBytes = 1024 * 1024

const idsSchema = { type: 'string', pattern: `^[\\w-]{1,64}(,[\\w-]{1,64}){0,${maxDetailIds - 1}}$` } as const
const detailsSchema = {
  summary: 'Who has changed records, and when',
  response: { 200: objectOf({ details: arrayOf(recordDetailsSchema) }) },
  querystring: { ...objectOf({}, { passwordUntil: timestampSchema, ids: idsSchema }), maxProperties: 1 },
} as const
const exposedSchema = {
  summary: 'List records whose password an account may know',
  response: { 200: exposedRecordsSchema },
  querystring: objectOf({ account: uidSchema }),
}
const deletedSchema = {
  summary: 'List deleted records that can be restored',
  response: { 200: deletedListSchema },
}
const recordActivitySchema = {
  summary: 'List what was done to a record',
  params: idParamsSchema,
  response: { 200: objectOf({ events: arrayOf(recordEventSchema) }) },
}

/** What happened to the records. `app` must require a session. */
export function historyRoutes(app: Api, options: RecordRouteOptions): void {
  for (const addRoutes of [costlyRoutes, previousPasswordRoutes, restoreRoutes, activityRoutes])
    addRoutes(app, options)
}

function costlyRoutes(app: Api, options: RecordRouteOptions): void {
  const { employees, history, liveList, deletedDays, responses } = options
  const preHandler = createCatchUp(employees)
  const send = createCostlyReads(liveList, responses)

  app.get(paths.details, { schema: detailsSchema, preHandler }, async (request, reply) => {
    const { ids, passwordUntil } = request.query
    const until = passwordUntil === undefined ? undefined : Date.parse(passwordUntil)
    if (Number.isNaN(until)) throw new AppError('invalid-request', { field: 'passwordUntil' })
    if (ids === undefined) {
      return send(request, reply, { name: `details ${until}`, read: () => detailsOf(history, until) })
    }
    const details: RecordDetails[] = []
    for await (const page of history.loadDetails(ids.split(','))) details.push(...page.map(toResponse))
    return { details }
  })

  app.get(paths.exposed, { schema: exposedSchema, preHandler }, (request, reply) => {
    const { account } = request.query
    return send(request, reply, {
      name: `exposed ${account}`,
      async findVersion() {
        const people = await history.listPeople()
        return people.find(({ uid }) => uid === account)?.removedAt
      },
      async read() {
        const exposed = await history.findExposed(account)
        if (!exposed) throw new AppError('not-found', { message: 'There was no such account.' })
        return [JSON.stringify(exposed satisfies ExposedRecords)]
      },
    })
  })

  app.get(paths.deleted, { schema: deletedSchema }, (request, reply) =>
    send(request, reply, {
      name: 'deleted',
      // Records are wiped without a new revision.
      findVersion: () => history.countDeleted(),
      async read() {
        const documents = takeSome((await history.listDeleted(maxListedDeleted)).map(toResponse))
        const deletions: DeletedList['deletions'] = (await history.listDeletions()).map(toResponse)
        const rest = { total: await history.countDeleted(), keptDays: deletedDays, deletions }
        return [`{"documents":[${documents}],${JSON.stringify(rest).slice(1)}`]
      },
    }),
  )

  app.get(`${paths.books}/:id/activity`, { schema: recordActivitySchema }, (request, reply) =>
    send(request, reply, {
      name: 'activity',
      isKept: false,
      async read() {
        const activity = await history.listRecordActivity(request.params.id, maxRecordEvents)
        if (!activity) throw new AppError('not-found')
        return [JSON.stringify({ events: activity.map(toEvent) })]
      },
    }),
  )
}

function toEvent({ kind, at, by, count }: RecordActivity): RecordEvent {
  const name = kind.replace(/^(batch|reported)-/, '').replace(/^(emergency|export-passwords)$/, 'export')
  return toResponse({ at, kind: name as RecordEvent['kind'], by, count })
}

async function* detailsOf(history: HistoryStorage, until: number | undefined) {
  let separator = '{"details":['
  for await (const page of history.loadDetails(undefined, until)) {
    yield separator + JSON.stringify(page.map(toResponse)).slice(1, -1)
    separator = ','
  }
  yield separator === ',' ? ']}' : `${separator}]}`
}

const previousListSchema = {
  summary: 'List the passwords that a record had before, without their texts',
  params: idParamsSchema,
  response: { 200: objectOf({ passwords: arrayOf(previousPasswordSchema) }) },
}
const previousSchema = {
  summary: 'Read a password that a record had before',
  params: objectOf({ id: employeeSchema.properties.id, key: employeeSchema.properties.id }),
  response: { 200: secretFieldsSchema },
}

function previousPasswordRoutes(app: Api, { employees, history }: RecordRouteOptions): void {
  const preHandler = createCatchUp(employees)
  const path = `${paths.books}/:id/previous-passwords`

  app.get(path, { schema: previousListSchema, preHandler }, async ({ params }) => ({
    passwords: (await history.listPrevious(params.id)).map(toPreviousPassword),
  }))

  app.get(`${path}/:key`, { schema: previousSchema, preHandler }, async ({ params }) => {
    const previous = await history.listPrevious(params.id)
    const found = previous.find(({ revision }) => String(revision) === params.key)
    if (!found) throw new AppError('no-longer-kept')
    return found.fields
  })
}

function toPreviousPassword({ revision, at, by }: StoredPrevious): PreviousPassword {
  return toResponse({ key: String(revision), replacedAt: at, replacedBy: by })
}

const restoreSchema = {
  summary: 'Restore a deleted record as it was',
  params: idParamsSchema,
  headers: keySchema,
  response: { 200: restoredSchema },
}
const restoreDeletionSchema = {
  summary: 'Restore some of the records that were deleted together',
  body: deletionSchema,
  response: { 200: objectOf({ restored: countSchema }) },
}

function restoreRoutes(app: Api, { employees, history, liveList }: RecordRouteOptions): void {
  const forAccount = createMutex(maxWaiting)
  const forAll = createMutex(Number.POSITIVE_INFINITY)

  app.post(paths.restoreDeletion, { schema: restoreDeletionSchema }, async (request) => {
    const { since, until, by = null } = request.body
    const deletion = { since: Date.parse(since), until: Date.parse(until), by: [by] }
    if (Number.isNaN(deletion.since + deletion.until))
      throw new AppError('invalid-request', { field: 'since' })
    const { uid } = request.session.account
    const restore = () => restoreDeletion(employees, history, deletion, uid)
    return { restored: await forAccount(uid, () => forAll('restore', restore)) }
  })

  app.post(`${paths.books}/:id/restore`, { schema: restoreSchema }, async (request, reply) => {
    const { id } = request.params
    const { uid } = request.session.account
    const digest = digestRequest(uid, request.headers[idempotencyKeyHeader], 'restore')
    const write = await employees.restoreDeleted(id, uid, digest)
    if (write.outcome === 'not-found')
      throw new AppError('not-found', { message: 'This record can no longer be restored.' })
    return { id, after: liveList.idBefore(requireWritten(write, reply).seq) }
  })
}

/** Returns the JSON of at least one. */
function takeSome(documents: DeletedEmployee[]): string[] {
  const taken: string[] = []
  let bytes = 0
  for (const document of documents) {
    const json = JSON.stringify(document)
    bytes += Buffer.byteLength(json)
    if (taken.length > 0 && bytes > maxDeletedBytes) break
    taken.push(json)
  }
  return taken
}
