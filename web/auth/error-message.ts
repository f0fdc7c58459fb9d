/** The words of an error for a person: a `ServiceError` has them, whatever else was thrown has not. */
export function errorMessage(error: unknown): string {
  return error instanceof Error && error.name === 'ServiceError' ? error.message : 'Something went wrong.'
}
