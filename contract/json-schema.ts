export const textSchema = { type: 'string' } as const

/** ISO 8601, UTC. */
export const timestampSchema = { type: 'string', format: 'date-time' } as const

export const countSchema = { type: 'integer', minimum: 0 } as const

/* @__NO_SIDE_EFFECTS__ */
export function arrayOf<const Items extends object>(items: Items) {
  return { type: 'array', items } as const
}

/** Returns the schema of an object with these properties and no others. Those in `optional` may be missing. */
/* @__NO_SIDE_EFFECTS__ */
export function objectOf<
  const Required extends Record<string, object>,
  const Optional extends Record<string, object> = Record<never, object>,
>(required: Required, optional?: Optional) {
  return {
    type: 'object',
    additionalProperties: false,
    // For typebox, which derives types from tuples only.
    required: Object.keys(required) as [keyof Required & string],
    properties: { ...required, ...(optional as Optional) },
  } as const
}
