import swagger from '@fastify/swagger'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { errorBodySchema, errors } from '../../contract/errors.ts'
import { objectOf, textSchema } from '../../contract/json-schema.ts'
import { version } from '../version.ts'

/** The body of a response that has none. A route whose schema has no responses answers 204 with it. */
export const noContent = { type: 'null', description: 'Done.' } as const
export const idBody = objectOf({ id: textSchema })
export const restoredBody = objectOf({
  id: textSchema,
  after: { type: ['string', 'null'], description: 'Id of the record before it.' },
})

const errorResponse = {
  description: 'An error.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

/** Serves an OpenAPI document of all routes that are added afterwards, from their schemas. */
export async function serveOpenApi(app: FastifyInstance, requireSession: onRequestHookHandler) {
  // Response schemas only describe: replies are written as their handlers have made them.
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
            name: 'session',
            description: '__Host-session over HTTPS',
          },
        },
      },
    },
    convertConstToEnum: false,
    transform({ schema, url, route }) {
      const security = route.onRequest === requireSession ? [{ session: [] }] : []
      const body = route.config?.bodySchema ?? schema.body
      return { schema: { response: { 204: noContent }, ...schema, body, security }, url }
    },
    transformObject(documents) {
      const { openapiObject } = documents as { openapiObject: { paths?: Record<string, object> } }
      for (const path of Object.values(openapiObject.paths ?? {}))
        for (const operation of Object.values(path)) operation.responses.default = errorResponse
      return openapiObject
    },
  })
  const schema = { summary: 'This document', response: { 200: { type: 'object' } } }
  app.get('/api/openapi.json', { schema }, () => app.swagger())
}
