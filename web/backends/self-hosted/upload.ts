/**
 * `fetch` for a large body, which is compressed, and of which it tells how much has been sent, from 0 to 1; after 1 it
 * can't be aborted.
 */
export type Upload = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal },
  onProgress: (sent: number) => void,
) => Promise<Response>

const longestUpload = 600_000

/** By XMLHttpRequest, because `fetch` does not tell how much of a body it has sent. */
export const upload: Upload = async (url, { method, headers, body, signal }, onProgress) => {
  const packed = await gzipped(body)
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    const cancel = () => request.abort()
    signal.addEventListener('abort', cancel)
    request.open(method, url)
    request.timeout = longestUpload
    for (const [name, value] of Object.entries({ ...headers, ...packedHeaders }))
      request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    request.upload.onload = () => {
      signal.removeEventListener('abort', cancel)
      onProgress(1)
    }
    request.onload = () => resolve(responseOf(request))
    request.onabort = () => reject(signal.reason)
    request.onerror = () => reject(new TypeError('The request failed.'))
    request.ontimeout = () => reject(new TypeError('The request took too long.'))
    request.send(packed)
  })
}

export const packedHeaders = { 'content-encoding': 'gzip' }

export function gzipped(text: string): Promise<Blob> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(packed).blob()
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split('\r\n')
  const headers = lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])
  return new Response(request.responseText, { status: request.status, headers })
}
