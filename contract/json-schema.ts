/** The part of JSON Schema that describes one value. */
type Schema = object

export const textSchema = { type: 'string' } as const

/** ISO 8601, UTC. */
export const timestampSchema = { type: 'string', format: 'date-time' } as const

export const countSchema = { type: 'integer', minimum: 0 } as const

/* @__NO_SIDE_EFFECTS__ */
export function arrayOf<const Items extends Schema>(items: Items) {
  return { type: 'array', items } as const
}

/** Returns the schema of an object with these properties and no others. Those in `optional` may be missing. */
/* @__NO_SIDE_EFFECTS__ */
export function objectOf<
  const Required extends Record<string, Schema>,
  const Optional extends Record<string, Schema> = Record<never, Schema>,
>(required: Required, optional?: Optional) {
  return {
    type: 'object',
    additionalProperties: false,
    // For typebox, which derives types from tuples only.
    required: Object.keys(required) as [keyof Required & string],
    properties: { ...required, ...(optional as Optional) },
  } as const
}
