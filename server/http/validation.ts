import { AjvCompiler } from '@fastify/ajv-compiler'
import type { FastifyInstance, FastifySchemaCompiler, FastifyTypeProvider } from 'fastify'
import type { FastifySchemaValidationError, FastifyValidationResult } from 'fastify/types/schema.js'
import type { XStatic } from 'typebox/schema'
import { AppError } from '../app-error.ts'
import { toResponse } from './json-body.ts'

/** Validates requests as they were sent: no conversion, no removed fields, lengths in UTF-16 code units. */
const ajvOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  unicode: false,
  formats: { 'well-formed': (text: string) => text.isWellFormed() },
  // Ajv warns that `unicode` is deprecated but offers no replacement.
  logger: false,
} as const

/** The servers of a process share it: it takes longer to create than to compile a schema. */
let compile: FastifySchemaCompiler<unknown> | undefined

/** Compiles a schema when the first request needs it: all of them took a fifth of the time of a start. */
export function compileSchemasOnDemand(): FastifySchemaCompiler<unknown> {
  return (part) => {
    let validate: FastifyValidationResult | undefined
    const validateOnDemand: FastifyValidationResult = (data) => {
      compile ??= AjvCompiler()({}, { customOptions: ajvOptions }) as FastifySchemaCompiler<unknown>
      validate ??= compile(part)
      const isValid = validate(data)
      validateOnDemand.errors = validate.errors ?? null
      return isValid
    }
    return validateOnDemand
  }
}

/** Derives the types of a route's body, parameters, query and headers from its schema. */
interface JsonSchemaTypes extends FastifyTypeProvider {
  validator: XStatic<this['schema']>
}

declare const app: FastifyInstance
/** A server whose routes get their types from their schemas. */
export type Api = ReturnType<typeof app.withTypeProvider<JsonSchemaTypes>>

/** Converts Ajv's first error to an `invalid-request` that names the field. `context` is the part of the request. */
export function toValidationError(validationErrors: FastifySchemaValidationError[], context = 'body') {
  const [{ keyword = '', instancePath = '', params = {} } = {}] = validationErrors
  const field = toFieldPath(instancePath, params)
  const message = messageFor(field ?? `The ${context}`, keyword, params)
  return new AppError('invalid-request', { message, ...toResponse({ field }) })
}

function toFieldPath(instancePath: string, params: Record<string, unknown>): string | undefined {
  const path = instancePath.split('/').slice(1)
  const named = params.missingProperty ?? params.additionalProperty
  if (typeof named === 'string') path.push(named)
  return path.length === 0 ? undefined : path.join('/')
}

const describeType = (type: string) =>
  type === 'object' ? 'a JSON object' : `${/^[ai]/.test(type) ? 'an' : 'a'} ${type}`

function messageFor(field: string, keyword: string, params: Record<string, unknown>): string {
  switch (keyword) {
    case 'required':
    case 'minLength':
      return `${field} is missing.`
    case 'maxLength':
      return `${field} is longer than ${params.limit} characters.`
    case 'type':
      return `${field} must be ${describeType(String(params.type))}.`
    case 'additionalProperties':
      return `${field} is not a field of this request.`
    case 'format':
      return params.format === 'well-formed'
        ? `${field} holds text that is not valid Unicode.`
        : `${field} must be a time, such as 2026-11-22T14:00:00Z.`
    default:
      return `${field} is not valid.`
  }
}
