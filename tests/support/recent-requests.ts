const maxCount = 5
const maxLength = 200

/** What the clients of a test have sent, and what was answered: the latest last. */
export const recentRequests: string[] = []

export function rememberRequest(method: string, path: string, status: number, body: string): void {
  const answer = body.length > maxLength ? `${body.slice(0, maxLength)}…` : body
  recentRequests.push(`${method} ${path} → ${status} ${answer}`.trimEnd())
  if (recentRequests.length > maxCount) recentRequests.shift()
}
