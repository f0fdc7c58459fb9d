/**
 * Like `fetch`, for large bodies: compresses the body and reports the fraction sent, from 0 to 1. After 1 the request can
 * no longer be aborted.
 */
export type Upload = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal },
  onProgress: (sent: number) => void,
) => Promise<Response>

/** The server's limit for a large body, too, in ms. */
const maxTimeoutMs = 600_000

/** The time for an answer, in ms, and the bytes that the slowest connection sends in one. */
const timeoutMs = 30_000
const leastBytesPerMs = 16

/** How long an upload may take, in ms: a small one not longer than any other request, after which a connection counts as lost. */
export const limitUploadTime = (bytes: number): number =>
  Math.min(maxTimeoutMs, timeoutMs + bytes / leastBytesPerMs)

/** So many bytes the system takes at once: they may have arrived before the browser says that they were sent. */
const sentAtOnceBytes = 65_536

/** Uses XMLHttpRequest, because `fetch` reports no upload progress. */
export const upload: Upload = async (url, { method, headers, body, signal }, onProgress) => {
  const compressed = await gzip(body)
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    const cancel = () => request.abort()
    signal.addEventListener('abort', cancel)
    request.open(method, url)
    request.timeout = limitUploadTime(compressed.size)
    for (const [name, value] of Object.entries({ ...headers, ...gzipHeaders }))
      request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    const endCancelling = () => {
      signal.removeEventListener('abort', cancel)
      onProgress(1)
    }
    request.upload.onload = endCancelling
    request.onload = () => resolve(toResponse(request))
    request.onabort = () => reject(signal.reason)
    request.onerror = () => reject(new TypeError('The request failed.'))
    request.ontimeout = () => reject(new TypeError('The request took too long.'))
    request.send(compressed)
    if (compressed.size <= sentAtOnceBytes) endCancelling()
  })
}

export const gzipHeaders = { 'content-encoding': 'gzip' }

export function gzip(text: string): Promise<Blob> {
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(compressed).blob()
}

function toResponse(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split('\r\n')
  const headers = lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])
  return new Response(request.responseText, { status: request.status, headers })
}
