import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import type { EmployeeFields } from '../../contract/employees.ts'
import { AppError } from '../app-error.ts'

/** Shape is checked as it came: nothing is converted, nothing is dropped, lengths count as JavaScript counts. */
export const ajvOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  unicode: false,
  // Ajv warns that `unicode` is deprecated, and has nothing in its place.
  logger: false,
} as const

/** The refusal of a request that does not fit its schema, naming the field in words for a person. */
export function toValidationError(
  validationErrors: FastifySchemaValidationError[],
  context = 'body',
): AppError {
  const [{ keyword = '', instancePath = '', params = {} } = {}] = validationErrors
  const field = toFieldPath(instancePath, params)
  return new AppError('invalid-request', {
    message: messageFor(field ?? `The ${context}`, keyword, params),
    ...(field === undefined ? {} : { field }),
  })
}

function toFieldPath(instancePath: string, params: Record<string, unknown>): string | undefined {
  const path = instancePath.split('/').slice(1)
  const named = params.missingProperty ?? params.additionalProperty
  if (typeof named === 'string') path.push(named)
  return path.length === 0 ? undefined : path.join('/')
}

const typeDescriptions: Record<string, string> = { object: 'a JSON object', array: 'an array' }

function messageFor(field: string, keyword: string, params: Record<string, unknown>): string {
  switch (keyword) {
    case 'required':
    case 'minLength':
      return `${field} is missing.`
    case 'maxLength':
      return `${field} is longer than ${params.limit} characters.`
    case 'type':
      return `${field} must be ${typeDescriptions[String(params.type)] ?? `a ${params.type}`}.`
    case 'additionalProperties':
      return `${field} is not a field of this request.`
    default:
      return `${field} is not valid.`
  }
}

/**
 * Refuses text that no UTF-8 can hold (a lone surrogate): it would come back changed. `path` is where in the body the
 * fields stand, with a slash at its end.
 */
export function requireWellFormed(fields: EmployeeFields, path = ''): void {
  for (const [name, value] of Object.entries<string>({ ...fields })) {
    if (!value.isWellFormed()) {
      const field = path + name
      throw new AppError('invalid-request', {
        field,
        message: `${field} holds text that is not valid Unicode.`,
      })
    }
  }
}
