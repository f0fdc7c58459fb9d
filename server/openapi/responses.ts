import {
  colleagueSchema,
  identityPolicySchema,
  invitationInfoSchema,
  sessionInfoSchema,
  userSchema,
} from '../../contract/accounts.ts'
import { batchResultSchema, batchSchema } from '../../contract/batches.ts'
import { employeeSchema } from '../../contract/employees.ts'
import { deletedListSchema, exposedRecordsSchema, recordDetailsSchema } from '../../contract/history.ts'
import { bookListSchema, changeEventSchema, conflictSchema, paths } from '../../contract/protocol.ts'

export interface Operation {
  summary: string
  /** The success status: schema of its body, or null if it has none. */
  responses: Record<number, object | null>
  /** The content type of the response, if it is not JSON. */
  type?: string
  /** The body of a route that validates it itself. */
  body?: object
}

const objectOf = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
})
const listOf = (name: string, items: object) => objectOf({ [name]: { type: 'array', items } })
const text = { type: 'string' }
const idBody = objectOf({ id: text })
const after = { type: ['string', 'null'], description: 'Id of the record before it.' }
const book = `${paths.books}/:id`

/** What routes respond; their requests are described by their own schemas. A route may be missing. */
export const operations: Record<string, Operation> = {
  [`GET ${paths.policy}`]: { summary: 'Who may sign up', responses: { 200: identityPolicySchema } },
  [`POST ${paths.accounts}`]: { summary: 'Sign up', responses: { 201: userSchema } },
  [`GET ${paths.accounts}`]: {
    summary: 'List accounts',
    responses: { 200: listOf('accounts', colleagueSchema) },
  },
  [`POST ${paths.session}`]: { summary: 'Sign in', responses: { 200: userSchema } },
  [`GET ${paths.session}`]: { summary: 'Account of the session', responses: { 200: userSchema } },
  [`DELETE ${paths.session}`]: { summary: 'Sign out', responses: { 204: null } },
  [`GET ${paths.sessions}`]: {
    summary: 'List own sessions',
    responses: { 200: listOf('sessions', sessionInfoSchema) },
  },
  [`DELETE ${paths.sessions}`]: { summary: 'End own sessions', responses: { 204: null } },
  [`DELETE ${paths.sessions}/:id`]: { summary: 'End one own session', responses: { 204: null } },
  [`PUT ${paths.password}`]: { summary: 'Change the own password', responses: { 204: null } },
  [`POST ${paths.invitations}`]: {
    summary: 'Invite a colleague',
    responses: {
      201: objectOf({ ...invitationInfoSchema.properties, token: text }, [
        ...invitationInfoSchema.required,
        'token',
      ]),
    },
  },
  [`GET ${paths.invitations}`]: {
    summary: 'List invitations',
    responses: { 200: listOf('invitations', invitationInfoSchema) },
  },
  [`DELETE ${paths.invitations}/:id`]: { summary: 'Revoke an invitation', responses: { 204: null } },
  [`POST ${paths.invitationCheck}`]: {
    summary: 'Whether an invitation is valid',
    responses: { 200: objectOf({ email: text }, []) },
  },
  [`POST ${paths.passwordResetCheck}`]: {
    summary: 'Whose password a link resets',
    responses: { 200: objectOf({ email: text }) },
  },
  [`POST ${paths.passwordReset}`]: { summary: 'Reset a password', responses: { 204: null } },
  [`GET ${paths.books}`]: { summary: 'List records', responses: { 200: bookListSchema, 304: null } },
  [`POST ${paths.books}`]: { summary: 'Add a record', responses: { 201: idBody } },
  [`PATCH ${book}`]: {
    summary: 'Change a record; with `seen`, merge',
    responses: { 200: { anyOf: [idBody, employeeSchema] }, 409: conflictSchema },
  },
  [`PUT ${book}`]: { summary: 'Restore a deleted record', responses: { 200: objectOf({ id: text, after }) } },
  [`DELETE ${book}`]: { summary: 'Delete a record', responses: { 204: null } },
  [`POST ${paths.batch}`]: {
    summary: 'Execute many changes in one transaction',
    body: batchSchema,
    responses: { 200: batchResultSchema },
  },
  [`GET ${paths.details}`]: {
    summary: 'Who has changed records, and when',
    responses: { 200: listOf('details', recordDetailsSchema) },
  },
  [`GET ${paths.deleted}`]: {
    summary: 'List deleted records that can be restored',
    responses: { 200: deletedListSchema },
  },
  [`POST ${book}/restore`]: {
    summary: 'Restore a deleted record as it was',
    responses: { 200: objectOf({ id: text, after }) },
  },
  [`GET ${paths.exposed}`]: {
    summary: 'List records whose password an account may know',
    responses: { 200: exposedRecordsSchema },
  },
  [`POST ${paths.activity}`]: { summary: 'Report what a page has done', responses: { 204: null } },
  [`GET ${paths.changes}`]: {
    summary: 'Server-sent events; the data of `change` has this schema',
    type: 'text/event-stream',
    responses: { 200: changeEventSchema },
  },
  'GET /healthz': {
    summary: 'The process is alive',
    responses: { 200: objectOf({ status: text, version: text }) },
  },
  'GET /api/openapi.json': { summary: 'This document', responses: { 200: { type: 'object' } } },
  'GET /readyz': { summary: 'The storage responds', responses: { 200: objectOf({ status: text }) } },
}
