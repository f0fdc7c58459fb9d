import type { FastifyInstance } from 'fastify'
import { countCharacters } from '../../../contract/employees.ts'
import {
  activityReportSchema,
  type DeletedEmployee,
  type DeletedList,
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
import {
  chooseEncoding,
  createJsonSender,
  encodingHeaders,
  type SlowReaderLimits,
} from '../../http/large-responses.ts'
import { listOf, noContent, restoredBody } from '../../http/openapi.ts'
import type { JsonSchemaTypes } from '../../http/validation.ts'
import type { DeletedRecord, HistoryStorage } from '../../storage/history.ts'
import type { EmployeeStorage } from '../../storage/storage.ts'
import type { LiveList } from '../live-list.ts'
import { idParamsSchema, requireWritten } from '../writes.ts'
import { createDetailsBody, toDetails } from './details-body.ts'

export interface HistoryRouteOptions {
  employees: Pick<EmployeeStorage, 'restoreDeleted'>
  history: HistoryStorage
  liveList: LiveList
  deletedDays: number
  slowReaderLimits: SlowReaderLimits | undefined
}

/** The deleted records in one response. */
const maxDeleted = 500
const maxDeletedCharacters = 1024 * 1024

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
  detailsRoutes(app, options)
  deletedRoutes(app, options)
  reportRoute(app, options)
}

function detailsRoutes(
  app: FastifyInstance,
  { history, liveList, slowReaderLimits }: HistoryRouteOptions,
): void {
  const routes = app.withTypeProvider<JsonSchemaTypes>()
  const readAll = createDetailsBody(history, liveList)
  const sendJson = createJsonSender(slowReaderLimits)

  routes.get(paths.details, { schema: detailsSchema }, async (request, reply) => {
    const { ids } = request.query
    if (ids !== undefined) {
      const details: RecordDetails[] = []
      for await (const page of history.loadDetails(ids.split(','))) details.push(...page.map(toDetails))
      return { details }
    }
    const { uid } = request.session.account
    const encoding = chooseEncoding(request)
    const body = await readAll(encoding)
    return sendJson(reply, uid, body, encodingHeaders[encoding])
  })

  routes.get(paths.exposed, { schema: exposedSchema }, async (request, reply) => {
    const exposed = await history.findExposed(request.query.account)
    if (!exposed) throw accountNotFoundError
    const { uid } = request.session.account
    const body = Buffer.from(JSON.stringify(exposed satisfies ExposedRecords))
    return sendJson(reply, uid, body)
  })
}

function deletedRoutes(
  app: FastifyInstance,
  { employees, history, liveList, deletedDays: keptDays }: HistoryRouteOptions,
): void {
  app.get(paths.deleted, { schema: deletedSchema }, async (): Promise<DeletedList> => {
    const [records, total] = await Promise.all([history.listDeleted(maxDeleted), history.countDeleted()])
    return { documents: takeSome(records.map(toDeletedEmployee)), total, keptDays }
  })

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

/** Returns at least one. */
function takeSome(documents: DeletedEmployee[]): DeletedEmployee[] {
  let characters = 0
  const end = documents.findIndex((document, i) => {
    characters += countCharacters(document)
    return i > 0 && characters > maxDeletedCharacters
  })
  return end < 0 ? documents : documents.slice(0, end)
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
