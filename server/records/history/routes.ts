import type { FastifyInstance } from 'fastify'
import {
  activityReportSchema,
  type DeletedEmployee,
  deletedListSchema,
  type ExposedRecords,
  exposedRecordsSchema,
  maxDetailIds,
  type RecordDetails,
  recordDetailsSchema,
} from '../../../contract/history.ts'
import { paths } from '../../../contract/protocol.ts'
import { AppError } from '../../app-error.ts'
import { createCounter, requireAllowed } from '../../http/counters.ts'
import type { LargeResponses } from '../../http/large-responses.ts'
import { listOf, noContent, restoredBody } from '../../http/openapi.ts'
import type { JsonSchemaTypes } from '../../http/validation.ts'
import type { DeletedRecord, HistoryStorage, StoredDetails } from '../../storage/history.ts'
import type { EmployeeStorage } from '../../storage/storage.ts'
import { createCatchUp, type LiveList } from '../live-list.ts'
import { idParamsSchema, requireWritten } from '../writes.ts'
import { createCostlyReads } from './costly-reads.ts'

export interface HistoryRouteOptions {
  employees: Pick<EmployeeStorage, 'restoreDeleted' | 'catchUp'>
  history: HistoryStorage
  liveList: LiveList
  deletedDays: number
  responses: LargeResponses
}

/** The deleted records in one response. */
const maxDeleted = 500
const maxDeletedBytes = 1024 * 1024

/** Limits one account. A page reports what its user has revealed or copied; nobody does that more often. */
const reportLimit = { maxCount: 600, windowSeconds: 60 * 60 }

const detailsSchema = {
  summary: 'Who has changed records, and when',
  response: { 200: listOf('details', recordDetailsSchema) },
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ids: { type: 'string', pattern: `^[\\w-]{1,64}(,[\\w-]{1,64}){0,${maxDetailIds - 1}}$` },
    },
  },
} as const

const exposedSchema = {
  summary: 'List records whose password an account may know',
  response: { 200: exposedRecordsSchema },
  querystring: {
    type: 'object',
    additionalProperties: false,
    required: ['account'],
    properties: { account: { type: 'string', maxLength: 100 } },
  },
} as const

const deletedSchema = {
  summary: 'List deleted records that can be restored',
  response: { 200: deletedListSchema },
}

const restoreSchema = {
  summary: 'Restore a deleted record as it was',
  params: idParamsSchema,
  response: { 200: restoredBody },
}

const reportSchema = {
  summary: 'Report what a page has done',
  body: activityReportSchema,
  response: { 204: noContent },
}

const accountNotFoundError = new AppError('not-found', { message: 'There was no such account.' })
const notKeptError = new AppError('not-found', { message: 'This record can no longer be restored.' })

/** What happened to the records. `app` must require a session. */
export function historyRoutes(app: FastifyInstance, options: HistoryRouteOptions): void {
  costlyRoutes(app, options)
  restoreRoute(app, options)
  reportRoute(app, options)
}

function costlyRoutes(
  app: FastifyInstance,
  { employees, history, liveList, deletedDays, responses }: HistoryRouteOptions,
): void {
  const routes = app.withTypeProvider<JsonSchemaTypes>()
  const preHandler = createCatchUp(employees)
  const send = createCostlyReads(liveList, responses)

  routes.get(paths.details, { schema: detailsSchema, preHandler }, async (request, reply) => {
    const { ids } = request.query
    if (ids === undefined) return send(request, reply, { name: 'details', read: () => detailsOf(history) })
    const details: RecordDetails[] = []
    for await (const page of history.loadDetails(ids.split(','))) details.push(...page.map(toDetails))
    return { details }
  })

  routes.get(paths.exposed, { schema: exposedSchema, preHandler }, (request, reply) => {
    const { account } = request.query
    return send(request, reply, {
      name: `exposed ${account}`,
      async findVersion() {
        const people = await history.listPeople()
        return people.find(({ uid }) => uid === account)?.removedAt
      },
      async read() {
        const exposed = await history.findExposed(account)
        if (!exposed) throw accountNotFoundError
        return [JSON.stringify(exposed satisfies ExposedRecords)]
      },
    })
  })

  app.get(paths.deleted, { schema: deletedSchema, preHandler }, (request, reply) =>
    send(request, reply, {
      name: 'deleted',
      // Records are wiped without a new revision.
      findVersion: () => history.countDeleted(),
      async read() {
        const [records, total] = await Promise.all([history.listDeleted(maxDeleted), history.countDeleted()])
        const documents = takeSome(records.map(toDeletedEmployee))
        return [`{"documents":[${documents}],"total":${total},"keptDays":${deletedDays}}`]
      },
    }),
  )
}

async function* detailsOf(history: Pick<HistoryStorage, 'loadDetails'>): AsyncGenerator<string> {
  let separator = '{"details":['
  for await (const page of history.loadDetails()) {
    yield separator + JSON.stringify(page.map(toDetails)).slice(1, -1)
    separator = ','
  }
  yield separator === ',' ? ']}' : `${separator}]}`
}

function toDetails({ id, changedAt, changedBy, passwordAt }: StoredDetails): RecordDetails {
  return {
    id,
    ...(changedAt === null ? {} : { changedAt: new Date(changedAt).toISOString() }),
    ...(changedBy === null ? {} : { changedBy }),
    ...(passwordAt === null ? {} : { passwordChangedAt: new Date(passwordAt).toISOString() }),
  }
}

function restoreRoute(app: FastifyInstance, { employees, liveList }: HistoryRouteOptions): void {
  app
    .withTypeProvider<JsonSchemaTypes>()
    .post(`${paths.books}/:id/restore`, { schema: restoreSchema }, async (request, reply) => {
      const { id } = request.params
      const write = await employees.restoreDeleted(id, request.session.account.uid)
      if (write.outcome === 'not-found') throw notKeptError
      return { id, after: liveList.idBefore(requireWritten(write, reply).seq) }
    })
}

function toDeletedEmployee({ deletedAt, deletedBy, ...record }: DeletedRecord): DeletedEmployee {
  return {
    ...record,
    deletedAt: new Date(deletedAt).toISOString(),
    ...(deletedBy === null ? {} : { deletedBy }),
  }
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

function reportRoute(app: FastifyInstance, { history }: HistoryRouteOptions): void {
  const counter = createCounter(reportLimit)

  app
    .withTypeProvider<JsonSchemaTypes>()
    .post(paths.activity, { schema: reportSchema }, async (request, reply) => {
      const { uid } = request.session.account
      requireAllowed([counter, uid])
      counter.increment(uid)(true)
      const { kind, ids, count } = request.body
      if (ids) await history.logRecords(`reported-${kind}`, uid, ids)
      else await history.log({ kind: `reported-${kind}`, by: uid, ...(count === undefined ? {} : { count }) })
      return reply.code(204).send()
    })
}
