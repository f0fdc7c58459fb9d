import { ProviderError } from './provider-error.ts'
import { isSafeAddress } from './settings.ts'

/** Keys and tokens, which may list thousands of groups. */
const defaultMaxKilobytes = 1024

/**
 * `fetch` for a provider, which may be broken or hostile: of addresses that are safe, without redirects, and no more than so many
 * kilobytes. The given signal ends the response, too.
 */
export function createBoundedFetch(issuer: URL, maxKilobytes = defaultMaxKilobytes) {
  return async (address: string, options: object): Promise<Response> => {
    const url = new URL(address)
    if (!isSafeAddress(url, issuer))
      throw new ProviderError('unavailable', 'one of its addresses is not safe')
    const response = await fetch(url, { ...options, redirect: 'manual' })
    const { status } = response
    const headers = new Headers(response.headers)
    // The library would not read the error in the body.
    headers.delete('www-authenticate')
    const body = await readBody(response, maxKilobytes)
    // Responses with these statuses have no body.
    return new Response([204, 205, 304].includes(status) ? null : body, { status, headers })
  }
}

async function readBody(response: Response, maxKilobytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    // Ending the loop cancels the response.
    if (size > maxKilobytes * 1024)
      throw new ProviderError('unavailable', `its response is larger than ${maxKilobytes} KB`)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
