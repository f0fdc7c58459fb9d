import type { FastifyInstance, onRequestHookHandler, RouteOptions } from 'fastify'
import { errorBodySchema, errors } from '../../contract/errors.ts'
import { paths } from '../../contract/protocol.ts'
import { version } from '../version.ts'
import { type Operation, operations } from './responses.ts'

interface Route {
  method: string
  url: string
  schema: NonNullable<RouteOptions['schema']>
  needsSession: boolean
}

interface ObjectSchema {
  properties?: Record<string, object>
  required?: readonly string[]
}

export const openApiPath = '/api/openapi.json'

/** Serves an OpenAPI 3.1 document of all routes that are added afterwards. */
export function serveOpenApi(app: FastifyInstance, requireSession: onRequestHookHandler): void {
  const routes: Route[] = []
  let document: object | undefined
  app.addHook('onRoute', ({ method, url, schema = {}, onRequest }) => {
    // All routes of the collection and of its history require a session.
    const isProtected = [paths.books, paths.activity].some((path) => url.startsWith(path))
    const needsSession = isProtected || [onRequest].flat().includes(requireSession)
    for (const one of [method].flat())
      if (one !== 'HEAD') routes.push({ method: one, url, schema, needsSession })
  })
  app.get(openApiPath, () => {
    document ??= describe(routes)
    return document
  })
}

function describe(routes: Route[]): object {
  const described: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    described[path] = { ...described[path], [route.method.toLowerCase()]: describeRoute(route) }
  }
  const error = {
    ...errorBodySchema,
    properties: { ...errorBodySchema.properties, code: { enum: Object.keys(errors) } },
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Staffbook',
      version,
      description: 'Rules that a schema cannot state, such as limits and retries, are in docs/protocol.md.',
    },
    servers: [{ url: '/' }],
    paths: described,
    components: {
      schemas: { Error: error },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session', description: '__Host-session over HTTPS' },
      },
    },
  }
}

function describeRoute({ method, url, schema, needsSession }: Route): object {
  const operation = operations[`${method} ${url}`]
  const body = operation?.body ?? schema.body
  return {
    ...(operation ? { summary: operation.summary } : {}),
    parameters: [
      ...describePathParameters(url, schema.params as ObjectSchema),
      ...describeParameters('query', schema.querystring as ObjectSchema),
      ...describeParameters('header', schema.headers as ObjectSchema),
    ],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      ...describeResponses(operation),
      default: {
        description: 'An error.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
    security: needsSession ? [{ session: [] }] : [],
  }
}

function describeResponses({ responses, type = 'application/json' }: Partial<Operation> = {}): object {
  const described = Object.entries(responses ?? {}).map(([status, schema]) => [
    status,
    { description: 'Done.', ...(schema ? { content: { [type]: { schema } } } : {}) },
  ])
  return Object.fromEntries(described)
}

function describePathParameters(url: string, { properties = {} }: ObjectSchema = {}): object[] {
  return Array.from(url.matchAll(/:(\w+)/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[name] ?? { type: 'string' },
  }))
}

function describeParameters(
  location: string,
  { properties = {}, required = [] }: ObjectSchema = {},
): object[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: location,
    required: required.includes(name),
    schema,
  }))
}
