import fc from 'fast-check'
import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { employeeFieldsSchema, findInvalidField, maxFieldLength } from '../../contract/employees.ts'
import { compileSchemasOnDemand } from './validation.ts'

it('requests and findInvalidField accept the same employee fields', async () => {
  const app = fastify({ bodyLimit: 1024 * 1024 })
  app.setValidatorCompiler(compileSchemasOnDemand())
  app.post('/', { schema: { body: employeeFieldsSchema } }, () => 'ok')
  const longText = 'x'.repeat(maxFieldLength)
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom('', 'a@b.c', 'a\ud800', longText, `${longText}x`, '👩'.repeat(5000), '👩'.repeat(5001)),
    fc.constantFrom(null, undefined, 5, ['a']),
  )
  const fields = fc.record({ eName: value, email: fc.oneof(value, fc.emailAddress()), password: value })
  await fc.assert(
    fc.asyncProperty(fields, async (fields) => {
      const payload = JSON.stringify(fields)
      const headers = { 'content-type': 'application/json' }
      const { statusCode } = await app.inject({ method: 'POST', url: '/', headers, payload })
      expect(statusCode === 200).toBe(findInvalidField(fields as never) === null)
    }),
    { numRuns: 200 },
  )
  await app.close()
})
