import { ServiceError } from '../../../../web/backends/ports.ts'

/** What came of a call, in a form that goes through the wall between page and test. */
export type CallOutcome =
  | { ok: true; value: unknown }
  | { ok: false; error: Pick<ServiceError, 'code' | 'message' | 'field'> | string }

export async function captureOutcome(call: () => unknown): Promise<CallOutcome> {
  try {
    return { ok: true, value: await call() }
  } catch (error) {
    if (!(error instanceof ServiceError)) return { ok: false, error: String(error) }
    const { code, message, field } = error
    return { ok: false, error: { code, message, field } }
  }
}

/** The value, or the error again as the service has thrown it. */
export function unwrapOutcome(answer: CallOutcome): unknown {
  if (answer.ok) return answer.value
  if (typeof answer.error === 'string') throw new Error(answer.error)
  const { code, message, field } = answer.error
  throw new ServiceError(code, message, { field })
}
