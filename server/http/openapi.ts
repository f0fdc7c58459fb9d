import type { FastifyInstance, onRequestHookHandler, RouteOptions } from 'fastify'
import { errorBodySchema, errors } from '../../contract/errors.ts'
import { objectOf, textSchema } from '../../contract/json-schema.ts'
import { version } from '../version.ts'

/** The body of a response that has none. A route whose schema has no responses answers 204 with it. */
export const noContent = { type: 'null', description: 'Done.' } as const
export const idBody = objectOf({ id: textSchema })

const errorResponse = {
  description: 'An error.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

/** Serves an OpenAPI document of all routes that are added afterwards. What only it needs is loaded when it is requested. */
export function serveOpenApi(app: FastifyInstance, requireSession: onRequestHookHandler): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route)
  })
  let document: Promise<object> | undefined
  const schema = { summary: 'This document', response: { 200: { type: 'object' } } }
  app.get('/api/openapi.json', { schema }, () => {
    document ??= describeRoutes(routes, requireSession, app.cookieSuffix)
    return document
  })
}

/** Adds copies of the routes to a server that answers nothing, because the plugin reads them from one. */
async function describeRoutes(
  routes: readonly RouteOptions[],
  requireSession: onRequestHookHandler,
  cookieSuffix: string,
) {
  const { fastify } = await import('fastify')
  const { default: swagger } = await import('@fastify/swagger')
  const app = fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Staffbook',
        version,
        description: 'Rules that a schema cannot state, such as limits and retries, are in docs/protocol.md.',
      },
      servers: [{ url: '/' }],
      components: {
        schemas: {
          Error: {
            ...errorBodySchema,
            properties: { ...errorBodySchema.properties, code: { enum: Object.keys(errors) } },
          },
        },
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: `session-${cookieSuffix}`,
            description: 'Over HTTPS, with __Host- before it.',
          },
        },
      },
    },
    convertConstToEnum: false,
  })
  for (const { method, url, onRequest, config, schema = {} } of routes) {
    const body = config?.bodySchema ?? schema.body
    app.route({
      ...{ method, url, handler: () => {} },
      schema: {
        ...schema,
        ...(body !== undefined && { body }),
        response: { ...(schema.response ?? { 204: noContent }), default: errorResponse },
        security: onRequest === requireSession ? [{ session: [] }] : [],
      },
    })
  }
  await app.ready()
  return app.swagger()
}
