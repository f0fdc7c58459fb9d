import { uidSchema } from '../../../contract/accounts.ts'
import {
  type ActivityEntry,
  type ActivityKind,
  type ActivityPage,
  activityEntrySchema,
  activityPageSchema,
  groupNames,
  maxActivityPage,
  maxActivitySubjects,
} from '../../../contract/activity/activity.ts'
import { activityReportSchema } from '../../../contract/history.ts'
import { arrayOf, objectOf } from '../../../contract/json-schema.ts'
import { paths } from '../../../contract/protocol.ts'
import { AppError } from '../../app-error.ts'
import { createCounter, requireAllowed } from '../../http/counters.ts'
import { toResponse } from '../../http/json-body.ts'
import type { Api } from '../../http/validation.ts'
import type { ActivityKind as LoggedKind, NumberedActivity } from '../../storage/history.ts'
import type { RecordRouteOptions } from '../routes.ts'

/** Limits one account. A page reports what its user has revealed or copied; nobody does that more often. */
const reportLimit = { maxCount: 600, windowSeconds: 60 * 60 }

/** The number of an entry. */
const numberSchema = { type: 'string', pattern: '^\\d{1,15}$' } as const

const listOf = (item: string) =>
  ({ type: 'string', pattern: `^${item}(,${item}){0,${maxActivitySubjects - 1}}$` }) as const

const recordsSchema = listOf('[\\w-]{1,64}')
/** Percent-encoded: a `uid` may have commas. */
const peopleSchema = listOf("(?:[\\w.!~*'()-]|%(?!00)[\\dA-F]{2}){1,1536}")

const listSchema = {
  summary: 'List who did what, the latest first',
  querystring: objectOf(
    {},
    {
      ...{
        before: numberSchema,
        after: numberSchema,
        kind: { type: 'string', enum: groupNames },
        by: uidSchema,
      },
      ...{ records: recordsSchema, people: peopleSchema },
    },
  ),
  response: { 200: activityPageSchema },
} as const
const reportSchema = { summary: 'Report what a page has done', body: activityReportSchema }
const newsSchema = {
  summary: 'What happened to this account since it was told last',
  response: { 200: objectOf({ entries: arrayOf(activityEntrySchema) }) },
}
const toldSchema = {
  summary: 'Forget news that was told',
  body: objectOf({ ids: { type: 'array', maxItems: maxActivityPage, items: numberSchema } }),
} as const

/** The log of activity. `app` must require a session. */
export function activityRoutes(app: Api, { history }: RecordRouteOptions): void {
  const counter = createCounter(reportLimit)

  app.get(paths.activity, { schema: listSchema }, async ({ query }): Promise<ActivityPage> => {
    const { before, after, kind, by, records, people } = query
    const filter = {
      before: before === undefined ? undefined : Number(before),
      after: after === undefined ? undefined : Number(after),
      group: kind,
      by: by === undefined ? undefined : [by || null],
      limit: maxActivityPage,
    }
    const subjects = { records: records?.split(',') ?? [], people: people?.split(',').map(decodeUid) ?? [] }
    const { entries, next } =
      records !== undefined || people !== undefined
        ? await history.searchActivity(filter, subjects)
        : await history.listActivity(filter)
    return { entries: entries.map(toEntry), ...toResponse({ next: next?.toString() }) }
  })

  app.post(paths.activity, { schema: reportSchema }, async (request, reply) => {
    const { uid } = request.session.account
    requireAllowed([counter, uid])
    counter.increment(uid)(true)
    const { kind, ids, count } = request.body
    if (ids) await history.logRecords(`reported-${kind}`, uid, ids)
    else await history.log({ kind: `reported-${kind}`, by: uid, ...toResponse({ count }) })
    return reply.code(204).send()
  })

  app.get(paths.news, { schema: newsSchema }, async ({ session }) => ({
    entries: (await history.listNews(session.account.uid, session.session.hash)).map(toEntry),
  }))

  app.post(paths.news, { schema: toldSchema }, async ({ body, session }, reply) => {
    await history.forgetNews(session.account.uid, session.session.hash, body.ids.map(Number))
    return reply.code(204).send()
  })
}

function decodeUid(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new AppError('invalid-request', { field: 'people' })
  }
}

/** As everyone who is signed in sees it. */
export function toEntry({
  id,
  kind,
  at,
  by,
  record,
  account,
  count,
  browser,
}: NumberedActivity): ActivityEntry {
  const isReported = kind.startsWith('reported-') ? (true as const) : undefined
  const rest = { at, by, record, account, count, browser, isReported }
  return { id: String(id), ...toResponse({ kind: toPublicKind(kind), ...rest }) }
}

const otherKinds: Partial<Record<LoggedKind, ActivityKind>> = {
  'batch-add': 'import',
  // The command line exports no records without their passwords.
  export: 'export-passwords',
}

const toPublicKind = (kind: LoggedKind): ActivityKind =>
  otherKinds[kind] ?? (kind.replace(/^(batch|reported)-/, '') as ActivityKind)
