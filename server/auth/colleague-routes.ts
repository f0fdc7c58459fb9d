import { setTimeout } from 'node:timers/promises'
import { domainToUnicode } from 'node:url'
import {
  type Colleague,
  colleagueSchema,
  ownPasswordSchema,
  resetLinkSchema,
  uidSchema,
} from '../../contract/accounts.ts'
import { findLookAlikes } from '../../contract/emails/look-alikes.ts'
import { arrayOf, objectOf } from '../../contract/json-schema.ts'
import { paths } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import { toResponse } from '../http/json-body.ts'
import type { Api } from '../http/validation.ts'
import type { Person } from '../storage/history.ts'
import type { HistoryStorage } from '../storage/storage.ts'
import { lastAnswerMs } from './accounts.ts'
import { type OwnPasswordDependencies, requireOwnPassword } from './confirmation/own-password.ts'
import { type Links, noAccountError } from './links/links.ts'
import type { Sessions } from './sessions.ts'

export interface ColleagueRouteOptions extends OwnPasswordDependencies {
  history: Pick<HistoryStorage, 'listPeople' | 'logRefusal'>
  links: Links
  sessions: Sessions
}

const removalPath = `${paths.accounts}/:id/removal`
const params = objectOf({ id: uidSchema })

const listSchema = {
  summary: 'List accounts',
  response: { 200: objectOf({ accounts: arrayOf(colleagueSchema) }) },
}
const removalSchema = { summary: 'Remove a colleague’s account', params, body: ownPasswordSchema }
const letInSchema = { summary: 'Let a removed account back in', params }
const newResetLinkSchema = {
  summary: 'Make a reset link for a colleague',
  params,
  body: ownPasswordSchema,
  response: { 201: resetLinkSchema },
}

/** What everyone who can read the records may do to others. `app` must require a session. */
export function colleagueRoutes(app: Api, options: ColleagueRouteOptions): void {
  const { accounts, history, links, sessions, sso } = options

  app.get(paths.accounts, { schema: listSchema }, async (): Promise<{ accounts: Colleague[] }> => {
    const [people, lastSeen, connected = []] = await Promise.all([
      history.listPeople(),
      accounts.listLastSeen(),
      sso?.identities.listConnected(),
    ])
    const byProvider = new Set(connected)
    const emails = new Map(people.map(({ uid, email }) => [uid, email]))
    const lookAlikes = findLookAlikes(emails.values(), domainToUnicode)
    const toOne = (person: Person): Colleague => ({
      ...toColleague(person, lastSeen.get(person.uid), emails),
      ...toResponse({ looksLike: lookAlikes.get(person.email) }),
      ...(byProvider.has(person.uid) ? { sso: true as const } : {}),
    })
    return { accounts: people.map(toOne) }
  })

  app.post(`${paths.accounts}/:id/reset-link`, { schema: newResetLinkSchema }, async (request, reply) => {
    await requireOwnPassword(options, request, request.body.password)
    const [{ id }, by] = [request.params, request.session.account.uid]
    const link = await links.createReset(id, by)
    request.log.info({ uid: id, by }, 'reset link created')
    return reply.code(201).send(link)
  })

  app.put(removalPath, { schema: removalSchema }, async (request, reply) => {
    await requireOwnPassword(options, request, request.body.password)
    const [{ id }, by] = [request.params, request.session.account.uid]
    const ended = await accounts.removeColleague(id, by)
    if (!ended) throw noAccountError
    request.log.info({ uid: id, by }, 'account removed')
    sessions.handleEnded(ended)
    await setTimeout(lastAnswerMs)
    // An error response would tell that nothing was changed.
    const onError = (error: unknown) => request.log.error({ err: error }, 'removal not confirmed')
    await accounts.confirmRemoval(id).catch(onError)
    return reply.code(204).send()
  })

  app.delete(removalPath, { schema: letInSchema }, async (request, reply) => {
    const [{ id }, by] = [request.params, request.session.account.uid]
    const outcome = await accounts.letIn(id, by)
    if (outcome === 'not-found') throw noAccountError
    if (outcome === 'account-exists') throw new AppError(outcome)
    request.log.info({ uid: id, by }, 'account let back in')
    return reply.code(204).send()
  })
}

function toColleague(person: Person, lastSeenAt: number | undefined, emails: Map<string, string>): Colleague {
  const { uid: id, email, createdAt, removedAt, removedBy, kept, invitation, invitedBy, invitedFor } = person
  const findEmail = (uid: string | null) => emails.get(uid ?? '')
  return toResponse({
    id,
    email,
    createdAt,
    lastSeenAt,
    removedAt,
    removedBy: findEmail(removedBy),
    canReturn: kept === null ? null : (true as const),
    invitation:
      invitation === null ? null : toResponse({ anyEmail: invitedFor === null, by: findEmail(invitedBy) }),
  })
}
